"""The adjudicator's pages: disagreements, votes side by side, names hidden."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from annotation.answers import LONGEST_TEXT
from annotation.app.discussing import letters_of
from annotation.app.items import ItemView, boxes, item_view, worked
from annotation.app.sheets import sheet_of
from annotation.app.site import Adjudicator, Blank, Refused, Visit, go
from annotation.rounds.disputes import Dispute, dispute_of, disputes, to_rule
from annotation.schemes import HIGHLY_UNCERTAIN
from dalil.errors import UsageError
from dalil.records import Annotation, Decision
from dalil.text.sentences import sentences

routes = APIRouter()


@routes.get("/adjudicate")
def queue(visit: Adjudicator) -> Response:
    """What waits for a ruling, and what was ruled."""
    found = disputes(visit.store)
    waiting = {one.pair for one in to_rule(visit.store, visit.site.own)}
    shown = [one for one in found if one.pair in waiting or one.ruling is not None]
    sheet = sheet_of(visit, sorted(shown, key=lambda one: one.pair not in waiting))
    rows = [(one, item_view(visit.site, one.pair), one.judged_by(visit.person.id)) for one in sheet.rows]
    first = next(
        (one.pair for one in shown if one.pair in waiting and not one.judged_by(visit.person.id)), None
    )
    return visit.page(
        "adjudicate.html", rows=rows, sheet=sheet, waiting=len(waiting), first=first, saved=_ruled(visit)
    )


@routes.get("/adjudicate/{pair_id}")
def dispute(visit: Adjudicator, pair_id: str) -> Response:
    """One disagreement."""
    return _page(visit, _found(visit, pair_id))


@routes.post("/adjudicate/{pair_id}")
def rule(visit: Adjudicator, pair_id: str) -> Response:
    """A ruling, or its revision."""
    found = _found(visit, pair_id)
    shown = visit.site.signer.read("ruling", visit.form.get("ticket"))
    if shown is None or shown["pair"] != pair_id or shown["by"] != visit.person.id:
        raise Refused(403, "error_form")
    label, note = visit.form.get("label", ""), visit.form.get("note", "")
    spent = worked(visit, float(shown["at"]), float(shown.get("earlier", 0)))
    if len(note) > LONGEST_TEXT:
        return _page(visit, found, problem="too_long", earlier=spent)
    try:
        outcome = visit.site.judging.rule(
            pair_id, visit.person.id, label, note, int(shown["based_on"]), spent
        )
    except UsageError:
        problem = "choose_one" if not label else "unknown_answer"
        return _page(visit, found, problem=problem, earlier=spent)
    if outcome == "changed_elsewhere":
        return _page(visit, _found(visit, pair_id), problem="ruling_changed")
    following = [one for one in to_rule(visit.store, visit.site.own) if not one.judged_by(visit.person.id)]
    return go(f"/adjudicate/{following[0].pair if following else ''}".rstrip("/") + f"?saved={pair_id}")


def _found(visit: Visit, pair_id: str) -> Dispute:
    """A disagreement on which the person who asks may rule: nobody rules on what they judged themselves."""
    found = dispute_of(visit.store, pair_id)
    if found is None:
        raise Refused(404, "error_not_found")
    if found.judged_by(visit.person.id):
        raise Refused(403, "error_forbidden")
    return found


def _page(visit: Visit, found: Dispute, problem: str | None = None, earlier: float = 0.0) -> Response:
    view = item_view(visit.site, found.pair)
    letters = letters_of(visit, found.pair, [vote.annotator for vote in found.votes])
    cast = list(visit.store.all(Annotation, id=[vote.id for vote in found.votes]))
    votes = sorted(cast, key=lambda vote: letters[vote.annotator])
    ruling = found.ruling
    based_on = ruling.number if ruling else 0
    given = {"label": ruling.label, "note": ruling.note or ""} if ruling else {}
    changed = problem == "ruling_changed"  # then what is stored is shown
    if problem and not changed:
        given = {name: visit.form.get(name, "") for name in ("label", "note")}
    value = {"pair": found.pair, "by": visit.person.id, "based_on": based_on}
    signed = visit.site.signer.sign("ruling", value | {"at": time.time(), "earlier": round(earlier, 1)})
    return visit.page(
        "dispute.html",
        status=422 if problem else 200,
        view=view,
        votes=[_vote(visit, letters[vote.annotator], vote, view) for vote in votes],
        ruling=ruling,
        given=Blank(given),
        problem=problem,
        typed=visit.typed(given.values()) if changed else [],
        ticket=signed,
        waiting=len(to_rule(visit.store, visit.site.own)),
        saved=_ruled(visit),
    )


def _ruled(visit: Visit) -> tuple[str, str] | None:
    """The ruling that was stored last, if this person made it: the pair, and the label in words."""
    pair = visit.request.query_params.get("saved", "")
    made = list(visit.store.all(Decision, pair_id=pair)) if pair else []
    last = max(made, key=lambda one: one.number, default=None)
    if last is None or last.adjudicator != visit.person.id:
        return None
    return pair, visit.call_label(last.label)


def _vote(visit: Visit, letter: str, vote: Annotation, view: ItemView) -> dict[str, Any]:
    second = vote.second
    marked = boxes(visit.site, view, vote)
    spans = sentences(view.article.text) if marked else []
    return {
        "letter": letter,
        "label": visit.site.scheme.label(vote.label),
        "name": vote.label,
        "confidence": vote.confidence,
        "second": visit.call_label(second) if second else None,
        "uncertain": second == HIGHLY_UNCERTAIN,
        "note": vote.note,
        "sentences": [spans[place].text for place in sorted(marked)] if marked else [],
        "answers": [_said(visit, name, str(vote.answers[name])) for name in _in_order(visit, vote)],
    }


def _in_order(visit: Visit, vote: Annotation) -> list[str]:
    """Names of the questions answered, as the scheme asks them."""
    asked = [question.name for question in visit.site.scheme.questions]
    names = [name for name in vote.answers if name != "sentences"]
    return sorted(names, key=lambda name: (asked.index(name) if name in asked else len(asked), name))


def _said(visit: Visit, name: str, value: str) -> tuple[str, str]:
    """A question and its answer as annotators saw them."""
    question = next((one for one in visit.site.scheme.questions if one.name == name), None)
    if question is None:
        return name, value
    asked = question.text.within(visit.language, name)
    if question.kind == "text":
        return asked, value
    if question.kind == "label" and visit.site.scheme.label(value):
        return asked, visit.call_label(value)
    option = next((one for one in question.options if one.value == value), None)
    if option is None:
        return asked, value
    if question.kind == "scale":
        return asked, f"{value} {option.within(visit.language)}".strip()
    return asked, option.within(visit.language, value)
