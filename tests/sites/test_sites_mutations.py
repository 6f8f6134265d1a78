"""A thousand seeded mutations of the fixtures: each gives a record or a reason, and never an error."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from dalil.records import Claim, Headline
from dalil.stages import Drop
from spiders.sitecheck import API, LISTING, fixtures, read
from spiders.sites import known_sites, load_site
from spiders.ways.api import api_of
from spiders.ways.page import links_of

PAGES = Path(__file__).with_name("pages")
EVERY = [each for name in known_sites() for each in fixtures(load_site(name), PAGES / name)]
ALL = [each for each in EVERY if each.name not in (LISTING, API)]
LISTINGS = [each for each in EVERY if each.name == LISTING]
ANSWERS = [each for each in EVERY if each.name == API]
NUMBER = 1000
CHUNKS = 10
JUNK = (
    "<",
    ">",
    '"',
    "&",
    "\0",
    "\ud800",
    "</script>",
    "<!--",
    "]]>",
    "{",
    "}",
    "<div",
    "&#0;",
    "\u202e",
    "<svg><p>",
    "<?x",
    "%E",
)


def mutated(text: str, chance: random.Random) -> str:
    """A page with up to five kinds of damage."""
    for _ in range(chance.randint(1, 5)):
        at, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
        end = min(end, at + chance.choice((1, 20, 400, 4000)))
        kind = chance.randrange(6)
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + chance.choice(JUNK) * chance.choice((1, 3, 50)) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at:end] * 3 + text[end:]
        elif kind == 3:
            text = text[:at]
        elif kind == 4:
            text = text[:at] + "".join(chance.sample(text[at:end], len(text[at:end]))) + text[end:]
        else:
            text = text.replace(
                chance.choice(('"', "<p", "</", "=", "class", " ", ":")),
                chance.choice(JUNK),
                chance.randint(1, 40),
            )
    return text


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_mutation_gives_a_record_or_a_reason(chunk: int) -> None:
    for seed in range(chunk * NUMBER // CHUNKS, (chunk + 1) * NUMBER // CHUNKS):
        chance = random.Random(seed)
        fixture = ALL[seed % len(ALL)]
        meta = fixture.meta()
        page = mutated(fixture.page.read_text("utf-8"), chance)
        found = read(fixture.site, meta["url"], page, meta.get("snapshot_at"))
        if isinstance(found, Drop):
            assert found.reason, seed
            continue
        assert found, f"seed {seed}: neither a record nor a reason"
        for record in found:
            text = record.raw if isinstance(record, Claim) else record.title
            assert text.strip(), seed
            assert isinstance(record, (Claim, Headline))
            assert record.url is not None, seed
            record.model_dump_json()


def test_a_mutated_listing_gives_links_or_none() -> None:
    for seed in range(300):
        fixture = LISTINGS[seed % len(LISTINGS)]
        page = mutated(fixture.page.read_text("utf-8"), random.Random(seed))
        links, _ = links_of(fixture.site, fixture.meta()["url"], page)
        assert all(link.startswith("http") for link in links), seed


def test_a_mutated_answer_of_an_api_gives_claims_or_reasons() -> None:
    for seed in range(400):
        chance = random.Random(seed)
        fixture = ANSWERS[seed % len(ANSWERS)]
        assert fixture.site.api is not None
        api = api_of(fixture.site.api)
        answer = other(json.loads(fixture.page.read_text("utf-8")), chance)
        first = api.first(fixture.site.api)
        api.following(fixture.site.api, first, answer)
        assert all(isinstance(key, str) for key in api.keys(answer)), seed
        for found in api.read(fixture.site, answer):
            assert isinstance(found, (Claim, Drop)), seed


def other(value: Any, chance: random.Random) -> Any:
    """A JSON value in which about one in eight has become another, of any kind."""
    if chance.random() < 0.12:
        return chance.choice(
            (None, [], {}, "", "x", 1, 1.5, True, [None], {"name": None}, "\ud800", "http://[", [[["x"]]])
        )
    if isinstance(value, dict):
        return {key: other(item, chance) for key, item in value.items()}
    if isinstance(value, list):
        return [other(item, chance) for item in value]
    return value
