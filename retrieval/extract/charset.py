"""The encoding of a page: from byte order mark, content, header and meta; and double encodings mended.

Headers and metas of Arabic sites are often wrong or missing, so content has a say:

1. a byte order mark decides;
2. bytes that are valid UTF-8 and not plain ASCII are UTF-8, whatever is declared (Arabic in a
   one-byte encoding is never valid UTF-8 by chance);
3. else what the header says, then what a meta says wherever in the page it stands (a meta may come
   after 30 kB of script; the HTML standard's prescan reads 1,024 bytes), unless Arabic in
   windows-1256 or ISO-8859-6 reads clearly better than what is declared.

Labels are WHATWG's (`cp1256`, `x-cp1256`, `arabic`, … and `iso-8859-1` means windows-1252).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from w3lib.encoding import http_content_type_encoding, resolve_encoding

ARABIC = ("cp1256", "iso8859-6")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_META = re.compile(rb"<meta\b[^>]{0,400}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]{2,40})", re.I)
_XML = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.\-]{2,40})", re.I)
_CODE = re.compile(rb"<(script|style)\b.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)|<[^>]*>", re.I | re.S)
_SAMPLE = 200_000
"""bytes between tags that are weighed"""

# Share of each letter in running Arabic, in thousandths: rough, for telling encodings apart.
_LETTERS = dict(zip(
    "اليمونرتبةعدسفهكقحجأشصخطضزىذئءثغإظؤآ",
    (135, 118, 75, 63, 60, 58, 46, 43, 36, 35, 33, 29, 26, 26, 26, 22, 22, 17, 14, 18, 10, 10, 9, 9, 8, 6, 9,
     6, 4, 4, 6, 4, 7, 3, 2, 3), strict=True,
))  # fmt: skip
_WORD = re.compile("[\u0621-\u064a]{3,}")


@dataclass(frozen=True)
class Decoded:
    """Text of a page, the encoding it was read in and why that one (bom, content, header, meta, default)."""

    text: str
    charset: str
    by: str


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Read the bytes of a page. Never raises: what no encoding explains becomes U+FFFD."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return Decoded(_mended(body[len(mark) :].decode(name, "replace")), name, "bom")
    if not body.isascii() and _is_utf8(body):
        return Decoded(_mended(body.decode("utf-8", "replace")), "utf-8", "content")
    name, by = next(declared(body, content_type), ("utf-8", "default"))
    if not body.isascii():
        name, by = _weighed(body, name, by)
    return Decoded(_mended(_read(body, name)), codecs.lookup(name).name, by)


def declared(body: bytes, content_type: str | None) -> Iterator[tuple[str, str]]:
    """Encodings that header, XML declaration and metas name, best first, as (codec, where)."""
    header = http_content_type_encoding(content_type) if content_type else None
    if header and (name := _codec(header)):
        yield name, "header"
    for pattern in (_XML, _META):
        for match in pattern.finditer(body) if pattern is _META else filter(None, [pattern.match(body)]):
            if name := _codec(match[1].decode("ascii")):
                # a page that could be searched for "<meta" is no UTF-16
                yield ("utf-8" if name.startswith("utf-16") else name), "meta"


def arabic_score(text: str) -> float:
    """How much text reads as Arabic: mean log-share of letters in words of three and more; about −4 for
    Arabic in its encoding, lower in a wrong one, −20 for none."""
    from math import log

    letters = "".join(_WORD.findall(text))
    high = sum(character > "\x7f" for character in text)
    if not letters:
        return -20.0
    mean = sum(log(_LETTERS.get(letter, 0.5) / 1000) for letter in letters) / len(letters)
    return mean - 4 * (1 - min(1.0, len(letters) / max(1, high)))


def _weighed(body: bytes, name: str, by: str) -> tuple[str, str]:
    """What is declared, unless another encoding reads clearly better as Arabic."""
    sample = _CODE.sub(b" ", body[: 4 * _SAMPLE])[:_SAMPLE]
    declared_score = arabic_score(_read(sample, name))
    best = max((*ARABIC, "utf-8"), key=lambda other: (arabic_score(_read(sample, other)), other == name))
    if arabic_score(_read(sample, best)) > declared_score + 0.3:
        return best, "content"
    return name, by


def _is_utf8(body: bytes) -> bool:
    """Valid UTF-8 but for a few bytes in a thousand (a page cut short, one bad comment)."""
    try:
        body.decode("utf-8")
        return True
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    return bad * 50 < sum(character > "\x7f" for character in text)


def _read(body: bytes, name: str) -> str:
    return body.decode(name, "replace")


def _codec(label: str) -> str | None:
    name = resolve_encoding(label)
    if name is None:
        return None
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


# -- double encodings: the bytes of one encoding, read in another by the site itself and stored as UTF-8

_HIGH = re.compile("[^\x00-\x7f]+")
_LATIN = {chr(code): code for code in range(0x80, 0x100)}
for _table in ("cp1252", "cp1254"):
    for _byte in range(0x80, 0x100):
        _letter = bytes([_byte]).decode(_table, "ignore")
        if _letter:
            _LATIN.setdefault(_letter, _byte)
_LATIN_RUN = re.compile("[" + "".join(re.escape(c) for c in sorted(_LATIN)) + "]{3,}")
_UTF8_AS_1256 = re.compile(
    "[طظ][\u0080-\u00ff\u0152-\u0192\u02c6\u0679-\u06d2\u2013-\u2122]|[طظ][اأإآبتثجحخئ]"
)


def _mended(text: str) -> str:
    """Text in which Arabic read as Latin (`ÇáÎÈÑ`) or UTF-8 read as windows-1256 (`ط§ظ„`) is Arabic again."""
    arabic = len(_WORD.findall(text))
    if len(_LATIN_RUN.findall(text)) > 4 * arabic + 20:
        return _HIGH.sub(_from_latin, text)
    doubled = len(_UTF8_AS_1256.findall(text))
    if doubled > 100 and doubled * 3 > sum(map(len, _WORD.findall(text))):
        return _HIGH.sub(_from_1256, text)
    return text


def _from_latin(run: re.Match[str]) -> str:
    try:
        return bytes(_LATIN[letter] for letter in run[0]).decode("cp1256")
    except KeyError:
        return run[0]


def _from_1256(run: re.Match[str]) -> str:
    try:
        return run[0].encode("cp1256").decode("utf-8")
    except UnicodeError:
        return run[0]
