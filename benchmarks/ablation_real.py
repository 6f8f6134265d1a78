"""The ablation on real claims: what each query variant brings, in the three match modes of a collection.

    DALIL_DATA=… python benchmarks/ablation_real.py FOLDER [--claims 500]

Two data sets, each searched with `match` any, most and all, ten results a query:

- baly: the 422 claims of Baly et al. (2018) in one collection of their articles and ANT (about 34,000
  documents). They have no dates, so the paper's dated variants do not apply; asked are `claim` and the
  undated diagnostics `claim+entities`, `vp`, `vp+entities`. Baly's labels are the gold.
- ans: a seeded sample of second headlines of ANS (Khouja 2020) as claims, in ANT; gold is the pair's label
  (agree or disagree) towards the article that its first headline is the title of. Claim dates are
  SIMULATED: 85% within ten days of the article's, a seeded 15% lie 70 to 120 days away, so that the
  window shuts the article out. All five variants of the paper.

Results depend on the mode by construction: `all` wants every word of a query, so that names set before a
claim can only narrow it and a shorter query widens it; `any` ranks whatever has one word.
FOLDER keeps the corpora (texts stay there). Written beside this script: ablation_baly.md and .json,
ablation_ans.md and .json, plots (figures and ids only).
"""

from __future__ import annotations

import argparse
import csv
import datetime as dt
import gzip
import json
import os
import random
import re
from collections import defaultdict
from functools import partial
from pathlib import Path

from dalil.cli import main as dalil
from dalil.collection.documents import read_date
from dalil.corpus import Corpus
from dalil.formats.baly import Baly
from dalil.formats.rows import LabelRow, Options
from dalil.ids import make_id
from retrieval.ablation.corpus import from_corpus
from retrieval.ablation.differences import differences
from retrieval.ablation.figures import LENGTHS, Ablation, ablate
from retrieval.ablation.markdown import section
from retrieval.ablation.material import Material
from retrieval.ablation.plot import plot
from retrieval.ablation.sheets import REACH

HERE = Path(__file__).parent
MODES = ("any", "most", "all")
PAPER = ("claim", "claim+date", "claim+date+entities", "vp+date", "vp+date+entities")
UNDATED = ("claim", "claim+entities", "vp", "vp+entities")
SEED = 20181
FEWEST = 20
"""claims of a group that is looked at for itself"""

TOML = """[corpus]
name = "{name}, match {match}"

[search]
engines = ["collection"]
variants = {variants}
allow_unedited = true     # these claims are sentences already

[engines.collection]
path = "../{collection}"
match = "{match}"
results = 10
"""


def command(*words: str) -> None:
    """One dalil command; a failure ends the benchmark."""
    try:
        dalil(list(words))
    except SystemExit as stop:
        if stop.code:
            raise


def index(folder: Path, name: str, *files: Path) -> None:
    """A collection, made once."""
    if not (folder / name / "manifest.json").exists():
        command("index", "--quiet", "--out", str(folder / name), *map(str, files))


def baly_articles(data: Path, folder: Path) -> Path:
    """Baly's articles as JSONL, one a body and url."""
    path, seen = folder / "baly.jsonl.gz", set()
    if not path.exists():
        with gzip.open(path, "wt", encoding="utf-8", newline="\n", compresslevel=1) as file:
            for row in Baly().read(data / "baly2018", "labels", Options()):
                if isinstance(row, LabelRow):
                    key = make_id("baly", row.article.url or "", row.article.text)
                    if key not in seen:
                        seen.add(key)
                        held = {"id": key, "url": row.article.url, "body": row.article.text}
                        file.write(json.dumps(held, ensure_ascii=False) + "\n")
    return path


def plain(title: str) -> str:
    """A title with punctuation as spaces and white space collapsed."""
    return " ".join(re.sub(r"[^\w\s]", " ", title).split())


def ans_labels(data: Path, folder: Path, count: int) -> Path:
    """The sampled claims with simulated dates, and their gold, as rows of `dalil import labels`."""
    articles = defaultdict(list)
    with gzip.open(
        data / "ant_multisource" / "articles.jsonl.gz", "rt", encoding="utf-8", newline="\n"
    ) as file:
        for line in file:
            row = json.loads(line)
            day = read_date(row["published"])
            if day is not None and len(day) == 10:
                articles[plain(row["title"])].append((row, day))
    pairs: dict[str, tuple[str, str]] = {}
    for part in ("train", "dev", "test"):
        with (data / "ans_khouja2020/data/stance" / f"{part}.csv").open(
            encoding="utf-8-sig", newline=""
        ) as file:
            for pair in csv.DictReader(file):
                if pair["stance"] in ("agree", "disagree") and plain(pair["s1"]) in articles:
                    pairs.setdefault(pair["s2"], (pair["stance"], plain(pair["s1"])))
    chance = random.Random(SEED)
    path = folder / f"ans_{count}.jsonl"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number, claim in enumerate(chance.sample(sorted(pairs), count)):
            label, title = pairs[claim]
            days = chance.randint(70, 120) if chance.random() < 0.15 else chance.randint(0, 10)
            away = dt.timedelta(days=days * chance.choice((-1, 1)))
            date = dt.date.fromisoformat(articles[title][0][1]) + away
            for row, _ in articles[title]:
                found = {
                    "claim": claim, "claim_id": f"ans-{number}", "claim_date": date.isoformat(),
                    "label": label, "article": row["text"] or row["title"], "article_title": row["title"],
                    "article_url": row["url"], "article_id": row["id"],
                }  # fmt: skip
                file.write(json.dumps(found, ensure_ascii=False) + "\n")
    return path


