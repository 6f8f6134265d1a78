"""duplicates: one document under many urls becomes one article; its copies stay listed.

Two articles are joined by, in this order:

- `url`: their documents are one when AMP, mobile and print forms are folded
- `canonical`: the page of one names the other's url as its own, or both name the same
- `content`: title and text are the same, letter by letter
- `text`: word sequences are alike (MinHash proposes, exact Jaccard decides); headlines may differ,
  as wire stories are printed under many

A canonical link is an assertion that many sites get wrong (every page naming the front page), so a
link, and a print address, is believed only where title or text agrees.

Of each group one article is kept, the first by: already judged; the canonical page itself; the
earliest day (undated last); the longest text; id. The others are its copies if they are joined with
it, or as like it as the threshold says: a chain of likenesses does not make its ends copies.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from pydantic import Field

from dalil.config import Settings
from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.ids import value_hash
from dalil.records import Article, Copy, Pair
from dalil.stages import Reads, Result, Unit
from dalil.state.judged import held
from dalil.state.store import Store
from dalil.text.copies import near_duplicates, similarity
from dalil.text.normal import search_form
from dalil.text.urls import canonical_url

AGREES = 0.3
"""similarity from which a canonical link is believed though the titles differ"""

MANY = 20
"""articles that name one canonical url, from which only equal titles confirm it"""

_PRINT_PATH = re.compile(
    r"/(?:print|printpage|printarticle|newsprint|print-article|printable|print_version)(?:\.\w+)?(?=/|$)|"
    r"(?<=[/._-])print(?=\.\w+$|$)",
    re.I,
)
_PRINT_PAIR = re.compile(r"(?:print|printable|view|layout|tmpl)=(?:1|true|print|yes|component)", re.I)


class DuplicateSettings(Settings):
    """`[duplicates]` of corpus.toml."""

    threshold: float = Field(default=0.8, gt=0, le=1)
    """Jaccard similarity over sequences of three words from which two texts are one"""
    min_words: int = Field(default=20, ge=1)
    """texts shorter than this are compared letter by letter only: short notices resemble each other"""


@dataclass(frozen=True)
class Member:
    """An article with what decides whether, and of which other, it is a copy."""

    article: Article
    judged: bool = False

    @property
    def id(self) -> str:
        """The article's id."""
        return self.article.id

    @cached_property
    def own(self) -> str | None:
        """The url's identity."""
        return _identity(self.article.url)

    @cached_property
    def canonical(self) -> str | None:
        """The identity that the page claims."""
        return _identity(self.article.canonical_url)

    @cached_property
    def unprinted(self) -> str | None:
        """The url's identity without the marks of a print view."""
        if self.own is None:
            return None
        path, _, query = self.own.partition("?")
        kept = [pair for pair in query.split("&") if pair and not _PRINT_PAIR.fullmatch(pair)]
        return _PRINT_PATH.sub("", path).rstrip("/.-_") + ("?" + "&".join(kept) if kept else "")

    @property
    def preference(self) -> tuple[bool, bool, str, int, str]:
        """Sorts the one to keep first."""
        itself = self.canonical is None or self.canonical == self.own
        plain = itself and self.unprinted == self.own and not _is_variant(self.article.url)
        day = self.article.published or ""
        return (
            not self.judged,
            not plain,
            day if len(day) == 10 else "9999",
            -len(self.article.text),
            self.id,
        )


class FindCopies:
    """One unit for the whole corpus."""

    NAME: ClassVar[str] = "duplicates"
    VERSION: ClassVar[str] = "1"
    READS: ClassVar[Reads] = Reads(config=("duplicates",))
    WRITES: ClassVar[tuple[type[Copy], ...]] = (Copy,)

    def __init__(self, corpus: Corpus):
        self.settings = corpus.section("duplicates", DuplicateSettings)

    def keys(self, store: Store) -> Iterator[Unit]:
        """The corpus, where it has articles.

        An article's id holds its content's hash, so texts are not hashed again.
        """
        asked = held(store)
        judged = {pair.article_id for pair in store.all(Pair) if pair.id in asked} if asked else set()
        members = [Member(article, article.id in judged) for article in store.all(Article)]
        if not members:
            return
        # a judgement alone changes no group: it only decides who is kept when one changes
        digest = value_hash(
            [[m.id, m.article.url, m.article.canonical_url, m.article.published] for m in members]
        )
        yield Unit("corpus", members, digest)

    def work(self, inputs: list[Member]) -> Result:
        """All members to copies."""
        return Result(records=tuple(copies(inputs, self.settings)))


