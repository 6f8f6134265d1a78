"""What people accept before the first item: information sheet and guidelines, each with its version."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation.rounds.paid import spent
from annotation.rounds.settings import AnnotateSettings
from annotation.rounds.writing import writing
from annotation.schemes import Scheme
from dalil.errors import InputError, UsageError
from dalil.ids import make_id
from dalil.records import Consent, Notice, utc_now
from dalil.state.store import Store

INFORMATION, GUIDELINES = "information", "guidelines"


@dataclass(frozen=True)
class Notices:
    """The present versions."""

    found: Mapping[str, Notice]

    @property
    def kinds(self) -> tuple[str, ...]:
        """In the order in which they are accepted."""
        return tuple(kind for kind in (INFORMATION, GUIDELINES) if kind in self.found)

    def version(self, kind: str) -> str:
        """The present version."""
        return self.found[kind].version

    def text(self, kind: str, language: str) -> str:
        """Markdown in a language, else in whatever there is."""
        texts: Mapping[str, str] = self.found[kind].texts
        return texts.get(language) or next((text for text in texts.values() if text), "")


def notices(store: Store, own: AnnotateSettings, scheme: Scheme, folder: Path) -> Notices:
    """Read the notices and keep every version that is shown.

    Raises UsageError where a text has changed and its version has not: what somebody accepted must be known.
    """
    made = [
        _information(own, folder),
        _notice(
            GUIDELINES,
            f"{scheme.name}-{scheme.guidelines.version}",
            {"ar": scheme.guidelines.ar.strip(), "en": scheme.guidelines.en.strip()},
        ),
    ]
    for notice in made:
        known = store.get(Notice, notice.id)
        if known is not None and known.texts != notice.texts:
            raise UsageError(
                f"the {notice.kind} text has changed but is still called version {notice.version}",
                where=_written(own.information if notice.kind == INFORMATION else own.scheme, folder),
                todo="raise its version: people are then asked to read it again",
            )
    with writing(store) as writer:
        writer.put_new(made)
    return Notices({notice.kind: notice for notice in made if any(notice.texts.values())})


def accept(store: Store, person: str, kind: str, version: str, seconds: float = 0.0) -> None:
    """Somebody accepts a version; accepting again changes nothing. Reading is paid time."""
    key = make_id("consent", person, kind, version)
    consent = Consent(id=key, person=person, kind=kind, version=version, at=utc_now())
    with writing(store) as writer:
        writer.put_new([consent, spent(key, person, kind, seconds)])


def _written(name: str | None, folder: Path) -> Path | str | None:
    """Where a text stands: the file that the settings name beside the corpus, or what is shipped."""
    return folder / name if name is not None and (folder / name).is_file() else name


def _information(own: AnnotateSettings, folder: Path) -> Notice:
    from dalil.resources import data

    path = folder / own.information if own.information else data("annotate", "information.toml")
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise UsageError(
            "no such information sheet", where=path, todo="mend information under [annotate] in corpus.toml"
        ) from error
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read as TOML ({error})", where=path) from error
    version, texts = content.get("version"), content.get("text")
    said = texts if isinstance(texts, dict) else {}
    if (
        not isinstance(version, str)
        or not version.strip()
        or not all(isinstance(t, str) for t in said.values())
    ):
        raise InputError('needs version = "…" and [text] with ar or en', where=path)
    if not any(text.strip() for text in said.values()):
        raise InputError(
            "the sheet is empty, and nobody judges before accepting one",
            where=path,
            todo='write [text] ar = "…", en = "…" or both',
        )
    return _notice(INFORMATION, version, {key: value.strip() for key, value in said.items()})


def _notice(kind: str, version: str, texts: dict[str, str]) -> Notice:
    return Notice(id=make_id("notice", kind, version), kind=kind, version=version, texts=texts)
