"""From a claim to what engines are asked: AraStance's five variants as pure functions.

The variants (Alhindi et al. 2021, "Documents"):

======================  ===========================================================
`claim`                 the cleaned claim, at any time
`claim+date`            within two months either side of the claim's date
`claim+date+entities`   with the claim's named entities before it, within the window
`vp+date`               the first verb phrase and all that precedes it, within the window
`vp+date+entities`      both
======================  ===========================================================

True claims take the first two. A claim without a usable date has no dated query: the plan says
why. `diagnostics` gives `claim+entities`, `vp` and `vp+entities`, which are not the paper's.

Dates may be partial. A year and month widen the window: it opens two months before the month's
first day and closes two months after its last. A year alone is no centre for a window of four
months: unless the review date lies in that very year and is more precise, the claim is undated.
"""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dalil.ids import make_id, value_hash
from dalil.records import Claim, Query, fit_text
from dalil.text.normal import search_form
from retrieval.analyzers.base import Analysis, Entity
from retrieval.analyzers.truncate import truncate

PAPER = ("claim", "claim+date", "claim+date+entities", "vp+date", "vp+date+entities")
TRUE_CLAIMS = ("claim", "claim+date")
DIAGNOSTICS = ("claim+entities", "vp", "vp+entities")
MONTHS = 2

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?")
_BETWEEN = re.compile(r"\W*و?\W*")


