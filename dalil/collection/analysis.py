"""How text becomes terms: fold, strip, stem. The same for documents and for queries.

1. `search_form` folds marks, tatweel, invisible characters, letter variants and digits. It must come
   before tokens are cut: a mark would split its word.
2. Proclitics before the article go with it (وال، بال، كال، فال، لل and compounds: وبال، ولل), where
   three letters or more remain. The Snowball stemmer knows the bare article only, and misses والحكومة.
3. A final ه of a longer word becomes ة again. The fold made one of the two, as many writers do, and the
   stemmer takes off ة but leaves ه in place: without this حكومة and الحكومية never meet.
4. Tokens are runs of letters and digits (a hashtag is cut at its underscores); those beyond 80
   bytes go (runs of noise: 40 Arabic letters pass); Snowball's Arabic stemmer does the rest, in
   `tantivy_index`.

Any change here makes older collections unreadable: raise VERSION with it.
"""

from __future__ import annotations

import re

from dalil.text.normal import search_form

VERSION = 1
LEAD = 600
"""characters of a body that its lead is cut from"""
LONGEST = 80
"""bytes of UTF-8 that a token may have"""
STEMMER = "arabic"

_TOKEN = re.compile(r"[^\W_]+")  # a hashtag's words stand apart
_GOD = re.compile(r"[وفبتك]?(?:ال|ل)له")
_PREFIX = re.compile(r"(?:و?[بكف]ال|وال|ال|ولل|لل)(?=\w{3})")
_SPACE = re.compile(r"\s")


def prepare(text: str) -> str:
    """Text as the tokenizer is given it: steps 1 to 3, words between single spaces. Never raises."""
    return " ".join(map(_words.__getitem__, _TOKEN.findall(search_form(text))))


class _Words(dict[str, str]):
    """Word → the word as it goes to the stemmer; remembers, since most of a text is common words."""

    def __missing__(self, word: str) -> str:
        if len(self) > 200_000:
            self.clear()
        self[word] = bare = _bare(word)
        return bare


def _bare(word: str) -> str:
    if _GOD.fullmatch(word):
        return "الله"
    word = _PREFIX.sub("", word, count=1) if _PREFIX.match(word) else word
    return word[:-1] + "ة" if len(word) > 3 and word.endswith("ه") else word


_words = _Words()


def lead_of(body: str) -> str:
    """The first 600 characters or so, to the end of a word: where news says what happened."""
    if len(body) <= LEAD:
        return body
    cut = _SPACE.search(body, LEAD)
    return body[: cut.start() if cut and cut.start() < LEAD + 40 else LEAD]
