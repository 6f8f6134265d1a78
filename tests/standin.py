"""A stand-in for AraStance: files of its form with the margins of its tables 3 and 4, and invented texts."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from annotation.dataset.published import published

SEED = 7
LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
HOSTS = {
    "Aranews": "araanews.ae",
    "Dabegaed": "dabegad.com",
    "Norumers": "norumors.net",
    "Reuters": "ara.reuters.com",
}


@dataclass
class StandInClaim:
    """One object of a file."""

    source: str
    split: str
    url: str
    claim: str
    article: list[str] = field(default_factory=list)
    stance: list[str] = field(default_factory=list)


def stand_in() -> list[StandInClaim]:
    """910 claims whose 4,063 pairs have the published counts by source and by split, exactly."""
    stated = published("arastance")
    rng = random.Random(SEED)
    bags: dict[tuple[str, str], list[str]] = {}
    for label in stated.labels:
        sources = [source.name for source in stated.sources for _ in range(source.labels[label])]
        splits = [name for name, cells in stated.splits.items() for _ in range(cells[label])]
        rng.shuffle(splits)
        for source, split in zip(sources, splits, strict=True):
            bags.setdefault((source, split), []).append(label)
    claims = []
    for source in stated.sources:
        sizes = {split: len(bags[source.name, split]) for split in stated.splits}
        for split, number in _shared(source.claims, sizes).items():
            made = [_claim(source.name, split, rng) for _ in range(number)]
            stances = bags[source.name, split]
            rng.shuffle(stances)
            for place, label in enumerate(stances):
                one = made[place % number]
                one.article.append(words(rng, 30))
                one.stance.append(label.capitalize())
            claims += made
    return claims


def write(claims: list[StandInClaim], folder: Path, *, urls: bool = True) -> Path:
    """The authors' files; with `urls` as the card that lists claim_url."""
    (folder / "data").mkdir(parents=True)
    for split in ("train", "dev", "test"):
        with (folder / "data" / f"{split}.jsonl").open("w", encoding="utf-8") as file:
            for one in claims:
                if one.split == split:
                    row: dict[str, object] = {
                        "claim": one.claim,
                        "article": one.article,
                        "stance": one.stance,
                    }
                    if urls:
                        row["claim_url"] = one.url
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return folder


def write_numbered(claims: list[StandInClaim], folder: Path, order: tuple[str, ...]) -> Path:
    """The row form: one object a pair, stance as a number in this order of labels."""
    folder.mkdir(parents=True)
    for split in ("train", "dev", "test"):
        with (folder / f"{split}.jsonl").open("w", encoding="utf-8") as file:
            number = 0
            for one in claims:
                if one.split == split:
                    for article, stance in zip(one.article, one.stance, strict=True):
                        code = order.index(stance.lower())
                        row = {"id": str(number), "claim": one.claim, "article": article, "stance": code}
                        file.write(json.dumps(row, ensure_ascii=False) + "\n")
                        number += 1
    return folder


def words(rng: random.Random, count: int) -> str:
    """Invented words."""
    return " ".join("".join(rng.choices(LETTERS, k=6)) for _ in range(count))


def _claim(source: str, split: str, rng: random.Random) -> StandInClaim:
    return StandInClaim(source, split, f"https://{HOSTS[source]}/{rng.randrange(10**12)}", words(rng, 8))


def _shared(total: int, sizes: dict[str, int]) -> dict[str, int]:
    """`total` claims over splits in proportion to their pairs; the rest goes to the first."""
    whole = sum(sizes.values())
    found = {split: total * size // whole for split, size in sizes.items()}
    found["train"] += total - sum(found.values())
    return found
