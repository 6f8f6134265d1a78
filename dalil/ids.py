"""Identifiers: short, stable, made from what a thing is and never from when it was seen."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from pydantic import BaseModel


def digest(data: bytes) -> str:
    """Content hash of bytes: `sha256:` and 64 hexadecimal digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def make_id(prefix: str, *parts: str) -> str:
    """An id such as `claim-k3vq…` (80 bits of SHA-256 over the parts, base 32).

    Parts are separated by a character that clean text never has, so ("ab", "c") and
    ("a", "bc") differ.
    """
    raw = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).digest()[:10]
    return f"{prefix}-{base64.b32encode(raw).decode('ascii').lower()}"


def canonical_json(value: Any) -> str:
    """One spelling of a value: sorted keys, no spaces, UTF-8 letters as they are."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain)


def value_hash(value: Any) -> str:
    """Hash over a value (records, lists, mappings, plain types): equal values, equal hash."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"no canonical JSON for {type(value).__name__}")
