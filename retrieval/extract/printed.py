"""Dates that a page prints for its readers: found by where they stand.

Arabic sites print today's date in the page's head, and the dates of other articles in lists beside
and below. The article's own stands by its headline, by its first paragraph or right behind its
last. So every line with digits is scored by its distance from those, and by the words around it
(«تاريخ النشر», «نشر في»; «آخر تحديث» counts against it).
"""

from __future__ import annotations

import re

from dalil.text.dates import parse_date

_PUBLISHED = re.compile(
    r"(?:تاريخ|وقت)\s+(?:ال)?(?:نشر|إضافة|اضافة|إنشاء|الخبر|المقال|الإصدار|كتابة)|التاريخ|"
    r"(?:نُ?شرت?|كتبت?|أضيفت?|اضيفت?|أرسلت?|حررت?)\s*(?:في|يوم|بتاريخ|:)|تم\s+(?:ال)?نشر|النشر\s*:|"
    r"بتاريخ\s*:|published|posted",
    re.I,
)
_LABEL = re.compile(r"^(?:ال)?تاريخ\s*:?$|^date\s*:?$|(?:تاريخ|وقت) (?:ال)?نشر\s*:?$", re.I)
_UPDATED = re.compile(r"تحديث|تعديل|حُدّث|updated|modified|last edited", re.I)
_CLOCK = re.compile(r"الساعة الآن|اليوم هو|القاهرة\s*:|توقيت|GMT|رئيس التحرير|ميلادي", re.I)
_WEEKDAY = re.compile(
    r"الأحد|الاحد|الاثنين|الإثنين|الثلاثاء|الأربعاء|الاربعاء|الخميس|الجمعة|السبت|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.I,
)
_TIME = re.compile(r"\d{1,2}:\d{2}|[٠-٩]{1,2}:[٠-٩]{2}")
_OTHERS = re.compile(
    r"اقر[أا]|ذات صلة|مواضيع|المزيد|أخبار أخرى|قد يهمك|شاهد|الأكثر|تعليق|related|more|comments", re.I
)
_SLASHES = re.compile(r"(?<=[\d٠-٩])\s*(/)\s*(?=[\d٠-٩])")
_LONG = 160
_NEAR = 14
"""lines from headline or first paragraph within which a date belongs to the article"""
_ENOUGH = 3
_REPEATS = 20
"""places of the headline that are looked at"""


def printed_dates(seen: str, text: str, headlines: tuple[str, ...]) -> list[str]:
    """Lines of the visible text that print the article's date, the likeliest first.

    `text` is the article as extracted, `headlines` what its headline may be, best first.
    """
    lines = [_of_publication(line) for line in seen.split("\n")]
    heads = _places(lines, headlines)[:_REPEATS]
    start, end = _extent(lines, text)
    foot = _foot(lines, end)
    top = min([*heads, start if start is not None else len(lines)])
    if start is None and not heads:
        return [_plain(line) for line in lines if _may_date(line) and _PUBLISHED.search(line)]
    scored = []
    for place, line in enumerate(lines):
        if not _may_date(line):
            continue
        score = _nearness(place, heads, start, end, foot) + _wording(line, lines[place - 1] if place else "")
        if place < top and _WEEKDAY.search(line) and not _TIME.search(line):
            score -= 4
        if score >= _ENOUGH:
            scored.append((-score, place, _plain(line)))
    return [line for _, _, line in sorted(scored)]


def _nearness(place: int, heads: list[int], start: int | None, end: int | None, foot: range) -> float:
    """10 right below the headline, less with every line; 5 right above it; 6 behind the last paragraph."""
    best = -6.0
    for head in heads:
        if 0 <= place - head <= _NEAR and (start is None or place <= start + 2 or head > start):
            best = max(best, 10 - 0.5 * (place - head))
        elif 0 < head - place <= 3:
            best = max(best, 6 - (head - place))
    if start is not None and 0 < start - place <= _NEAR:
        best = max(best, 9 - 0.5 * (start - place))
    if end is not None and start is not None:
        if start <= place <= end:
            best = max(best, 4.0 if place - start <= 2 else -2)
        elif place in foot:
            best = max(best, 5 - 0.5 * (place - end))
    if start is not None and heads and place < start and any(head < place for head in heads):
        best += 2  # between headline and text
    return best


def _of_publication(line: str) -> str:
    """Of a line that prints both dates, of publication and of update, the part on publication."""
    published, updated = _PUBLISHED.search(line), _UPDATED.search(line)
    if published is None or updated is None:
        return line
    if published.start() < updated.start():
        return line[: updated.start()]
    return line[published.start() :]


def _wording(line: str, before: str) -> float:
    score = 0.0
    if _LABEL.search(before):
        score += 10
    elif _PUBLISHED.search(line):
        score += 7
    if _UPDATED.search(line) or _UPDATED.search(before[-20:]):
        score -= 10
    if _CLOCK.search(line):
        score -= 3
    if len(line.split()) > 12:
        score -= 4
    return score + bool(_TIME.search(line))


def _places(lines: list[str], headlines: tuple[str, ...]) -> list[int]:
    """Where the headline stands (a menu or the window's title may repeat it)."""
    for headline in headlines:
        wanted = _squeezed(headline)[:40]
        if len(wanted) > 8:
            found = [place for place, line in enumerate(lines) if wanted in _squeezed(line)]
            if found:
                return found
    return []


def _extent(lines: list[str], text: str) -> tuple[int | None, int | None]:
    """First and last line of the article among the visible lines."""
    running = [_squeezed(line) for line in text.split("\n") if len(line.split()) > 6]
    if not running:
        return None, None
    squeezed = [_squeezed(line) for line in lines]
    start = next((n for n, line in enumerate(squeezed) if running[0][:30] in line), None)
    end = next((n for n in range(len(squeezed) - 1, -1, -1) if running[-1][-30:] in squeezed[n]), None)
    return start, end if start is not None and end is not None and end >= start else start


def _foot(lines: list[str], end: int | None) -> range:
    """The lines behind the last paragraph, up to a list of other articles."""
    if end is None:
        return range(0)
    for place in range(end + 1, min(end + 6, len(lines))):
        if _OTHERS.search(lines[place]) or (
            len(lines[place].split()) > 7 and not _PUBLISHED.search(lines[place])
        ):
            return range(end + 1, place)
    return range(end + 1, end + 6)


def _may_date(line: str) -> bool:
    if len(line) > _LONG or not any(character.isdigit() for character in line):
        return False
    found = parse_date(_plain(line))
    return found is not None and found.precision == "day"


def _plain(line: str) -> str:
    """`2018 / 12 / 5` → `2018/12/5`."""
    return _SLASHES.sub(r"\1", line)


def _squeezed(line: str) -> str:
    return "".join(character for character in line if character.isalnum())
