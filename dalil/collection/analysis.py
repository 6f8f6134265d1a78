"""How text becomes terms: fold, strip, stem. The same for documents and for queries.

1. `search_form` folds marks, tatweel, invisible characters, letter variants and digits. It must come
   before tokens are cut: a mark would split its word.
2. Proclitics before the article go with it (وال، بال، كال، فال، لل and compounds: وبال، ولل), where
   three letters or more remain. The Snowball stemmer knows the bare article only, and misses والحكومة.
3. A final ه of a longer word becomes ة again. The fold made one of the two, as many writers do, and the
   stemmer takes off ة but leaves ه in place: without this حكومة and حكومي never meet.
4. Tokens are runs of letters and digits; those beyond 80 bytes go (urls, runs of noise: 40 Arabic
   letters pass); Snowball's Arabic stemmer does the rest (in `tantivy_index`).

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

_GOD = re.compile(r"\b[وفبتك]?(?:ال|ل)له\b")
_PREFIX = re.compile(r"\b(?:و?[بكف]ال|وال|ال|ولل|لل)(?=\w{3})")
_FINAL_HA = re.compile(r"(?<=\w{3})ه\b")
_SPACE = re.compile(r"\s")


def prepare(text: str) -> str:
    """Text as the tokenizer is given it: steps 1 to 3. Never raises."""
    return _FINAL_HA.sub("ة", _PREFIX.sub("", _GOD.sub("الله", search_form(text))))


def lead_of(body: str) -> str:
    """The first 600 characters or so, to the end of a word: where news says what happened."""
    if len(body) <= LEAD:
        return body
    cut = _SPACE.search(body, LEAD)
    return body[: cut.start() if cut and cut.start() < LEAD + 40 else LEAD]
