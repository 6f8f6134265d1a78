"""A corpus: a folder with `corpus.toml`, `corpus.db`, `warc/` and `release/`."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TypeVar

from pydantic import BaseModel

from dalil.config import FILE, Config
from dalil.errors import StateError, UsageError
from dalil.ids import value_hash
from dalil.state.store import Store

S = TypeVar("S", bound=BaseModel)
DATABASE = "corpus.db"


class Corpus:
    """An open corpus: `path`, `config`, `store`. Close it, or use it in a `with`."""

    def __init__(self, path: Path, config: Config, store: Store):
        self.path = path
        self.config = config
        self.store = store

    @classmethod
    def open(cls, path: Path | str, *, writable: bool = True) -> Corpus:
        """Open a corpus folder. Raises UsageError (configuration) or StateError (database).

        A folder with nothing but a corpus.toml (copied there, or left by an interrupted
        `dalil init`) gets its database when it is opened for writing.
        """
        folder = Path(path)
        config = Config.read(folder / FILE)
        if not _holds_something(folder / DATABASE):
            _make_database(folder, writable)
        return cls(folder, config, Store.open(folder / DATABASE, writable=writable))

    @classmethod
    def create(cls, path: Path | str, toml: str) -> Corpus:
        """Make a corpus in an empty or new folder. Raises UsageError where one is already."""
        folder = Path(path)
        if (folder / FILE).exists() or (folder / DATABASE).exists():
            raise UsageError("there is a corpus here already", where=folder, todo="choose another folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            draft = folder / f"{FILE}.new"
            draft.write_text(toml, "utf-8")
            draft.replace(folder / FILE)
            (folder / "warc").mkdir(exist_ok=True)
        except OSError as error:
            raise StateError(
                f"cannot make a corpus here: {error.strerror}",
                where=folder,
                todo="choose a folder you can write to",
            ) from error
        Store.create(folder / DATABASE).close()
        return cls.open(folder)

    def section(self, name: str, model: type[S]) -> S:
        """A section of corpus.toml, checked by the stage's model."""
        return self.config.section(name, model)

    def config_hash(self, names: tuple[str, ...]) -> str:
        """Hash over sections as written."""
        return value_hash([self.config.raw(name) for name in names])

    @property
    def warc(self) -> Path:
        """Folder of the WARC files."""
        return self.path / "warc"

    @property
    def release(self) -> Path:
        """Folder of releases."""
        return self.path / "release"

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _holds_something(database: Path) -> bool:
    """Whether a database file is there (a kill or a full disk can leave one of no length)."""
    return database.is_file() and database.stat().st_size > 0


def _make_database(folder: Path, writable: bool) -> None:
    """The database of a corpus that has none yet; where pages are stored, one has been lost."""
    if any((folder / "warc").glob("*.warc.gz")):
        raise StateError(
            "the database is missing or empty, and there are stored pages",
            where=folder / DATABASE,
            todo="bring it back, or load a dump into a new folder: dalil load DIR CORPUS",
        )
    if not writable:
        raise StateError(
            "this corpus has no database yet",
            where=folder,
            todo="run a stage, which makes it: dalil run CORPUS",
        )
    Store.create(folder / DATABASE).close()
