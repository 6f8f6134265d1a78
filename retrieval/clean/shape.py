"""Whether what cleaning left is a sentence that says what the claim said: the reasons for needs_edit.

Rules of thumb over word shapes, not a parser: a main verb is looked for by its prefix (ي…, ست…, بي…),
by lists of perfect verbs and particles, and by where it stands. What is not clearly a
sentence counts as none: a person looks at it, which costs less than a claim that says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dalil.text.normal import search_form
from retrieval.clean.rules import Rules

_WORD = re.compile(r"\w+")
_IMPERFECT = re.compile(r"[وف]?(?:س|ه|ح)?ب?ي\w{2,}")
_FEMININE = re.compile(r"[وف]?(?:س|ه|ح|ب)?ت\w{2,}")
_CLEARLY_FEMININE = re.compile(r"[وف]?(?:س|ب)ت\w{2,}")
_OF = re.compile(r"من|في|ل(?:ل|ا|[^ا]).*")
_TAFEEL = re.compile(r"[وف]?ت\w\wي\w(?:ه|ات|ها|هم|هن|ه?ا?ت?ها)?")
_MASDAR = re.compile(r"(?:ا\w\w?ا\w|ا\wت\wا\w|است\w\w?ا\w|ان\w\wا\w|ت\w\wي\w|ت\wا\w\w|\w\wو\w|\w\wا\w[هي])ه?")
_PERFECT_TAIL = re.compile(r"(ت|وا)$")
_SHOWN = re.compile(r"ل(?!ل|م$|ن$|ا$|حظ|يس|قد)\w{2,}")
"""of what there is a picture, without an article: «لرجل», «لطفل مصاب»"""
_WHILE = frozenset(map(search_form, ("وهو", "وهي", "وهم", "وهما")))
_IN_IT = frozenset(map(search_form, ("فيها", "فيه", "فيهم", "بها", "به")))


def words(text: str) -> list[str]:
    """The words of a text in the search form."""
    return _WORD.findall(search_form(text))


def is_question(text: str, rules: Rules) -> bool:
    """Whether a text asks."""
    return bool(rules.shape["question"].match(search_form(text).lstrip('"«“ '))) or text.rstrip(
        '"»” .'
    ).endswith(("؟", "?"))


def is_inverted(text: str, rules: Rules) -> bool:
    """Whether a text begins with a negation or a denial."""
    return bool(rules.shape["inverted"].match(search_form(text).lstrip('"«“ ')))


def is_framed(text: str, rules: Rules) -> bool:
    """Whether a reporter's words about the claim are still in a text."""
    return bool(rules.shape["framed"].search(search_form(text).lstrip('"«“-–— ')))


def exclaims(text: str, rules: Rules) -> bool:
    """Whether a text begins with a prayer, a wish or a call."""
    return bool(rules.shape["exclaims"].match(search_form(text).lstrip('"«“-–—# ')))


def points(text: str, rules: Rules) -> bool:
    """Whether a text points at something beside it («هذه», «في الفيديو»)."""
    return bool(rules.shape["points"].search(search_form(text).lstrip('"«“-–—# ')))


def lacks_subject(text: str) -> bool:
    """Whether a text begins with an imperfect verb or with «of …», as after «that it …»."""
    found = words(text)
    if not found:
        return False
    return bool(_IMPERFECT.fullmatch(found[0]) or _FEMININE.fullmatch(found[0]) or _OF.fullmatch(found[0]))


def speaks_of_self(text: str, rules: Rules) -> bool:
    """Whether somebody unnamed speaks of himself."""
    return bool(rules.shape["first_person"].search(search_form(text)))


def is_nominal(text: str, rules: Rules, *, after_noun_phrase: bool = False) -> bool:
    """Whether no main verb can be found: «إلغاء بنزين 80».

    `after_noun_phrase`: a phrase was taken off that a noun follows (حقيقة …), so that the first word is
    none, however it looks.
    """
    return not any(_main_verbs(words(text), rules, after_noun_phrase))


def only_shows(text: str, rules: Rules) -> bool:
    """Whether a text about a picture states nothing beside it: each of its verbs tells what is to be seen.

    Such a verb stands in the relative clause of what is shown («صورة لرجل يجلس …»), in one that goes with it
    («وهو يحمل …»), or says that it is in the picture («يظهر فيها»). «فيديو يظهر وفاة الفنان» and «شاهد: توفي
    الفنان» state something.
    """
    if rules.shape["states"].search(search_form(text)):
        return False
    found = words(text)
    for at, word in _main_verbs(found, rules, False):
        if word in rules.words["preposition"]:
            continue  # «الغابة قبل الحريق» may be a verb (kissed), and is none
        before, after = found[max(0, at - 2) : at], found[at + 1 : at + 2]
        shown = before[-1:] and (before[-1] in _WHILE or any(map(_SHOWN.fullmatch, before)))
        if not shown and not set(after) & _IN_IT:
            return False
    return True


def _main_verbs(found: list[str], rules: Rules, after_noun_phrase: bool) -> Iterator[tuple[int, str]]:
    """Words that look like main verbs, with their places."""
    previous = ""
    for at, word in enumerate(found):
        skipped = (at == 0 and after_noun_phrase) or previous in rules.words["clause"]
        if not skipped and _is_verb(word, previous, at, rules):
            yield at, word
        previous = word


def _is_verb(word: str, previous: str, at: int, rules: Rules) -> bool:
    lists = rules.words
    bare = word[1:] if word[:1] in "وف" and len(word) > 3 else word
    if word in lists["noun"] or bare in lists["noun"]:
        return False
    if word in lists["sentence"] or bare in lists["sentence"]:
        return True
    if previous in lists["preposition"]:
        return False
    if _perfect(word, previous, lists) or (bare != word and _perfect(bare, previous, lists)):
        return True
    if _IMPERFECT.fullmatch(word):
        return True
    return _feminine(word, previous, at, lists["noun"])


def _perfect(word: str, previous: str, lists: dict[str, frozenset[str]]) -> bool:
    stem = _PERFECT_TAIL.sub("", word)
    if word in lists["either"]:
        return previous.startswith("ال")  # «الجيش قصف», but «سعر صرف»
    if word in lists["perfect"]:
        return True
    return (
        stem in lists["perfect"] and word != stem and not (stem in lists["either"] and not word.endswith("ت"))
    )


def _feminine(word: str, previous: str, at: int, nouns: frozenset[str]) -> bool:
    """ت… is a verb after its subject, and a noun («تراجع التضخم») at the beginning."""
    if _CLEARLY_FEMININE.fullmatch(word):
        return True
    if word[0] in "وف" and at == 1:
        return False  # «ضعف وتحور الفيروس»: joined to the noun before it
    if not _FEMININE.fullmatch(word) or _TAFEEL.fullmatch(word) or at == 0:
        return False
    if at == 1:
        return previous in nouns or not _MASDAR.fullmatch(previous)
    return previous.startswith("ال") or previous.endswith("ه")
