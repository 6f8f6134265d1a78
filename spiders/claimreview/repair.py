"""The repair ladder for one JSON-LD script: from leaving it alone to salvaging whole objects.

Each rung is tried on the script as it came; the first that reads all of it wins. Where none does,
the objects that can be read whole are kept, and `complete` says that something was lost.
"""

from __future__ import annotations

import html
import json
import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LARGEST = 1_000_000
"""characters of a script that are looked at"""
SALVAGED = 200
"""places of a broken script at which an object is looked for"""

_AROUND = " \t\r\n\f\v\u00a0\u200b\ufeff;"
_OPENS = re.compile(r"<!--|(?://\s{0,20}|/\*\s{0,20})?<!\[CDATA\[(?:\s{0,20}\*/)?")
_ENDS = re.compile(r"(?:(?://\s{0,20})?-->|(?://\s{0,20}|/\*\s{0,20})?\]\]>(?:\s{0,20}\*/)?)$")
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_COMMENT = re.compile(r"(?m)^[ \t]*//.*$|(?<=[,{\[}\]])[ \t]*//[^\"\n]*$|/\*[^\"]{0,500}?\*/")
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_SINGLE_OPENS = re.compile(r"[:\[,{]\s{0,200}'")
_SINGLE_CLOSES = re.compile(r"(?<!\\)'(?=\s{0,200}[,:}\]])")
_CLOSES = re.compile(r'\s*(?:[:}\]]|,\s*(?:["{\[\]}]|-?\d|true|false|null|//)|$)')


@dataclass(frozen=True)
class Parsed:
    """What one script holds: its values, which rung read it, and whether that was all of it."""

    values: tuple[Any, ...]
    rung: str
    complete: bool


def parse(text: str) -> Parsed:
    """The values in one script. Never raises; an empty script has none and is complete."""
    text = text[:LARGEST]
    if not _unwrapped(text):
        return Parsed((), "empty", True)
    best = Parsed((), "unreadable", False)
    for rung, repair in _LADDER:
        values, complete = _read(repair(text))
        if complete and values:
            return Parsed(tuple(values), rung, True)
        if len(values) > len(best.values):
            best = Parsed(tuple(values), rung, False)
    salvaged = _salvaged(_mended(text))
    return Parsed(tuple(salvaged), "salvaged", False) if len(salvaged) > len(best.values) else best


def _unwrapped(text: str) -> str:
    """Without byte order marks, comment and CDATA wrappers, and a trailing semicolon."""
    while True:
        before = text
        text = text.strip(_AROUND)
        opening = _OPENS.match(text)
        text = text[opening.end() :] if opening else text
        ending = _ENDS.search(text, max(0, len(text) - 60))
        text = text[: ending.start()] if ending else text
        if text == before:
            return text


def _mended(text: str) -> str:
    """Without comments, trailing commas, escapes that JSON does not know."""
    text = _BAD_ESCAPE.sub(r"\\\\", _COMMENT.sub("", _unwrapped(text)))
    return _TRAILING_COMMA.sub("", text)


def _unescaped(text: str) -> str:
    """`&quot;`-encoded JSON, decoded once."""
    return _mended(html.unescape(text))


def _double_quoted(text: str) -> str:
    """Values in single quotation marks (JavaScript's, not JSON's) in double ones."""

    text = _mended(text)
    closes = [match.start() for match in _SINGLE_CLOSES.finditer(text)]
    out: list[str] = []
    at = 0
    while (opening := _SINGLE_OPENS.search(text, at)) is not None:
        place = bisect_left(closes, opening.end())
        if place == len(closes):
            break
        inside = text[opening.end() : closes[place]].replace("\\'", "'").replace('\\"', '"')
        out += (text[at : opening.end() - 1], json.dumps(inside, ensure_ascii=False))
        at = closes[place] + 1
    return "".join((*out, text[at:]))


def _requoted(text: str) -> str:
    """Quotation marks inside strings escaped: one closes its string only before what may follow one."""
    text = _mended(text)
    out: list[str] = []
    inside = False
    at = 0
    while at < len(text):
        char = text[at]
        if inside and char == "\\":
            out.append(text[at : at + 2])
            at += 2
            continue
        if char == '"':
            if not inside:
                inside = True
            elif _CLOSES.match(text, at + 1):
                inside = False
            else:
                char = '\\"'
        out.append(char)
        at += 1
    return "".join(out)


_LADDER: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("plain", lambda text: text),
    ("unwrapped", _unwrapped),
    ("mended", _mended),
    ("unescaped", _unescaped),
    ("single-quoted", _double_quoted),
    ("requoted", _requoted),
)


def _read(text: str) -> tuple[list[Any], bool]:
    """Values one after the other, and whether nothing else is there."""
    decoder = json.JSONDecoder(strict=False)  # raw newlines inside strings
    values: list[Any] = []
    at = _skip(text, 0)
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return values, False
        if isinstance(value, (dict, list)):
            values.append(value)
        at = _skip(text, at)
    return values, True


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n;,":
        at += 1
    return at


def _salvaged(text: str) -> list[Any]:
    """Every object that can be read whole, from the outside in."""
    decoder = json.JSONDecoder(strict=False)
    values: list[Any] = []
    at = text.find("{")
    tries = 0
    while at != -1 and tries < SALVAGED:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        values.append(value)
        at = text.find("{", end)
    return values
