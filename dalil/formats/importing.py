"""An import: rows of a file into a corpus, all in one transaction; nothing that is there is altered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from dalil.corpus import Corpus
from dalil.errors import InputError
from dalil.formats import Format
from dalil.formats.columns import nearest
from dalil.formats.comparing import compare, silent
from dalil.formats.drops import Drops
from dalil.formats.making import Maker
from dalil.formats.rows import Bad, BadField, Nothing, Options, Unused
from dalil.progress import Reporter
from dalil.records import Annotation, Article, Claim, Decision, Record, SearchPage
from dalil.state.judged import SHOWN
from dalil.state.lock import stage_lock
from dalil.state.store import Writer
from dalil.state.tables import TABLES
from dalil.text.normal import search_form

BATCH = 200
FEW_WORDS = 2
"""words of what can hardly be an article: an id, a title or a label in the wrong column"""
HOW = "import"
_FILLED = (Claim, Article)
"""records that may be given what they lack; a judgement is never touched"""
SEEN = (Annotation, Decision)
"""what says that people saw the texts of a pair (an imported final label does not)"""
_PLACES = frozenset(("origin", "found"))
"""fields that say where a record came from, and may differ between two files with the same record"""
_ONE_EACH: dict[type[Record], frozenset[str]] = {
    Claim: frozenset(),
    Article: frozenset(("text", "url")),  # its id holds the text and the document
    Annotation: frozenset(),
    SearchPage: frozenset(),
}
"""records that a file may state as often as it likes, but always the same, those fields aside"""


@dataclass
class Report:
    """What came of an import."""

    format: str
    kind: str
    rows: int = 0
    new: Counter[str] = field(default_factory=Counter)
    """table → records that are new"""
    known: Counter[str] = field(default_factory=Counter)
    """table → records that were there already"""
    differing: dict[str, list[str]] = field(default_factory=dict)
    """id of a record that is there and says something else, and was left as it is → the fields"""
    lacking: dict[str, list[str]] = field(default_factory=dict)
    """id of a record that is there and lacks what the file says → the fields"""
    filled: bool = False
    """whether `lacking` was given to the records"""
    held: dict[str, list[str]] = field(default_factory=dict)
    """id of a record that was judged, and is not given what people would then not have seen → the fields"""
    stages: Counter[str] = field(default_factory=Counter)
    """stage → records of its own that were filled, and that it may make anew without that"""
    skipped: list[Bad] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    """reason → records that hold no row"""
    settled: int = 0
    """rows that an earlier import of the file left out, and that are mended or gone"""
    short: dict[str, tuple[str, str]] = field(default_factory=dict)
    """id of an article of a word or two → where it stands, and its text"""
    unused: dict[str, str | None] = field(default_factory=dict)
    """column that nothing is read from → the known one that may have been meant"""
    same_words: dict[str, str] = field(default_factory=dict)
    """id of a new claim → another that was there with the same words (in the search form)"""
    unread: Counter[str] = field(default_factory=Counter)
    """printed verdict that no table knows → claims, whose veracity is unknown"""

    def look_at(self, where: str, records: list[Record]) -> None:
        """Remember the articles among a row's records that hardly are any."""
        for record in records:
            if isinstance(record, Article) and len(record.text.split()) <= FEW_WORDS:
                self.short.setdefault(record.id, (where, record.text))

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "format": self.format,
            "kind": self.kind,
            "rows": self.rows,
            "new": dict(sorted(self.new.items())),
            "known": dict(sorted(self.known.items())),
            "differing": [{"id": key, "fields": names} for key, names in self.differing.items()],
            "lacking": [{"id": key, "fields": names} for key, names in self.lacking.items()],
            "filled": self.filled,
            "held": [{"id": key, "fields": names} for key, names in self.held.items()],
            "filled_of_stages": dict(sorted(self.stages.items())),
            "skipped": [{"where": b.where, "field": b.field, "reason": b.reason} for b in self.skipped],
            "dropped": dict(sorted(self.dropped.items())),
            "settled": self.settled,
            "short_articles": [where for where, _ in self.short.values()],
            "unused_columns": sorted(self.unused),
            "same_words": dict(sorted(self.same_words.items())),
            "unknown_verdicts": dict(self.unread.most_common()),
        }


