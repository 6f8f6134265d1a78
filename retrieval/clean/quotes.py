"""Quoted spans: «…», “…”, "…", also nested, mixed or never closed."""

from __future__ import annotations

from dataclasses import dataclass

OPENING = "«“„‟❝"
CLOSING = "»”❞"
STRAIGHT = '"＂″'
_AROUND = " \n\t:،,.;؛!?؟()[]…-–—#"


@dataclass(frozen=True)
class Quote:
    """An outermost quotation: `start` at its opening mark, `end` after its closing one."""

    start: int
    end: int
    closed: bool

    def inside(self, text: str) -> str:
        """The quoted words without the marks."""
        return text[self.start + 1 : self.end - 1 if self.closed else self.end].strip()


def quotes(text: str) -> list[Quote]:
    """The outermost quotations of a text, in order.

    A straight mark opens where white space or punctuation stands before it and a word after it,
    and closes otherwise; a curly mark turned the wrong way (”…“) is read as a straight one. A
    quotation that is never closed runs to the end of the text.
    """
    found: list[Quote] = []
    depth, start = 0, 0
    for at, mark in enumerate(text):
        if mark not in OPENING + CLOSING + STRAIGHT:
            continue
        opens = _opens(text, at)
        if mark in "«":
            opens = True
        elif mark in "»":
            opens = False
        if opens or depth == 0:
            if depth == 0:
                if not opens and not _may_open(text, at):
                    continue
                start = at
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                found.append(Quote(start, at + 1, closed=True))
    if depth:
        last = max((text.rfind(mark) for mark in CLOSING + STRAIGHT), default=-1)
        if last > start + 1 and not _opens(text, last):
            found.append(Quote(start, last + 1, closed=True))
        else:
            found.append(Quote(start, len(text), closed=False))
    return found


def _opens(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    after = text[at + 1] if at + 1 < len(text) else " "
    return before in _AROUND and after not in " \n\t.،,:؛"


def _may_open(text: str, at: int) -> bool:
    """Whether a mark outside any quotation that looks like a closing one begins one after all."""
    if at + 1 >= len(text) or text[at] in CLOSING:
        return False
    before = text[at - 1] if at else " "
    return before in _AROUND or not (text[at + 1] in _AROUND or before.isdigit())