@dataclass(frozen=True, slots=True)
class Absent:
    """A variant that a claim has no query for, and why."""

    variant: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The queries of one claim, equal ones merged, and the variants that are not among them."""

    queries: tuple[Query, ...]
    absent: tuple[Absent, ...] = ()


@dataclass(frozen=True, slots=True)
class Centre:
    """What a window is laid around: an ISO date (or year-month) and the field it came from.

    `date` is None where there is none to use; `reason` then says why.
    """

    date: str | None
    date_from: str | None
    reason: str | None = None


def variants(
    text: str,
    *,
    claim_id: str,
    date: str | None,
    date_from: str | None = "claim_date",
    veracity: str = "unknown",
    analysis: Analysis | None = None,
    undated_because: str = "undated",
) -> Plan:
    """The paper's queries for one claim.

    `text` is the cleaned claim and `analysis` that same text analysed (None: the variants that
    need one are absent, `no_analysis`). `date` and `date_from` are best taken from `centre`,
    whose reason goes into `undated_because`. Only veracity `true` narrows the variants to two
    (reason `true_claim`): false, mixed and unknown claims take all five.

    Raises ValueError when `analysis` is of another text, or the text is empty.
    """
    if not text.strip():
        raise ValueError("a claim without text has no queries")
    wanted = TRUE_CLAIMS if veracity == "true" else PAPER
    absent = [Absent(name, "true_claim") for name in PAPER if name not in wanted]
    bounds = window(date) if date else None
    made = []
    for name in wanted:
        dated = "+date" in name
        if dated and bounds is None:
            absent.append(Absent(name, undated_because))
            continue
        built = _text(name, text, analysis)
        if built is None:
            absent.append(Absent(name, "no_analysis"))
            continue
        made.append(_query(claim_id, name, *built, bounds if dated else None, date_from))
    return Plan(merge(made), tuple(sorted(absent, key=lambda a: PAPER.index(a.variant))))


def diagnostics(text: str, *, claim_id: str, analysis: Analysis) -> tuple[Query, ...]:
    """`claim+entities`, `vp`, `vp+entities`: for collections without dates, never the paper's five.

    A query of theirs may equal a `claim` query: `merge` brings the two together.
    """
    made = []
    for name in DIAGNOSTICS:
        built = _text(name, text, analysis)
        if built is not None:
            made.append(_query(claim_id, name, *built, None, None))
    return merge(made)


def plan(claim: Claim, text: str, analysis: Analysis | None) -> Plan:
    """`variants` for a Claim record whose cleaned text is `text`."""
    middle = centre(claim.claim_date, claim.review_date)
    return variants(
        text,
        claim_id=claim.id,
        date=middle.date,
        date_from=middle.date_from,
        veracity=claim.veracity,
        analysis=analysis,
        undated_because=middle.reason or "undated",
    )


def centre(claim_date: str | None, review_date: str | None) -> Centre:
    """The date a claim's window is laid around: the claim date, else the review date.

    A year alone gives way to a review date of the same year that is more precise. What cannot be
    read counts as absent. Reasons: `undated`, `unreadable_date`, `year_only`.
    """
    reason = None
    year = None
    for date, name in ((claim_date, "claim_date"), (review_date, "review_date")):
        if not date:
            continue
        parts = _parts(date)
        if parts is None:
            reason = reason or "unreadable_date"
        elif parts[1] is None:
            reason = "year_only"
            year = parts[0] if year is None else year
        elif year is not None and parts[0] != year:
            return Centre(None, None, "year_only")
        else:
            return Centre(date, name)
    return Centre(None, None, reason or "undated")


def window(date: str, months: int = MONTHS) -> tuple[str, str] | None:
    """First and last day of the window around an ISO date, both inside it.

    Calendar months: the same day of the month, or the month's last where it has no such day
    (30 April − 2 → 28 or 29 February). A year-month is taken whole. None for a year alone and
    for what is no date.
    """
    year, month, day = _parts(date) or (0, None, None)
    if month is None:
        return None
    first = dt.date(year, month, day or 1)
    last = dt.date(year, month, day or monthrange(year, month)[1])
    return _shift(first, -months).isoformat(), _shift(last, months).isoformat()


def prepend(text: str, entities: Sequence[Entity], *, before: int | None = None) -> str:
    """Names set before a text, in order of appearance; those at its head already are not repeated.

    The head is the run of entities that the text begins with, with nothing between them but
    white space, punctuation and «و». A name that has been set already, or lies inside a longer one
    that has, is left out. `before`: entities from that offset on are beyond the text (it was
    cut there) and cannot be at its head.
    """
    ordered = sorted(entities, key=lambda entity: (entity.start, entity.end))
    at_head, reach = [], 0
    for entity in ordered:
        if (before is not None and entity.end > before) or not _BETWEEN.fullmatch(text[reach : entity.start]):
            break
        at_head.append(entity.text)
        reach = entity.end
    known = [_words(name) for name in at_head]
    names: list[str] = []
    for entity in sorted(ordered, key=lambda entity: (-len(_words(entity.text)), entity.start)):
        words = _words(entity.text)
        if words and not any(_inside(words, other) for other in known):
            known.append(words)
            names.append(entity.text)
    spelled = [entity.text for entity in ordered]
    return " ".join([*sorted(names, key=spelled.index), text])


def merge(queries: Iterable[Query]) -> tuple[Query, ...]:
    """Equal queries of a claim (same text, same window) as one, with all their variant names.

    Order of first appearance; names in the order they come in.
    """
    found: dict[str, Query] = {}
    for query in queries:
        other = found.get(query.id)
        if other is None:
            found[query.id] = query
            continue
        names = tuple(dict.fromkeys([*other.variants, *query.variants]))
        made_by = {**other.analyzer, **query.analyzer}
        found[query.id] = other.model_copy(update={"variants": names, "analyzer": made_by})
    return tuple(found.values())


def question(text: str, start: str | None, end: str | None) -> str:
    """Hash of what is asked, text and window: equal questions share their SearchPages."""
    return value_hash({"text": fit_text(text), "start": start, "end": end})


def _query(
    claim_id: str,
    variant: str,
    text: str,
    made_by: dict[str, Any],
    bounds: tuple[str, str] | None,
    date_from: str | None,
) -> Query:
    start, end = bounds if bounds else (None, None)
    asked = question(text, start, end)
    return Query(
        id=make_id("query", claim_id, asked),
        claim_id=claim_id,
        variants=(variant,),
        text=text,
        start=start,
        end=end,
        centred_on=date_from if bounds else None,
        question=asked,
        analyzer=made_by,
    )


def _text(variant: str, text: str, analysis: Analysis | None) -> tuple[str, dict[str, Any]] | None:
    """A variant's text and what of the analysis went into it; None where it needs one."""
    parts = variant.split("+")
    with_entities, cut = "entities" in parts, parts[0] == "vp"
    if not (with_entities or cut):
        return text, {}
    if analysis is None:
        return None
    if analysis.text != text:
        raise ValueError("the analysis is of another text than the claim's")
    made_by: dict[str, Any] = {
        "backend": analysis.backend,
        "model": analysis.model_hash,
        "version": analysis.version,
    }
    end = None
    if cut:
        phrase = truncate(analysis)
        text, end = phrase.text, phrase.end
        made_by |= {"rule": phrase.rule, "stop": phrase.stop, "end": end, "fallback": phrase.fallback}
    if with_entities:
        text = prepend(text, analysis.entities, before=end)
        made_by["entities"] = tuple(entity.text for entity in analysis.entities)
    return text, made_by


def _parts(date: str) -> tuple[int, int | None, int | None] | None:
    match = _DATE.fullmatch(date.strip())
    if match is None:
        return None
    year = int(match[1])
    month, day = (int(part) if part else None for part in match.groups()[1:])
    try:
        dt.date(year, 1 if month is None else month, 1 if day is None else day)
    except ValueError:
        return None
    return year, month, day


def _shift(day: dt.date, months: int) -> dt.date:
    count = day.year * 12 + day.month - 1 + months
    year, month = count // 12, count % 12 + 1
    if year < dt.date.min.year:
        return dt.date.min
    if year > dt.date.max.year:
        return dt.date.max
    return dt.date(year, month, min(day.day, monthrange(year, month)[1]))


def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", search_form(name)))


def _inside(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return any(other[at : at + len(words)] == words for at in range(len(other) - len(words) + 1))