def import_rows(
    corpus: Corpus,
    path: Path,
    kind: str,
    reader: Format,
    *,
    options: Options,
    engine: str | None = None,
    skip_bad: bool = False,
    fill: bool = False,
    reporter: Reporter | None = None,
) -> Report:
    """Read a file into a corpus. Raises InputError naming file, line, field and reason of a bad row.

    All or nothing, unless `skip_bad`: then bad rows are listed in the report and among the drops.
    Importing a file again changes nothing. With `fill`, claims and articles that are there get what they
    lack and the file says; what they have is never changed, nor what people saw when they judged.
    """
    report = Report(reader.NAME, kind, filled=fill)
    maker = Maker(reader.NAME, options.site, engine, corpus.path)
    with stage_lock(corpus.path, f"import {kind}"), corpus.store.transaction() as writer:
        adding = _Adding(writer, report)
        drops = Drops(writer, path, kind, corpus.path)
        if reporter is not None:
            reporter.begin(f"import {kind}")
        for item in reader.read(path, kind, options):
            if isinstance(item, Unused):
                report.unused = {name: nearest(name, item.free) for name in item.columns}
                continue
            if isinstance(item, Nothing):
                report.dropped[item.reason] += 1
                drops.add(item.where, item.reason, item.detail)
                continue
            bad = item if isinstance(item, Bad) else None
            made: list[Record] = []
            if bad is None and not isinstance(item, Bad):
                try:
                    made = list(maker.records(item))
                    adding.agree(item.where, made)
                except BadField as error:
                    bad = Bad(item.where, error.name, error.reason)
            if bad is not None:
                if not skip_bad:
                    raise refused(bad)
                report.skipped.append(bad)
                drops.add(bad.where, "bad_row", f"{bad.field}: {bad.reason}")
                continue
            report.rows += 1
            report.look_at(item.where, made)
            for record in made:
                adding.add(record)
            if reporter is not None:
                reporter.step()
        adding.flush()
        adding.compare_words()
        drops.settle(report)
    report.unread = maker.unread
    if not report.rows and not report.skipped and not report.dropped:
        raise InputError(
            f"no {kind} in this file", where=path, todo="check the file, or name its format with --format"
        )
    return report


def refused(bad: Bad) -> InputError:
    """The error of a bad row."""
    return InputError(
        f"{bad.field} {bad.reason}",
        where=bad.where,
        todo="nothing was imported: mend it, or add --skip-bad to leave such rows out",
    )


