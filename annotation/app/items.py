"""An item as it is shown, its hash, and the ticket that ties an answer to what was shown."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from annotation.app.display import like_claim, places_of
from annotation.app.site import Refused, Site, Visit
from annotation.app.words import LANGUAGES, direction_of
from annotation.rounds.judging import Shown
from dalil.ids import value_hash
from dalil.records import Annotation, Article, Claim, CleanedClaim, Pair
from dalil.state.store import Store


@dataclass(frozen=True)
class ItemView:
    """A pair with its texts."""

    pair: Pair
    claim: Claim
    claim_text: str
    article: Article
    marks: int
    """how many sentences are marked, at most"""

    @property
    def like(self) -> tuple[int, ...]:
        """Places of the sentences most like the claim."""
        return like_claim(self.claim_text, self.article.text, self.marks)

    @property
    def claim_language(self) -> str:
        return self.claim.language

    @property
    def article_language(self) -> str:
        return self.article.language or self.claim.language

    @property
    def claim_dir(self) -> str:
        return direction_of(self.claim_language)

    @property
    def article_dir(self) -> str:
        return direction_of(self.article_language)

    def hash(self, site: Site, language: str, guideline: str | None = None) -> str:
        """Hash of exactly what is shown: texts, marks, labels and questions, guidelines, page language.

        `guideline` is another version of the guidelines than the present one.
        """
        article = self.article
        return value_hash(
            {
                "claim": self.claim_text,
                "claim_date": self.claim.claim_date,
                "title": article.title,
                "text": article.text,
                "outlet": article.outlet,
                "published": article.published,
                "authors": list(article.authors),
                "marked": list(self.like),
                "scheme": site.scheme.hash,
                "guideline": guideline or site.guideline,
                "language": language,
            }
        )


def item_view(site: Site, pair_id: str, inside: Store | None = None) -> ItemView:
    """A pair as it is shown (`inside`: as a transaction sees it). Refused where there is none."""
    store = inside or site.store
    pair = store.get(Pair, pair_id)
    claim = store.get(Claim, pair.claim_id) if pair else None
    article = store.get(Article, pair.article_id) if pair else None
    if pair is None or claim is None or article is None:
        raise Refused(404, "error_not_found")
    cleaned = store.get(CleanedClaim, claim.id)
    text = cleaned.text if cleaned else claim.raw
    return ItemView(pair, claim, text, article, site.own.similar if site.scheme.shows == "article" else 0)


def ticket(visit: Visit, view: ItemView, subject: str, based_on: int, earlier: float = 0.0) -> str:
    """What a form carries: which item, which revision it is based on, what was shown and when.

    `earlier` are seconds of work on the same item before this form, which was refused and comes back.
    """
    value = {
        "of": subject,
        "by": visit.person.id,
        "based_on": based_on,
        "hash": view.hash(visit.site, visit.language),
        "guideline": visit.site.guideline,
        "at": round(time.time(), 1),
        "earlier": round(earlier, 1),
    }
    return visit.site.signer.sign("ticket", value)


def read_ticket(visit: Visit, subject: str) -> Shown:
    """What the answer refers to. Refused for a ticket of another item, person or key."""
    found = visit.site.signer.read("ticket", visit.form.get("ticket"))
    if found is None or found["of"] != subject or found["by"] != visit.person.id:
        raise Refused(403, "error_form")
    return Shown(
        based_on=int(found["based_on"]),
        shown_hash=str(found["hash"]),
        guideline=str(found["guideline"]),
        seconds=worked(visit, float(found["at"]), float(found.get("earlier", 0))),
    )


def still_shown(site: Site, view: ItemView, shown: Shown) -> bool:
    """Whether an item is what an answer to it refers to, in whichever language the page was.

    Newer guidelines alone change no item: a judgement says under which it was made.
    """
    return any(view.hash(site, language, shown.guideline) == shown.shown_hash for language in LANGUAGES)


def worked(visit: Visit, since: float, earlier: float = 0.0) -> float:
    """Seconds of work: time since the form was made, less when the page was out of sight, never past idle."""
    passed = max(time.time() - since, 0.0)
    said = visit.form.get("active", "")
    try:
        active = float(said) if said else passed
    except ValueError:
        active = passed
    # the browser may only shorten what the server saw
    active = active if 0 <= active <= passed else passed
    return min(active + earlier, visit.site.own.idle_seconds)


def filled(site: Site, last: Annotation | None) -> dict[str, str]:
    """A stored judgement as the fields of the form."""
    if last is None:
        return {}
    given: dict[str, Any] = {"label": last.label, "confidence": last.confidence, "second": last.second}
    given |= {
        question.name: last.answers.get(question.name)
        for question in site.scheme.questions
        if question.name not in ("confidence", "second")
    }
    given["note"] = last.note
    return {name: str(value) for name, value in given.items() if value is not None}


def boxes(site: Site, view: ItemView, last: Annotation | None) -> set[int] | None:
    """Places of the sentences chosen before; None where sentences are not marked."""
    if not site.scheme.sentences:
        return None
    return places_of(view.article.text, last.answers.get("sentences", ()) if last else ())


def summary(visit: Visit, found: Annotation) -> str:
    """A judgement in a few words: label, confidence, second choice."""
    parts = [visit.call_label(found.label)]
    if found.confidence is not None:
        parts.append(f"{visit.words('confidence')} {found.confidence}")
    if found.second:
        parts.append(f"{visit.words('second_choice')}: {visit.call_label(found.second)}")
    return " · ".join(parts)
