"""Secrets: read from the environment alone, and kept out of everything that is stored or shown.

Every secret read through `secret` is remembered for this process; `redact` takes it out of a text
in each form that a request or an error can carry it: plain, percent-encoded (also twice), as JSON
string, in base64 (Basic authorization). What merely looks like a key (`…key=…`, `token=…`,
`Bearer …`) goes too, known or not.
"""

from __future__ import annotations

import base64
import json
import os
import re
from typing import Any
from urllib.parse import quote, quote_plus

from dalil.errors import UsageError

HIDDEN = "***"
SHORTEST = 4
"""letters: a shorter value would hide ordinary text, and is no secret"""
_known: dict[str, tuple[str, ...]] = {}

_NAMES = (
    r"(?:api[_-]?key|apikey|key|access[_-]?token|auth[_-]?token|token|client[_-]?secret|secret|password|passwd"
    r"|signature|sig)"
)
_PARAMETER = re.compile(rf"(?i)(?<![\w-])({_NAMES})(=|%3D|%253D)(?!\*\*\*)[^&\s\"'<>#;,)]+")
_FIELD = re.compile(rf"(?i)([\"'](?:x-[\w-]*)?{_NAMES}[\"']\s*:\s*)([\"'])(?!\*\*\*)(?:\\.|(?!\2).)+\2")
_BEARER = re.compile(r"(?i)\b(bearer|basic)(\s+|%20)(?!\*\*\*)[\w.~+/%=-]{6,}")
_USERINFO = re.compile(r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@:]+:[^\s/@]+@")


def secret(variable: str, *, what: str) -> str:
    """The value of an environment variable; `what` says what it is for, in the error.

    Raises UsageError when it is not set, or too short to be one.
    """
    value = os.environ.get(variable, "").strip()
    if len(value) < SHORTEST:
        problem = "is not set" if not value else f"has fewer than {SHORTEST} letters"
        raise UsageError(f"the {what} {problem}", where=variable, todo=f"export {variable}=…")
    remember(value)
    return value


def remember(value: str) -> None:
    """Hide this value from now on. Raises ValueError for one too short to hide."""
    if len(value) < SHORTEST:
        raise ValueError("a secret this short cannot be told from text")
    if value not in _known:
        _known[value] = _forms(value)


def redact(text: str) -> str:
    """A text without secrets: `***` in their place."""
    for forms in _known.values():
        for form in forms:
            if form in text:
                text = text.replace(form, HIDDEN)
    text = _PARAMETER.sub(rf"\1\2{HIDDEN}", text)
    text = _FIELD.sub(rf"\1\2{HIDDEN}\2", text)
    text = _BEARER.sub(rf"\1\2{HIDDEN}", text)
    return _USERINFO.sub(rf"\1{HIDDEN}@", text)


def redact_value(value: Any) -> Any:
    """`redact` over every string inside a value; names of fields too."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact_value(key): _field(key, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(redact_value(item) for item in value)
    return value


def redact_known(text: str) -> str:
    """A text without the secrets of this process; what only looks like one stays (page addresses)."""
    for forms in _known.values():
        for form in forms:
            text = text.replace(form, HIDDEN)
    return text


def forget_all() -> None:
    """Forget every secret (tests)."""
    _known.clear()


def _field(name: Any, value: Any) -> Any:
    if (
        isinstance(name, str)
        and isinstance(value, str)
        and re.fullmatch(rf"(?i)(?:x-[\w-]*)?{_NAMES}|authorization", name)
    ):
        return HIDDEN
    return redact_value(value)


def _forms(value: str) -> tuple[str, ...]:
    """The spellings of a secret, longest first."""
    raw = value.encode("utf-8", "surrogatepass")
    percent = {
        quote(value, safe="", errors="surrogatepass"),
        quote(value, errors="surrogatepass"),
        quote_plus(value, errors="surrogatepass"),
    }
    forms = {value, *percent, *(quote(form, safe="") for form in percent)}
    forms |= {re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), form) for form in set(forms) - {value}}
    forms |= {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]}
    forms |= {
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode(),
        base64.b64encode(b":" + raw).decode(),
    }
    return tuple(sorted((form for form in forms if len(form) >= SHORTEST), key=len, reverse=True))