class _Adding:
    """Puts records into the transaction, a batch at a time, and compares what is there already."""

    def __init__(self, writer: Writer, report: Report):
        self.writer = writer
        self.report = report
        self.waiting: dict[type[Record], dict[str, Record]] = {}
        self.count = 0
        self.mine: dict[type[Record], set[str]] = {}
        """ids that this import has met"""
        self.stated: dict[str, tuple[str, dict[str, Any]]] = {}
        """id → where this import met it first, and what it said"""
        self.words: dict[str, str] = {}
        """new claim → its words in the search form"""

    def agree(self, where: str, records: list[Record]) -> None:
        """Raise BadField where a row says something else of a thing than an earlier row of the file.

        Of two rows with one id only one could be kept: the other must not vanish without a word.
        """
        for record in records:
            if type(record) not in _ONE_EACH:
                continue
            aside = _ONE_EACH[type(record)]
            says = {name: value for name, value in _content(record).items() if name not in aside}
            first, said = self.stated.setdefault(record.id, (where, says))
            differing = next((n for n in says if says[n] != said[n] and not silent(record, n)), None)
            if differing is not None:
                what = type(record).__name__.lower()
                raise BadField(differing, f"differs from that of the same {what} at {first}")

    def add(self, record: Record) -> None:
        """Keep a record for the next batch; the first of an id counts."""
        waiting = self.waiting.setdefault(type(record), {})
        if record.id not in waiting:
            waiting[record.id] = record
            self.count += 1
        if self.count >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        for kind, records in self.waiting.items():
            mine = self.mine.setdefault(kind, set())
            there = self._there(kind, list(records))
            new = [record for key, record in records.items() if key not in there]
            self.writer.put(new)  # none of them is there: nothing is replaced
            self.report.new[kind.TABLE] += len(new)
            self.words |= {one.id: search_form(one.raw) for one in new if isinstance(one, Claim)}
            lacking: dict[str, list[str]] = {}
            for key, stored in there.items():
                if key in mine:
                    continue
                self.report.known[kind.TABLE] += 1
                other, more = compare(stored, records[key])
                if other:
                    self.report.differing[key] = other
                if more:
                    lacking[key] = more
            if self.report.filled and kind in _FILLED:
                self._hold(kind, lacking)
                for key, more in lacking.items():
                    self._fill(there[key], records[key], more)
                self._told_of_stages(kind, list(lacking))
            self.report.lacking |= lacking
            mine.update(records)
        self.waiting = {}
        self.count = 0

    def compare_words(self) -> None:
        """Find new claims with the words of one that was there, under another id: a mended file's, often."""
        if not self.words:
            return
        table = TABLES[Claim]
        there: dict[str, str] = {}
        for row in self.writer.connection.execute(sa.select(table.c.id, table.c.raw).order_by(table.c.id)):
            if row.id not in self.words:
                there.setdefault(search_form(row.raw), row.id)
        self.report.same_words = {key: there[form] for key, form in self.words.items() if form in there}

    def _hold(self, kind: type[Record], lacking: dict[str, list[str]]) -> None:
        """Take out what people saw of those that they judged."""
        for key in sorted(self.writer.judged.ids(kind, lacking, SEEN)):
            held = [name for name in lacking[key] if name in SHOWN[kind]]
            if held:
                self.report.held[key] = held
                lacking[key] = [name for name in lacking[key] if name not in held]
            if not lacking[key]:
                del lacking[key]

    def _told_of_stages(self, kind: type[Record], keys: list[str]) -> None:
        """Count the records that a stage made: it may make them anew."""
        owner = TABLES[kind].c.owner_stage
        query = sa.select(owner).where(TABLES[kind].c.id.in_(keys), owner.is_not(None))
        self.report.stages.update(row[0] for row in self.writer.connection.execute(query))

    def _fill(self, stored: Record, given: Record, names: list[str]) -> None:
        """Give a record what it lacks; what it has, and whose it is, stay."""
        values: dict[str, Any] = {name: getattr(given, name) for name in names}
        values |= {f"{name}_from": HOW for name in names if f"{name}_from" in type(stored).model_fields}
        if "found" in type(stored).model_fields:
            values["found"] = {**stored.model_dump()["found"], **dict.fromkeys(names, HOW)}
        table = TABLES[type(stored)]
        self.writer.connection.execute(sa.update(table).where(table.c.id == stored.id).values(values))

    def _there(self, kind: type[Record], keys: list[str]) -> dict[str, Record]:
        table = TABLES[kind]
        query = sa.select(*(table.c[name] for name in kind.model_fields)).where(table.c.id.in_(keys))
        rows = self.writer.connection.execute(query)
        return {row.id: kind.model_validate(dict(row._mapping)) for row in rows}


def _content(record: Record) -> dict[str, Any]:
    """What a record says, without when and where from."""
    return record.model_dump(exclude=set(record.volatile() | _PLACES), mode="json")
