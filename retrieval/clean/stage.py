"""The stage: every claim cleaned by the rules, unless a person has edited it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.ids import value_hash
from dalil.records import Claim, ClaimEdit, CleanedClaim, Record
from dalil.resources import data
from dalil.stages import Drop, Reads, Result, Unit
from dalil.state.store import Store
from retrieval.clean.engine import clean
from retrieval.clean.handedit import DROP
from retrieval.clean.rules import load_rules
from retrieval.clean.shape import words

RULES = "cleaning/rules.toml"
TOO_SHORT = "needs_edit:too_short"
_DECIDES = ("raw", "title", "body", "veracity")
"""the fields of a claim that cleaning reads"""


class CleanSettings(Settings):
    """`[clean]`."""

    min_words: int = Field(default=3, ge=1)
    """a claim with fewer words is flagged needs_edit:too_short"""
    max_words: int = Field(default=30, ge=5)
    """a claim with more words is flagged needs_edit:too_long"""
    off: tuple[str, ...] = ()
    """names of rules that are not applied, such as "prefix:breaking\""""


class Clean:
    """Claim (raw) → CleanedClaim, or Dropped (`no_text`, `multimedia`, `by_hand`). A unit is a claim."""

    NAME: ClassVar[str] = "clean"
    VERSION: ClassVar[str] = "4"
    READS: ClassVar[Reads] = Reads(config=("clean",), data=(RULES,))
    WRITES: ClassVar[tuple[type[Record], ...]] = (CleanedClaim,)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("clean", CleanSettings)
        try:
            self.rules = load_rules(data(*RULES.split("/"))).without(self.settings.off)
        except ValueError as error:
            raise UsageError(
                str(error),
                where=f"{corpus.config.path}: clean.off",
                todo="the rules are listed in data/cleaning/rules.toml",
            ) from error

    def keys(self, store: Store) -> Iterable[Unit]:
        """One unit a claim, with its latest edit by hand."""
        edits = latest_edits(store)
        for claim in store.all(Claim):
            edit = edits.get(claim.id)
            decides = [*(getattr(claim, name) for name in _DECIDES), claim.found.get("claim_text")]
            yield Unit(claim.id, (claim, edit), value_hash([decides, edit and [edit.after, edit.note]]))

    def work(self, inputs: Any) -> Result:
        """The edit decides; else, and where the latest edit is empty, the rules."""
        claim, edit = inputs
        made = clean(claim, self.rules, min_words=self.settings.min_words, max_words=self.settings.max_words)
        if edit is not None and edit.after.strip():
            made = by_hand(claim, edit, made, self.settings.min_words)
        return Result(drops=(made,)) if isinstance(made, Drop) else Result(records=(made,))


def by_hand(
    claim: Claim, edit: ClaimEdit, made: CleanedClaim | Drop, min_words: int = 3
) -> CleanedClaim | Drop:
    """What a person made of a claim: the text, free of doubts; `(drop)` takes the claim out.

    What the site's phrase said (`says:…`) stays on record. One doubt remains: fewer words than any claim has
    may be a slip of the file (another column read as the edit), and are not searched for.
    """
    if edit.after == DROP:
        return Drop("by_hand", edit.note)
    said = (
        ()
        if isinstance(made, Drop)
        else tuple(flag for flag in made.flags if not flag.startswith("needs_edit:"))
    )
    short = (TOO_SHORT,) if is_short(edit.after, min_words) else ()
    flags = (*short, *said)
    return CleanedClaim(
        id=claim.id, raw=claim.raw, text=edit.after, rules=(f"edit:{edit.number}",), flags=flags, by="hand"
    )


def is_short(text: str, min_words: int) -> bool:
    """Whether an edit has fewer words than a claim, by the measure of the rules; `(drop)` is none."""
    return text != DROP and len(words(text)) < min_words


def latest_edits(store: Store) -> dict[str, ClaimEdit]:
    """The edit with the highest number of each claim that has one."""
    found: dict[str, ClaimEdit] = {}
    for edit in store.all(ClaimEdit):
        known = found.get(edit.claim_id)
        if known is None or edit.number > known.number:
            found[edit.claim_id] = edit
    return found
