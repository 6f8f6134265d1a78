"""Cleaning one claim: pure, by the rules, with the name of every rule that changed it.

The order, and why it is this one:

1. *cut*: what comes after the point where the correction begins is not the claim.
2. *noise*: links, signatures of posts, symbols; white space becomes single spaces.
3. *prefix*: labels and debunk phrases before the claim, as long as one applies.
4. *never*: a headline that states the truth is not stripped; the claim is looked for in the review's
   body, before its first cut point, else the claim is flagged. Only where the raw text is the
   headline: what a site prints as the claim is the claim, even where it denies something. A claim
   box beside the headline comes before the body.
5. *intro*, *frame*: a quotation introduced as the claim is the claim; else a reporter's words before
   it go.
6. *suffix*, then *prefix* again (a quotation may begin with «عاجل:»), then the outer quotation marks.
7. *media*: what is about a picture and says nothing else is dropped (AraStance, section 3.1); where a verb
   states something beside what is to be seen, the claim is flagged.

Nothing that a rule made is passed on silently when it may not say what the claim said: it carries a
flag `needs_edit:<why>`, and the text is the best there is. Reasons: nominal, inverted, interrogative,
too_short, too_long, states_truth, framed, several, unclosed, exclaims, points, speaker, multimedia,
contradicts_verdict.

Verdict phrases set no veracity. They become the flag `says:true` or `says:false`; the claim's
veracity stays what the site said. Where the two are opposite the claim needs a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from dalil.records import Claim, CleanedClaim
from dalil.stages import Drop
from dalil.text.normal import search_form
from retrieval.clean import shape
from retrieval.clean.quotes import CLOSING, OPENING, STRAIGHT, Quote, quotes
from retrieval.clean.rules import Folded, Rule, Rules
from retrieval.clean.speakers import EDGES, SPEAKER_WORDS, is_named, signature, speaker_of, trim, with_article

_MARKS = OPENING + CLOSING + STRAIGHT
_DIRECTION = dict.fromkeys((0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF))
_ITEM = re.compile(r"(?:^|\n)\s*(?:[*•◾▪]|\d{1,2}\s*[.)-])\s")
_SPACES = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r"\s*\n\s*")
FIRST_SENTENCE = 5
"""words that the first sentence after a reporter's frame must have to stand for the claim alone"""
QUOTATIONS = 50
"""quotations of a text that are looked at"""
TAIL = 200
"""characters at the end of a text in which a suffix is looked for"""
ROUNDS = 20
"""phrases that are taken off one end, one after another: a text of nothing else must not cost minutes"""
BEFORE = 400
"""characters before a quotation in which its introduction is looked for"""


@dataclass
class _Work:
    """A claim on its way: the text so far, the rules that changed it, what is to be flagged."""

    text: str
    rules: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    says: set[str] = field(default_factory=set)
    asked: bool = False
    noun: bool = False
    """whether the last phrase taken off was one that a noun follows"""
    named: bool = False
    """whether the speaker of a quotation stands before it"""

    def used(self, rule: Rule) -> None:
        if rule.name not in self.rules:
            self.rules.append(rule.name)
        if rule.says:
            self.says.add(rule.says)
        self.asked = self.asked or rule.asks

    def doubt(self, reason: str) -> None:
        if reason not in self.reasons:
            self.reasons.append(reason)


def clean(claim: Claim, rules: Rules, *, min_words: int = 3, max_words: int = 30) -> CleanedClaim | Drop:
    """The cleaned claim, or why there is none (`no_text`, `multimedia`).

    `min_words` and `max_words` are the lengths (in words) outside which a text is flagged.
    """
    work = _Work(_squeezed(claim.raw))
    _cut(work, rules)
    _noise(work, rules)
    if not _has_letters(work.text):
        return Drop("no_text", "nothing is left but symbols and links" if claim.raw.strip() else "empty")
    _prefixes(work, rules)
    truth = _states_truth(claim, work, rules)
    if truth is not None:
        if not _from_body(claim, work, rules, truth, min_words):
            work.rules.append(truth.name)
            work.doubt("states_truth")
            return _cleaned(claim, work, rules, min_words, max_words)
    elif not _quotation(work, rules, min_words):
        _frame(work, rules, min_words)
    for _ in range(4):
        before = work.text
        _suffixes(work, rules)
        _prefixes(work, rules)
        _unquote(work)
        if work.text == before:
            break
    if not _has_letters(work.text):
        return Drop("no_text", f"nothing is left after {', '.join(work.rules)}")
    for rule in rules.of("media"):
        if rule.pattern.match(search_form(work.text).lstrip(_MARKS + " ")):
            if shape.only_shows(work.text, rules):
                return Drop("multimedia", rule.name)
            work.doubt("multimedia")
    return _cleaned(claim, work, rules, min_words, max_words)


