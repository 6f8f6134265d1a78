"""A corpus in which everything that a judgement can hold occurs, and its judgements out and in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import annotationkit as kit

from annotation.exchange import FORMATS
from annotation.exchange.gathering import gathered
from annotation.exchange.importing import Imported, bring_in
from annotation.exchange.votes import Export, Vote
from annotation.rounds.judging import Shown
from annotation.rounds.queue import open_assignments
from annotation.schemes import Scheme
from dalil.corpus import Corpus
from dalil.records import Annotation, Assignment, Decision, Record, Skip

TOML = '[corpus]\n[annotate]\nscheme = "full.toml"\n'
SCHEME = """
name = "full"
sentences = true
[[labels]]
name = "agree"
ar = "يؤيد"
hotkey = "1"
[[labels]]
name = "disagree"
ar = "يعارض"
hotkey = "2"
[[labels]]
name = "discuss"
ar = "يناقش"
hotkey = "3"
[[questions]]
name = "confidence"
kind = "scale"
required = true
options = [{value = 5}, {value = 4}, {value = 3}, {value = 2}, {value = 1}]
[[questions]]
name = "second"
kind = "label"
required = true
when = {confidence = [1, 2, 3]}
options = [{value = "highly_uncertain"}]
[[questions]]
name = "why"
kind = "choice"
when = {label = "discuss", confidence = [4, 5]}
options = [{value = "reports", ar = "ينقل"}, {value = "asks", ar = "يسأل"}]
[[questions]]
name = "remark"
kind = "text"
"""
KINDS: tuple[type[Record], ...] = (Annotation, Skip, Decision)
SCRUM9_TOML = '[corpus]\n[annotate]\nscheme = "scrum9"\n'
LONG_AGO = "2026-01-02T03:04:05Z"
NOTE = 'قال "لا"، وسكت;\r\n\r\n=1+1\u200f \u2066x\u2069'


def empty(folder: Path, pairs: int = 6, toml: str = TOML) -> Corpus:
    """A corpus with pairs and the scheme, and nobody in it."""
    corpus = kit.make(folder, pairs, toml)
    (folder / "full.toml").write_text(SCHEME, "utf-8")
    return corpus


def scheme(corpus: Corpus) -> Scheme:
    return kit.settings(corpus).read_scheme(corpus.path)


def judged(folder: Path) -> Corpus:
    """Amal and Bashir have judged: revisions, notes, marked sentences, skips and a revised ruling."""
    corpus = empty(folder)
    kit.people(corpus, ("amal", "bashir"))
    dealer = kit.dealer(corpus)
    dealer.write(dealer.main(None))
    amal, bashir = (open_assignments(corpus.store, name) for name in ("amal", "bashir"))
    say(corpus, amal[0], "agree", 5, seconds=12.5)
    say(corpus, amal[0], "discuss", 4, based_on=1, answers={"why": "asks"})
    say(corpus, amal[1], "discuss", 2, second="highly_uncertain", note=NOTE, answers={"remark": "=ملاحظة"})
    say(corpus, amal[2], "agree", 3, second="discuss", answers={"sentences": ((0, 12), (20, 33))})
    say(corpus, bashir[0], "disagree", 5, note="أ")
    say(corpus, bashir[0], "disagree", 5, based_on=1)
    judging = kit.judging(corpus)
    judging.skip(amal[3], "text_broken", "مبتور")
    judging.skip(bashir[1], "other", "أ")
    judging.skip(bashir[1], "other", "ب")
    judging.skip(bashir[1], "other")
    judging.rule("pair-0000", "salma", "agree", "سبب", 0)
    judging.rule("pair-0000", "salma", "discuss", "سبب", 1)
    judging.rule("pair-0000", "salma", "discuss", None, 2)
    with corpus.store.transaction() as writer:  # long ago, and all in one second
        for kind in KINDS:
            writer.put([one.model_copy(update={"at": LONG_AGO}) for one in [*corpus.store.all(kind)]])
    return corpus


def say(
    corpus: Corpus,
    one: Assignment,
    label: str,
    confidence: int,
    *,
    based_on: int = 0,
    seconds: float = 30.0,
    answers: dict[str, Any] | None = None,
    second: str | None = None,
    note: str | None = None,
) -> None:
    from annotation.answers import Answer

    answer = Answer(label=label, confidence=confidence, second=second, answers=answers or {}, note=note)
    shown = Shown(based_on, f"hash-of-{one.pair_id}", "7", seconds)
    assert kit.judging(corpus).judge(one, answer, shown) == "stored"


def export(corpus: Corpus, notes: bool = True) -> Export:
    return gathered(corpus, scheme(corpus), str, notes=notes)


def out(corpus: Corpus, path: Path, name: str) -> Path:
    """Everything in a format, as the command writes it."""
    path.write_text(FORMATS[name].write(export(corpus)), "utf-8", newline="")
    return path


def come_in(corpus: Corpus, path: Path, name: str, **more: Any) -> Imported:
    votes: Iterable[Vote] = FORMATS[name].read(path, scheme(corpus))
    return take(corpus, votes, origin=f"file:{path.name}", **more)


def take(corpus: Corpus, votes: Iterable[Vote], origin: str = "file:x", **more: Any) -> Imported:
    follower = kit.judging(corpus).follower
    return bring_in(corpus, scheme(corpus), votes, origin=origin, follower=follower, **more)


def rows(corpus: Corpus, without: Iterable[str] = ("origin",)) -> list[dict[str, Any]]:
    """All that people said, for comparing."""
    return [one.model_dump(exclude=set(without)) for kind in KINDS for one in corpus.store.all(kind)]


def last(corpus: Corpus, *fields: str) -> dict[tuple[str, str, str], dict[str, Any]]:
    """(pair, person, round) → these fields of the last revision."""
    found: dict[tuple[str, str, str], Annotation] = {}
    for one in corpus.store.all(Annotation):
        key = (one.pair_id, one.annotator, one.round)
        if key not in found or one.number > found[key].number:
            found[key] = one
    return {key: one.model_dump(include=set(fields)) for key, one in sorted(found.items())}
