"""Making a collection: documents go by one at a time, and the old collection stands until the end.

The index is made in a folder of its own beside the old one (`index-…`). When it is whole, manifest.json is
replaced in one step, and only then the old index goes. A build that is killed leaves the collection
as it was; the next build clears away what was left.

Documents sharing an id: the first stays. The same document again is counted (`repeated`); another
document under the id of an earlier one is a bad row (`id_taken`), because a search could not tell
which of them it found. Bad rows stop the build, or are skipped and listed where that is asked for.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import dalil
from dalil.collection import analysis
from dalil.collection.documents import Item, Problem, StoredDocument, days_of
from dalil.collection.jsonl import JsonlSource, Source
from dalil.collection.manifest import FILE, SKIPPED, Manifest, SourceFile
from dalil.collection.seen import Seen
from dalil.collection.tantivy_index import Entry, IndexWriter
from dalil.errors import InputError, StateError, UsageError
from dalil.ids import value_hash
from dalil.progress import Reporter, Silent
from dalil.records import utc_now
from dalil.state.lock import FILE as LOCK
from dalil.state.lock import stage_lock
from dalil.text.urls import host
from dalil.wording import counted

_PREFIX = "index-"


def build(
    files: Sequence[Path | Source],
    out: Path,
    *,
    name: str | None = None,
    skip_bad: bool = False,
    reporter: Reporter | None = None,
) -> Manifest:
    """Make the collection `out` from JSONL(.gz) files or other sources, in the place of an older one.

    `name` (by default the folder's) is part of the identity of documents without url. Raises
    UsageError (`out` is something else), InputError (an unreadable file, a bad row) and StateError
    (the disk); then the older collection is as it was.
    """
    sources = [JsonlSource(file) if isinstance(file, Path) else file for file in files]
    named = _name(name or out.resolve().name)
    was_there = out.exists()
    _prepare(out)
    try:
        with stage_lock(out, "index"):
            _clear(out, keep=_current(out))
            making = _Build(out / f"{_PREFIX}{uuid.uuid4().hex[:12]}", named, skip_bad, reporter or Silent())
            try:
                manifest = making.run(sources)
                manifest.write(out)
            except BaseException:
                making.discard()
                raise
            _clear(out, keep=manifest.index)
    except BaseException:
        if not was_there:
            shutil.rmtree(out, ignore_errors=True)
        raise
    return manifest


class _Build:
    """One build, into `folder`."""

    def __init__(self, folder: Path, name: str, skip_bad: bool, reporter: Reporter):
        self.folder = folder
        self.name = name
        self.skip_bad = skip_bad
        self.reporter = reporter
        self.writer = IndexWriter(folder)
        self.documents = 0
        self.counts: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.content = hashlib.sha256(f"{analysis.VERSION}\n".encode())
        self.days: list[int] = []

    def run(self, sources: Sequence[Source]) -> Manifest:
        self.reporter.begin("index")
        files = []
        with (
            Seen() as self.seen,
            (self.folder / SKIPPED).open("w", encoding="utf-8", newline="\n") as self.list,
        ):
            for source in sources:
                before = self.documents
                for item in source.read():
                    self._take(item)
                    self.reporter.step()
                count = self.documents - before
                files.append(
                    SourceFile(
                        name=source.path.name, sha256=source.sha256, bytes=source.size, documents=count
                    )
                )
            if not self.documents:
                where = ", ".join(str(source.path) for source in sources)
                why = ", ".join(f"{count} {reason}" for reason, count in self.skipped.items())
                raise InputError(
                    f"no documents ({why or 'nothing'} found)",
                    where=where or None,
                    todo="give files with documents",
                )
            self.writer.finish()
        manifest = self._manifest(files, sorted(set().union(*(source.ignored for source in sources))))
        self.reporter.done(f"index: {summary(manifest)}")
        return manifest

    def discard(self) -> None:
        """Leave nothing behind."""
        self.writer.discard()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _take(self, item: Item) -> None:
        if isinstance(item, Problem):
            self._skip(item)
            return
        stored = item.document.to_json()
        content = value_hash(stored)
        known = self.seen.met(item.document.id, content, item.where)
        if known is None:
            self._add(item.document, stored)
        elif known[0] == content:
            self._skip(Problem(item.where, "repeated", f"the same document as {known[1]}", bad=False))
        else:
            detail = f"another document has the id {item.document.id!r}: {known[1]}"
            self._skip(
                Problem(
                    item.where, "captured_again" if item.revisit else "id_taken", detail, bad=not item.revisit
                )
            )

    def _skip(self, problem: Problem) -> None:
        if problem.bad and not self.skip_bad:
            raise InputError(
                problem.detail, where=problem.where, todo="mend it, or leave out bad rows with --skip-bad"
            )
        self.skipped[problem.reason] += 1
        row = {"where": problem.where, "reason": problem.reason, "detail": problem.detail}
        self.list.write(json.dumps(row, ensure_ascii=False) + "\n")

    def _add(self, item: StoredDocument, stored: str) -> None:
        days = days_of(item.published) if item.published else None
        lead = item.lead or analysis.lead_of(item.body)
        self.writer.add(Entry(item.id, stored, item.title or "", lead, item.body, item.outlet, days))
        self.documents += 1
        self.content.update(stored.encode() + b"\n")
        self.counts["without_url"] += not usable_url(item.url)
        if days is None:
            self.counts["undated"] += 1
            self.counts["unreadable_dates"] += item.published_raw is not None
        else:
            self.days = [min(self.days[0], days[0]), max(self.days[1], days[1])] if self.days else list(days)

    def _manifest(self, files: list[SourceFile], ignored: list[str]) -> Manifest:
        from datetime import date

        first, last = (date.fromordinal(day).isoformat() for day in self.days) if self.days else (None, None)
        return Manifest(
            name=self.name,
            index=self.folder.name,
            revision=self.content.hexdigest()[:32],
            documents=self.documents,
            undated=self.counts["undated"],
            unreadable_dates=self.counts["unreadable_dates"],
            without_url=self.counts["without_url"],
            first_date=first,
            last_date=last,
            skipped=dict(sorted(self.skipped.items())),
            ignored_fields=tuple(ignored),
            files=tuple(files),
            engine=f"tantivy {version('tantivy')}",
            dalil=dalil.__version__,
            built_at=utc_now(),
        )


def usable_url(url: str | None) -> bool:
    """Whether this is an http(s) url of a possible host."""
    try:
        return url is not None and bool(host(url))
    except InputError:
        return False


def summary(manifest: Manifest) -> str:
    """One line for the user."""
    parts = [f"{counted(manifest.documents, 'document')}"]
    if manifest.undated:
        parts.append(f"{manifest.undated} undated")
    parts += [f"{count} {reason}" for reason, count in manifest.skipped.items()]
    return ", ".join(parts)


def _name(name: str) -> str:
    if not name or any(sign in name for sign in "/\\:") or name.strip() != name:
        raise UsageError(f"no name for a collection: {name!r}", todo="use letters, digits and hyphens")
    return name


def _prepare(out: Path) -> None:
    """Make the folder, or make sure that nothing but a collection is in it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        others = [one.name for one in out.iterdir() if not _ours(one.name)]
    except OSError as error:
        raise StateError(
            f"no collection can be made here: {error.strerror}", where=out, todo="choose another place"
        ) from error
    if others:
        raise UsageError(
            f"this folder holds something else ({sorted(others)[0]})",
            where=out,
            todo="give the collection a folder of its own",
        )


def _ours(name: str) -> bool:
    return name in (FILE, f"{FILE}.new", LOCK) or name.startswith(_PREFIX)


def _current(out: Path) -> str | None:
    """The index that the manifest names, of whatever version it is."""
    try:
        return str(json.loads((out / FILE).read_text("utf-8"))["index"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _clear(out: Path, keep: str | None) -> None:
    for folder in out.glob(f"{_PREFIX}*"):
        if folder.name != keep:
            shutil.rmtree(folder, ignore_errors=True)
