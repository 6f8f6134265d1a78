"""What a news agency puts around its text: the dateline before it, editors' notes after it.

`واشنطن (رويترز) - عرضت …` → `عرضت …`; `… (إعداد … للنشرة العربية - تحرير …)` → `…`
"""

from __future__ import annotations

import re

_AGENCY = r"(?:رويترز|أ\s?ف\s?ب|ا ف ب|فرانس برس|د\s?ب\s?أ|د ب ا|الأناضول|الاناضول|وكالات|Reuters|AFP|AP)"
_DATELINE = re.compile(
    rf"^\s*(?:[^\n()]{{1,70}}?\s)?\(\s*{_AGENCY}\s*\)\s*[-–—:]\s*|^\s*[^\n()\-–—]{{2,40}}\s[-–—]\s{_AGENCY}\s*[-–—:]\s*"
)
_WORK = r"(?:إعداد|اعداد|تحرير|تغطية\s+صحفية|تغطية\s+إخبارية|شارك\s+في\s+(?:التغطية|الإعداد)|كتابة|ترجمة)"
_NOTE_LINE = re.compile(
    rf"\s*{_WORK}\s[^\n()]{{0,200}}?(?:للنشرة\s+العربية|[-–—]\s*تحرير\s)[^\n()]{{0,200}}|\s*\(\s*{_WORK}\s[^\n()]{{0,400}}\)\s*\.?\s*"
)
_NOTE_END = re.compile(rf"\s*\(\s*{_WORK}\s[^()]{{0,400}}\)\s*$")
_BYLINE = re.compile(r"\s*من\s+\S+(?:\s+\S+){1,5}\s*")


def strip_dateline(text: str) -> str:
    """The text without the dateline at its beginning."""
    return _DATELINE.sub("", text, count=1)


def strip_notes(text: str) -> str:
    """The text without the editors' notes at its end."""
    lines = text.rstrip().split("\n")
    while len(lines) > 1 and (not lines[-1].strip() or _NOTE_LINE.fullmatch(lines[-1])):
        lines.pop()
    if len(lines) == 1 and "للنشرة العربية" in lines[0] and _NOTE_LINE.fullmatch(lines[0]):
        return ""
    kept = "\n".join(lines)
    return kept[:-600] + _NOTE_END.sub("", kept[-600:]).rstrip()


def strip_wire(text: str) -> str:
    """The text without byline, dateline and editors' notes. Doing it twice changes nothing."""
    first, _, rest = text.lstrip().partition("\n")
    if rest and _BYLINE.fullmatch(first) and _DATELINE.match(rest):
        text = rest
    before = None
    while before != text:
        before, text = text, strip_notes(strip_dateline(text)).strip()
    return text
