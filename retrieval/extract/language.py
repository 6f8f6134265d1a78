"""Which language a text is in, as far as an Arabic corpus needs to know: by script and by letters."""

from __future__ import annotations

import re
from collections import Counter

_ARABIC_SCRIPT = re.compile("[\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_OTHER = re.compile(r"[^\W\d_]")

# letters that Arabic does not have, and the language that each speaks for
_OWN: dict[str, str] = {
    **dict.fromkeys("ٹڈڑےںھہ", "ur"),
    **dict.fromkeys("ێۆڕڵە", "ckb"),
    **dict.fromkeys("ښځڅږڼډړټ", "ps"),
    **dict.fromkeys("ۇۈېۋڭ", "ug"),
    **dict.fromkeys("پچژگکی", "fa"),
}
_FOREIGN = 0.04
"""share of such letters from which a text is not Arabic: names in Arabic pages have some (گ, چ, پ)"""


_ARTICLE = 300


def guess_language(text: str, declared: str | None = None) -> str | None:
    """ISO 639 code of the text's language, or None for a text without letters.

    More than half of the letters in Arabic script make it Arabic, or Persian, Urdu, Kurdish (ckb),
    Pashto, Uyghur by their own letters; so does a quarter, if that is an article's worth (an Arabic
    article in the English frame of its site). For any other script the page's declaration is
    believed unless it names one written in Arabic script; then it is `und`.
    """
    arabic = _ARABIC_SCRIPT.findall(text)
    letters = len(_OTHER.findall(text))
    if not letters:
        return None
    if len(arabic) * 2 > letters or (len(arabic) * 4 > letters and len(arabic) > _ARTICLE):
        return _in_arabic_script(arabic)
    code = (declared or "").replace("_", "-").partition("-")[0].strip().lower()
    if code and code.isalpha() and code not in ("ar", *_OWN.values()):
        return code
    return "en" if len(_LATIN.findall(text)) * 2 > letters and _looks_english(text) else "und"


def _in_arabic_script(letters: list[str]) -> str:
    own = Counter(letter for letter in letters if letter in _OWN)
    if sum(own.values()) < _FOREIGN * len(letters):
        return "ar"
    votes: Counter[str] = Counter()
    for letter, count in own.items():
        votes[_OWN[letter]] += count
    telling = [
        (count, code) for code, count in votes.items() if code != "fa" and count * 12 > sum(votes.values())
    ]
    return max(telling)[1] if telling else "fa"


def _looks_english(text: str) -> bool:
    words = re.findall(r"[a-z]+", text.lower())
    common = sum(word in ("the", "of", "and", "to", "in", "a", "is", "for", "on", "that") for word in words)
    return common * 12 > len(words)