def copies(members: Iterable[Member], settings: DuplicateSettings) -> list[Copy]:
    """A Copy for every article that is another one again, sorted by id. Deterministic in any order."""
    by_id = {member.id: member for member in sorted(members, key=lambda each: each.id)}
    joins = [*_by_address(by_id), *_by_content(by_id), *_by_text(by_id, settings)]
    found: list[Copy] = []
    for group, reasons in _groups(by_id, joins):
        found.extend(_of_group(group, reasons, settings))
    return sorted(found, key=lambda each: each.id)


Join = tuple[str, str, str]
"""two ids, and why they are one"""


def _by_address(members: dict[str, Member]) -> Iterator[Join]:
    """The same url, or a canonical link or print view of it that title or text confirms."""
    named: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for member in members.values():
        for why, key in (("url", member.own), ("canonical", member.canonical), ("print", member.unprinted)):
            if key is not None and (why == "url" or key != member.own):
                named[key].append((member.id, why))
    for holders in named.values():
        ids = sorted({key for key, _ in holders})
        for place, first in enumerate(ids):
            for second in ids[place + 1 :]:
                if _agree(members[first].article, members[second].article, titles_only=len(ids) > MANY):
                    both = {why for key, why in holders if key in (first, second)}
                    yield first, second, "canonical" if "canonical" in both else "url"


def _by_content(members: dict[str, Member]) -> Iterator[Join]:
    last: dict[str, str] = {}
    for member in members.values():
        known = last.get(member.article.content_hash)
        if known is not None:
            yield known, member.id, "content"
        last[member.article.content_hash] = member.id


def _by_text(members: dict[str, Member], settings: DuplicateSettings) -> Iterator[Join]:
    long = (
        (m.id, m.article.text) for m in members.values() if len(m.article.text.split()) >= settings.min_words
    )
    for cluster in near_duplicates(long, settings.threshold):
        for other, _ in cluster.copies:
            yield cluster.of, other, "text"


def _groups(
    members: dict[str, Member], joins: list[Join]
) -> Iterator[tuple[list[Member], dict[frozenset[str], str]]]:
    """Connected articles, the one to keep first, with the reason of each direct join."""
    parents = {key: key for key in members}

    def root(key: str) -> str:
        while parents[key] != key:
            parents[key] = parents[parents[key]]
            key = parents[key]
        return key

    reasons: dict[frozenset[str], str] = {}
    for first, second, why in joins:
        reasons.setdefault(frozenset((first, second)), why)
        parents[root(second)] = root(first)
    together: dict[str, list[Member]] = defaultdict(list)
    for key, member in members.items():
        together[root(key)].append(member)
    for group in together.values():
        if len(group) > 1:
            yield sorted(group, key=lambda each: each.preference), reasons


def _of_group(
    group: list[Member], reasons: dict[frozenset[str], str], settings: DuplicateSettings
) -> Iterator[Copy]:
    """The best is kept, those like it are its copies; what is left begins again."""
    while len(group) > 1:
        kept, rest = group[0], []
        for other in group[1:]:
            alike = similarity(kept.article.text, other.article.text)
            why = _why(kept, other, reasons.get(frozenset((kept.id, other.id))), alike, settings)
            if why is None:
                rest.append(other)
            else:
                yield Copy(id=other.id, of=kept.id, why=why, similarity=round(alike, 4))
        group = rest


def _why(
    kept: Member, other: Member, joined: str | None, alike: float, settings: DuplicateSettings
) -> str | None:
    if joined in ("url", "canonical", "content"):
        return joined
    if kept.article.content_hash == other.article.content_hash:
        return "content"
    keys = {kept.own, kept.unprinted} - {None}
    if _agree(kept.article, other.article):
        if keys & {other.own, other.unprinted}:
            return "url"
        if (keys | {kept.canonical}) & ({other.own, other.canonical} - {None}):
            return "canonical"
    return "text" if alike >= settings.threshold else None


def _agree(first: Article, second: Article, *, titles_only: bool = False) -> bool:
    """Whether title or text confirms that two pages are one."""
    titles = {search_form(item.title or "") for item in (first, second)}
    if len(titles) == 1 and titles != {""}:
        return True
    return not titles_only and similarity(first.text, second.text) >= AGREES


def _identity(url: str | None) -> str | None:
    try:
        return canonical_url(url) if url else None
    except InputError:
        return None


def _is_variant(url: str | None) -> bool:
    """Whether a url is of an AMP or mobile page."""
    return bool(
        url and re.search(r"//(?:m|mobile|amp)\.|/amp(?:/|$|\?)|\.amp(?:\.|$)|[?&]amp(?:=1|&|$)", url, re.I)
    )