def _cleaned(claim: Claim, work: _Work, rules: Rules, least: int, most: int) -> CleanedClaim:
    """The record with its flags."""
    text = " ".join(work.text.split())
    count = len(shape.words(text))
    touched = any(not name.startswith("noise:") and name != "prefix:label-claim" for name in work.rules)
    if shape.is_question(text, rules):
        work.doubt("interrogative")
    elif touched:
        if shape.is_inverted(text, rules):
            work.doubt("inverted")
        if shape.is_nominal(text, rules, after_noun_phrase=work.noun):
            work.doubt("nominal")
    quoted = any(name.startswith("intro:") for name in work.rules)
    if shape.is_framed(text, rules) or _goes_on(text):
        work.doubt("framed")
    if not quoted and rules.shape["staged"].search(search_form(text)):
        work.doubt("framed")
    if shape.exclaims(text, rules):
        work.doubt("exclaims")
    if shape.points(text, rules):
        work.doubt("points")
    if quoted and not work.named and shape.speaks_of_self(text, rules):
        work.doubt("speaker")
    if count < least:
        work.doubt("too_short")
    if count > most:
        work.doubt("too_long")
    if len(work.says) == 2 or (
        work.says and {"true": "false", "false": "true"}.get(claim.veracity) in work.says
    ):
        work.doubt("contradicts_verdict")
    flags = [f"needs_edit:{reason}" for reason in work.reasons] + [
        f"says:{value}" for value in sorted(work.says)
    ]
    return CleanedClaim(id=claim.id, raw=claim.raw, text=text, rules=tuple(work.rules), flags=tuple(flags))


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _squeezed(text: str) -> str:
    """Runs of spaces as one, runs of line breaks as one: what a page repeats must not cost time."""
    return _BREAKS.sub("\n", _SPACES.sub(" ", text))


def _goes_on(text: str) -> bool:
    """Whether words follow a quotation of a sentence's length that the text begins with."""
    spans = quotes(text)
    if not spans or spans[0].start != 0:
        return False
    return len(shape.words(spans[0].inside(text))) > SPEAKER_WORDS and bool(shape.words(text[spans[0].end :]))


def _cut(work: _Work, rules: Rules) -> None:
    """Leave out everything from the earliest cut point that has a claim before it.

    Not inside a quotation: there it is not the fact-checker who speaks.
    """
    folded = Folded(work.text)
    quoted = [quote for quote in quotes(work.text) if quote.closed]
    best: tuple[int, Rule] | None = None
    for rule in rules.of("cut"):
        for match in rule.pattern.finditer(folded.form):
            start = folded.span(*match.span())[0]
            if any(quote.start < start < quote.end for quote in quoted):
                continue
            if len(shape.words(work.text[:start])) >= 3:
                if best is None or start < best[0]:
                    best = (start, rule)
                break
    if best is not None:
        work.text = work.text[: best[0]]
        work.used(best[1])


def _noise(work: _Work, rules: Rules) -> None:
    folded = Folded(work.text)
    for rule in rules.of("noise"):
        spans = [folded.span(*match.span()) for match in rule.pattern.finditer(folded.form)]
        for start, end in reversed(spans):
            work.text = f"{work.text[:start]} {work.text[end:]}"
        if spans:
            work.used(rule)
            folded = Folded(work.text)
    plain = work.text.translate(_DIRECTION)
    if plain != work.text:
        work.text = plain
        work.rules.append("noise:direction-mark")
    lines = [" ".join(line.split()) for line in work.text.split("\n")]
    work.text = trim("\n".join(line for line in lines if line))


def _prefixes(work: _Work, rules: Rules) -> None:
    for _ in range(ROUNDS):
        folded = Folded(work.text)
        for rule in rules.of("prefix"):
            match = rule.pattern.match(folded.form)
            if match is None or not match.group():
                continue
            rest = work.text[folded.span(*match.span())[1] :].lstrip(EDGES)
            if not _has_letters(rest):
                continue
            rest = (
                with_article(rest, rules.words["lam"])
                if rule.article and match.group().endswith("ل")
                else rest
            )
            work.used(rule)
            work.noun = rule.noun and not match.group().rstrip().endswith("ان")
            work.text = trim(rest.rstrip("؟?! ") if rule.asks else rest)
            break
        else:
            return
    work.doubt("framed")  # more of them than any headline has: some may be left


def _suffixes(work: _Work, rules: Rules) -> None:
    for _ in range(ROUNDS):
        start = max(0, len(work.text) - TAIL)
        folded = Folded(work.text[start:])
        for rule in rules.of("suffix"):
            match = rule.pattern.search(folded.form)
            if match is None or not match.group().strip():
                continue
            rest = work.text[: start + folded.span(*match.span())[0]]
            if not _has_letters(rest):
                continue
            work.used(rule)
            work.text = trim(rest)
            break
        else:
            return
    work.doubt("framed")  # more of them than any headline has: some may be left


