"""People, their personal links, and who may judge what."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable
from typing import Any

from annotation.rounds.kinds import EVERYBODY
from annotation.rounds.reading import Item, found, items
from annotation.rounds.telling import Told
from annotation.rounds.writing import Inside, writing
from dalil.errors import UsageError
from dalil.records import Assignment, Person, fit_text, utc_now
from dalil.state.store import Store, Writer

ROLES = ("annotator", "adjudicator", "lead")
LONGEST_NAME = 80
LEFT = "left"
"""why an assignment was taken back from somebody who left"""
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def clean_name(name: str) -> str:
    """A name fit to be shown and kept. Raises UsageError for an empty, endless or invisible one."""
    cleaned = " ".join(fit_text(name).split())
    if not cleaned or len(cleaned) > LONGEST_NAME:
        raise Told(
            "fail_name",
            f"a name has 1 to {LONGEST_NAME} letters",
            todo="give another name",
            most=LONGEST_NAME,
        )
    if any(unicodedata.category(letter) in _INVISIBLE for letter in cleaned):
        raise Told(
            "fail_invisible",
            f"the name {cleaned!r} has invisible or direction-changing characters",
            todo="write it without them",
            name=cleaned,
        )
    return cleaned


def clean_languages(given: Iterable[str]) -> tuple[str, ...]:
    """Codes of languages, each once. Raises UsageError for what is no code: it would bar every pair."""
    found = _without_blanks(given)
    for name in found:
        if not _LANGUAGE.fullmatch(name):
            raise Told(
                "fail_language",
                f"{name!r} is no code of a language",
                todo="give the code that claims have, as ar or en",
                name=name[:LONGEST_NAME],
            )
    return found


def _without_blanks(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in given if name.strip()))


def secret_hash(secret: str) -> str:
    """What is stored of a link's secret (which is random and long, so one plain hash is enough)."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def invite(
    store: Store,
    name: str,
    *,
    role: str | None = None,
    expert: bool | None = None,
    languages: Iterable[str] | None = None,
    capacity: int | None = None,
    excluded: Iterable[str] | None = None,
) -> tuple[Person, str]:
    """Add somebody, or give somebody known a new link (the old one ends). Returns the link's secret, once.

    What is not given stays as it was; languages or exclusions without any are all and none again. Who had
    left goes on with training, test and pilot where they stopped. Raises UsageError for a bad name, role,
    capacity or language.
    """
    key = clean_name(name)
    if role is not None and role not in ROLES:
        raise UsageError(f"no role {role!r}", todo=f"one of {', '.join(ROLES)}")
    if capacity is not None and capacity < 0:
        raise UsageError(f"a capacity of {capacity} makes no sense", todo="give a number of pairs")
    secret = secrets.token_urlsafe(24)
    changes = {
        "role": role,
        "expert": expert,
        "languages": clean_languages(languages) if languages is not None else None,
        "capacity": capacity,
        "excluded": _without_blanks(excluded) if excluded is not None else None,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    with writing(store) as writer:
        known = next(iter(found(writer.connection, Person, id=key)), None) or Person(id=key, at=utc_now())
        person = known.model_copy(update=given | {"invitation": secret_hash(secret), "left": False})
        writer.put([person])
        if known.left:
            _give_back(store, writer, person)
    return person, secret


def _give_back(store: Store, writer: Writer, person: Person) -> None:
    """Somebody comes back: what everybody is given (it went to nobody else) is theirs again."""
    held = [
        one
        for one in found(writer.connection, Assignment, annotator=person.id)
        if one.withdrawn == LEFT and one.round in EVERYBODY
    ]
    known = items(Inside(store, writer.connection), [one.pair_id for one in held])
    writer.put(
        one.model_copy(update={"withdrawn": None})
        for one in held
        if one.pair_id in known and may_judge(person, known[one.pair_id])
    )


def revoke(store: Store, name: str) -> Person:
    """End somebody's link and sessions. Raises UsageError for an unknown name."""
    with writing(store) as writer:
        return change(writer, name, invitation=None)


def clear(store: Store, name: str) -> Person:
    """Let somebody work whatever the qualification said. Raises UsageError for an unknown name."""
    with writing(store) as writer:
        return change(writer, name, cleared=True)


def change(writer: Writer, name: str, **values: Any) -> Person:
    """Change somebody within a transaction, which reads them anew: nobody else's change is undone.

    Raises UsageError when there is nobody of that name.
    """
    known = next(iter(found(writer.connection, Person, id=name)), None)
    if known is None:
        raise nobody_called(name)
    person = known.model_copy(update=values)
    writer.put([person])
    return person


def known_person(store: Store, name: str) -> Person:
    """Somebody by name. Raises UsageError when there is nobody of that name."""
    person = store.get(Person, name)
    if person is None:
        raise nobody_called(name)
    return person


def nobody_called(name: str) -> UsageError:
    """The error for an unknown name."""
    todo = "see who there is: dalil annotate people CORPUS"
    return Told("fail_nobody_called", f"there is nobody called {name!r}", todo=todo, name=name[:LONGEST_NAME])


def by_secret(store: Store, secret: str) -> Person | None:
    """Whose link this is; None where it is nobody's (any more)."""
    digest = secret_hash(secret)
    person = next(store.all(Person, invitation=digest), None)
    return person if person and secrets.compare_digest(person.invitation or "", digest) else None


def may_judge(person: Person, item: Item) -> bool:
    """Whether language and exclusions let somebody judge an item."""
    speaks = not person.languages or item.language in person.languages
    return speaks and not person.left and not item.barred(person.excluded)


def annotators(store: Store) -> list[Person]:
    """Those who annotate and have not left, by name."""
    return [person for person in store.all(Person, role="annotator") if not person.left]