def corpus(
    folder: Path, name: str, match: str, variants: tuple[str, ...], collection: str, gold: Path
) -> Path:
    """A searched corpus with gold, made once."""
    path = folder / f"{name}_{match}"
    if not path.exists():
        toml = TOML.format(name=name, match=match, variants=json.dumps(list(variants)), collection=collection)
        Corpus.create(path, toml).close()
        command("import", "labels", "--quiet", str(gold), str(path))
        command("clean", "--quiet", str(path))
    command("search", "--quiet", str(path))
    return path


def report(name: str, title: str, about: str, corpora: dict[str, Path]) -> None:
    """Markdown, JSON and a plot of one data set in all modes."""
    found: dict[str, Ablation] = {}
    materials: dict[str, Material] = {}
    for match, path in corpora.items():
        with Corpus.open(path, writable=False) as opened:
            materials[match] = from_corpus(opened)
        found[match] = ablate(materials[match])
        plot(found[match], HERE / f"ablation_{name}_{match}.png", title=f"{title}, match {match}")
    parts = [
        f"# The ablation on {title}",
        "",
        "`DALIL_DATA=… python benchmarks/ablation_real.py FOLDER`",
        "",
        about,
        "",
    ]
    parts += rescue(materials, "claim+date" if name == "ans" else "claim")
    for match, each in found.items():
        parts += [f"## match = {match}", "", *section(each, level=3), ""]
        parts += [f"![what each variant brings](ablation_{name}_{match}.png)", ""]
    (HERE / f"ablation_{name}.md").write_text("\n".join(parts), "utf-8", newline="\n")
    held = {match: each.as_dict() for match, each in found.items()}
    (HERE / f"ablation_{name}.json").write_text(
        json.dumps(held, ensure_ascii=False, indent=1) + "\n", "utf-8"
    )


def rescue(found: dict[str, Material], baseline: str) -> list[str]:
    """Whether cut claims and added names bring something for long claims that the plain claim does not."""
    lines = ["## Do verb-phrase and entity queries rescue long claims?", ""]
    lines += [
        f"Claims for which a variant has a related document and `{baseline}`, asked in the same window, has "
        "none (rescued), and the other way round (lost), by length and mode. Where an interval holds 0 there "
        "is no difference to see.", "",
        f"| match | words | variant | claims | `{baseline}` has | variant has | rescued | lost "
        "| difference [95%] |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for match, material in found.items():
        for low, high in LENGTHS:
            part = material.only(partial(within, material, low, high))
            if len(part.claims) < FEWEST:
                continue
            for each in differences(part, baseline, seed=0, replicates=2000):
                if each.what == REACH and each.variant != "claim" and each.baseline is not None:
                    counts = (round(share * each.claims) for share in (each.baseline, each.value or 0.0))
                    interval = f"{each.difference:+.3f} [{each.low:+.3f}, {each.high:+.3f}]"
                    words = f"{low}–{high}" if high else f"{low}+"
                    cells = (match, words, each.variant, each.claims, *counts, each.more, each.less, interval)
                    lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, ""]


def within(material: Material, low: int, high: int | None, claim: str) -> bool:
    """Whether a claim has so many words."""
    words = material.claims[claim].words if claim in material.claims else None
    return words is not None and low <= words <= (high or words)


BY_MODE = """Results depend on the mode of matching by construction: under `all` a document must have
every word of the query, so that names before a claim can only narrow it and a cut claim can only widen it;
under `any` one word is enough and the ranking decides; `most` wants more than half of the words."""
ABOUT_BALY = f"""The 422 claims of Baly et al. (2018), ten results a query, in one collection of Baly's
articles and ANT. The claims have no dates: the paper's dated variants do not apply, and `claim+entities`,
`vp` and `vp+entities` are undated diagnostics. Gold are Baly's labels; what Baly did not label is unjudged.

{BY_MODE}"""
ABOUT_ANS = f"""Second headlines of ANS (Khouja 2020, agree and disagree) as claims, ten results a query, in
the 31,525 articles of ANT. The claim dates are SIMULATED: 85% within ten days of the article's, a seeded 15%
lie 70 to 120 days away, outside the window of two months. So the dated variants must lose about that share,
and how much they win elsewhere is what is measured. One known article a claim (some have copies); all else
is unjudged, so that the share judged related says nothing here: what is judged is known to be related.

{BY_MODE}"""


def main() -> None:
    """Make the corpora, search, report."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--claims", type=int, default=500)
    arguments.add_argument("--only", choices=("baly", "ans"))
    own = arguments.parse_args()
    data, folder = Path(os.environ["DALIL_DATA"]), own.folder
    folder.mkdir(parents=True, exist_ok=True)
    ant = data / "ant_multisource" / "articles.jsonl.gz"
    if own.only != "ans":
        index(folder, "baly_ant", baly_articles(data, folder), ant)
        made = {m: corpus(folder, "baly", m, UNDATED, "baly_ant", data / "baly2018") for m in MODES}
        report("baly", "Baly 2018 in Baly + ANT", ABOUT_BALY, made)
    if own.only != "baly":
        index(folder, "ant", ant)
        gold = ans_labels(data, folder, own.claims)
        made = {m: corpus(folder, "ans", m, PAPER, "ant", gold) for m in MODES}
        report("ans", "ANS headlines in ANT, simulated dates", ABOUT_ANS, made)


if __name__ == "__main__":
    main()