def _states_truth(claim: Claim, work: _Work, rules: Rules) -> Rule | None:
    """The rule by which the text is a headline that states the truth."""
    if claim.title is not None and search_form(claim.title).split() != search_form(claim.raw).split():
        return None
    form = search_form(work.text)
    return next((rule for rule in rules.of("never") if rule.pattern.match(form)), None)


def _from_body(claim: Claim, work: _Work, rules: Rules, truth: Rule, least: int) -> bool:
    """Take the claim from the site's claim box, else from the review's body before its first cut point.

    In the body it must be quoted or framed; the box (`found["claim_text"]`) is the claim as it stands.
    """
    boxed = claim.found.get("claim_text")
    if isinstance(boxed, str) and _has_letters(boxed):
        work.text = boxed
        work.rules += [truth.name, "box:claim_text"]
        _cut(work, rules)
        _noise(work, rules)
        if not _quotation(work, rules, least):
            _frame(work, rules, least)
        return True
    body = _Work(_squeezed(claim.body or ""))
    _cut(body, rules)
    _noise(body, rules)
    if not body.text or not (_quotation(body, rules, least) or _frame(body, rules, least)):
        return False
    work.text = body.text
    work.rules += [truth.name, *(f"body:{name}" for name in body.rules)]
    for reason in body.reasons:
        work.doubt(reason)
    return True


def _first_sentence(text: str) -> str:
    """A text up to its first full stop or line break."""
    return trim(re.split(r"[.!؟?]\s|\n", text, maxsplit=1)[0])


def _quotation(work: _Work, rules: Rules, least: int) -> bool:
    """The quotation that is introduced as the claim, with its speaker where that is the claim."""
    found: list[tuple[Quote, Rule, re.Match[str], Folded]] = []
    for quote in quotes(work.text)[:QUOTATIONS]:
        if len(shape.words(quote.inside(work.text))) < least:
            continue
        before = Folded(work.text[max(0, quote.start - BEFORE) : quote.start])
        for rule in rules.of("intro"):
            match = rule.pattern.search(before.form)
            if match is not None:
                found.append((quote, rule, match, before))
                break
    if not found:
        return False
    quote, rule, match, before = found[0]
    inside = quote.inside(work.text)
    if rule.keeps == "signature" and not quote.closed:
        return False
    if len(found) > 1:
        work.doubt("several")
    if not quote.closed and "\n" in work.text[quote.start :]:
        work.doubt("unclosed")
    speaker = ""
    if rule.keeps == "speaker":
        speaker = speaker_of(work.text, match, before, rules)
    elif rule.keeps == "signature":
        speaker = signature(work.text[quote.end :], rules)
        if not speaker and shape.words(work.text[quote.end :]):
            # a quotation that the sentence goes on from is part of it
            return False
    head = work.text[: quote.start]
    if not speaker and rules.shape["speech"].search(search_form(head)):
        work.doubt("speaker")
    if len(_ITEM.findall(work.text)) > 1:
        work.doubt("several")
    work.used(rule)
    work.text = trim(inside)
    if speaker and not is_named(speaker, inside):
        work.text = f"{speaker}: {work.text}"
    work.named = bool(speaker)
    return True


def _frame(work: _Work, rules: Rules, least: int) -> bool:
    folded = Folded(work.text)
    for rule in rules.of("frame"):
        match = rule.pattern.match(folded.form)
        if match is None:
            continue
        rest = trim(work.text[folded.span(*match.span())[1] :])
        if len(shape.words(rest)) >= min(least, 2):
            head = folded.form[: match.end()]
            if rules.shape["speech"].search(head):
                work.doubt("speaker")
            if head.rstrip().endswith(("انه", "انها", "انهم")) and shape.lacks_subject(rest):
                work.doubt("points")  # «أنه يصور …», «أنها لعالم …»: what the pronoun stood for has gone
            work.used(rule)
            work.text = rest
            first = _first_sentence(rest)
            if first != rest and len(shape.words(first)) >= FIRST_SENTENCE:
                work.text = first
                work.rules.append("first-sentence")
            return True
    return False


def _unquote(work: _Work) -> None:
    """Take off quotation marks that enclose the whole text, and a mark without its partner at an end."""
    text = work.text.strip()
    spans = quotes(text)
    if spans and spans[0].start == 0 and spans[0].end == len(text):
        text = spans[0].inside(text)
    elif text and text[0] in _MARKS and not any(mark in _MARKS for mark in text[1:]):
        text = text[1:]
    elif text and text[-1] in _MARKS and not any(mark in _MARKS for mark in text[:-1]):
        text = text[:-1]
    if text != work.text.strip() and "unquote" not in work.rules:
        work.rules.append("unquote")
    work.text = trim(text)
