"""The annotator's pages: one item after another, feedback on training, what was judged."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from annotation.answers import LONGEST_TEXT, Unanswered, answer_of
from annotation.app.display import chosen_sentences
from annotation.app.entry import nothing
from annotation.app.items import boxes, filled, item_view, read_ticket, still_shown, summary, ticket, worked
from annotation.app.sheets import sheet_of
from annotation.app.site import Blank, Reader, Refused, Somebody, Visit, go
from annotation.rounds.judging import SKIP_REASONS, Shown
from annotation.rounds.kinds import TRAINING, told
from annotation.rounds.paid import spent
from annotation.rounds.queue import next_step, progress
from annotation.rounds.reading import latest
from annotation.rounds.writing import writing
from dalil.ids import make_id
from dalil.records import Annotation, Assignment, Reference, Skip

routes = APIRouter()


@routes.get("/work")
def work(visit: Somebody) -> Response:
    """Whatever comes next."""
    step = next_step(visit.store, visit.person, visit.site.own, visit.site.scheme, visit.site.notices)
    if step.what == "accept":
        return go(f"/notice/{step.notice}")
    if step.assignment is not None:
        return item_page(visit, step.assignment)
    return visit.page("message.html", **nothing(visit, step.what), saved=_saved(visit))


@routes.get("/work/{assignment_id}")
def work_on(visit: Reader, assignment_id: str) -> Response:
    """One of my items, judged or not."""
    return item_page(visit, mine(visit, assignment_id))


@routes.post("/work/{assignment_id}")
def judge(visit: Reader, assignment_id: str) -> Response:
    """A judgement, or its revision."""
    assignment = mine(visit, assignment_id)
    shown = read_ticket(visit, assignment.id)
    view = item_view(visit.site, assignment.pair_id)
    if not still_shown(visit.site, view, shown):  # a claim that was mended meanwhile is another claim
        return item_page(visit, assignment, given=visit.form, warning="item_changed", earlier=shown.seconds)
    chosen = chosen_sentences(view.article.text, visit.sentences)
    try:
        answer = answer_of(visit.site.scheme, visit.form, chosen)
    except Unanswered as problem:
        return item_page(
            visit, assignment, given=visit.form, problems=problem.problems, earlier=shown.seconds
        )
    outcome = visit.site.judging.judge(
        assignment,
        answer,
        shown,
        still=lambda inside: item_view(visit.site, assignment.pair_id, inside) == view,
    )
    if outcome == "item_changed":
        return _shown_anew(visit, assignment, shown)
    if outcome in ("changed_elsewhere", "closed"):
        return item_page(visit, assignment, warning=outcome)
    if assignment.round == TRAINING:
        return go(f"/work/{assignment.id}/feedback")
    return go(f"/work?saved={assignment.id}")


def _shown_anew(visit: Visit, assignment: Assignment, shown: Shown) -> Response:
    """The item as it is by now, with the form as it was filled in."""
    return item_page(visit, assignment, given=visit.form, warning="item_changed", earlier=shown.seconds)


@routes.post("/work/{assignment_id}/skip")
def skip(visit: Reader, assignment_id: str) -> Response:
    """Not judged, and why."""
    assignment = mine(visit, assignment_id)
    shown = read_ticket(visit, assignment.id)
    reason = visit.form.get("reason", "")
    if reason not in SKIP_REASONS:
        return item_page(visit, assignment, problems={"skip": "choose_one"}, earlier=shown.seconds)
    if len(visit.form.get("note", "")) > LONGEST_TEXT:
        return item_page(visit, assignment, problems={"skip": "too_long"}, earlier=shown.seconds)
    outcome = visit.site.judging.skip(assignment, reason, visit.form.get("note"), shown.seconds)
    if outcome in ("changed_elsewhere", "closed"):
        return item_page(visit, assignment, warning=outcome)
    return go(f"/work?saved={assignment.id}")


@routes.get("/work/{assignment_id}/feedback")
def feedback(visit: Reader, assignment_id: str) -> Response:
    """What the experts said of a training item, once it is judged."""
    assignment = mine(visit, assignment_id)
    own = last_judgement(visit, assignment)
    gold = visit.store.get(Reference, assignment.pair_id)
    if assignment.round != TRAINING or own is None or gold is None:
        raise Refused(404, "error_not_found")
    return visit.page(
        "feedback.html",
        view=item_view(visit.site, assignment.pair_id),
        own=own,
        gold=gold,
        label=visit.site.scheme.label(gold.label),
        assignment=assignment,
        ticket=visit.site.signer.sign("feedback", {"of": assignment.id, "at": time.time()}),
    )


@routes.post("/work/{assignment_id}/feedback")
def feedback_read(visit: Reader, assignment_id: str) -> Response:
    """On to the next item. Reading what the experts said is paid time, once a judgement."""
    assignment = mine(visit, assignment_id)
    own = last_judgement(visit, assignment)
    shown = visit.site.signer.read("feedback", visit.form.get("ticket"))
    if assignment.round != TRAINING or own is None:
        raise Refused(404, "error_not_found")
    if shown is not None and shown["of"] == assignment.id:
        seconds = worked(visit, float(shown["at"]))
        paid = spent(make_id("feedback", own.id), visit.person.id, "feedback", seconds, TRAINING)
        with writing(visit.store) as writer:
            writer.put_new([paid])
    return go("/work")


@routes.get("/mine")
def judged(visit: Reader) -> Response:
    """What I judged, the last first."""
    person = visit.person.id
    found = latest(visit.store.all(Annotation, annotator=person))
    held = {(one.pair_id, one.round): one for one in visit.store.all(Assignment, annotator=person)}
    ordered = sorted(found.values(), key=lambda one: (one.at or "", one.id), reverse=True)
    sheet = sheet_of(visit, [one for one in ordered if (one.pair_id, one.round) in held])
    rows = [
        (
            held[one.pair_id, one.round],
            item_view(visit.site, one.pair_id),
            summary(visit, one),
            told(one.round),
        )
        for one in sheet.rows
    ]
    return visit.page("mine.html", rows=rows, sheet=sheet)


def mine(visit: Visit, assignment_id: str) -> Assignment:
    """An assignment of the person who asks; nobody reaches another's."""
    found = visit.store.get(Assignment, assignment_id)
    if found is None or found.annotator != visit.person.id:
        raise Refused(404, "error_not_found")
    step = next_step(visit.store, visit.person, visit.site.own, visit.site.scheme, visit.site.notices)
    # what is judged can be revised; anything else only when its turn has come
    known = last_judgement(visit, found) is not None
    if not known and visit.request.method == "GET":
        waiting = step.assignment
        reachable = waiting is not None and waiting.round == found.round
        skipped = visit.store.count(Skip, pair_id=found.pair_id, annotator=found.annotator, round=found.round)
        if not (reachable or skipped):
            raise Refused(404, "error_not_found")
    if not known and visit.request.method == "POST" and step.what in ("failed", "enough"):
        raise Refused(403, "error_forbidden")
    return found


def last_judgement(visit: Visit, assignment: Assignment) -> Annotation | None:
    """The last revision of an assignment's judgement."""
    known = visit.store.all(
        Annotation, pair_id=assignment.pair_id, annotator=assignment.annotator, round=assignment.round
    )
    return max(known, key=lambda one: one.number, default=None)


def item_page(
    visit: Visit,
    assignment: Assignment,
    *,
    given: Mapping[str, str] | None = None,
    problems: Mapping[str, str] | None = None,
    warning: str | None = None,
    earlier: float = 0.0,
) -> Response:
    """An item with its form; after a refused form, with what was filled in and the time it took."""
    view = item_view(visit.site, assignment.pair_id)
    last = last_judgement(visit, assignment)
    own = progress(visit.store, visit.person.id)
    same = [one for name, one in own.items() if told(name) == told(assignment.round)]
    values = dict(given) if given is not None else filled(visit.site, last)
    chosen = boxes(visit.site, view, last)
    if given is not None and chosen is not None:
        chosen = {int(place) for place in visit.sentences if place.isdecimal() and len(place) < 7}
    skipped = visit.store.count(
        Skip, pair_id=assignment.pair_id, annotator=assignment.annotator, round=assignment.round
    )
    return visit.page(
        "item.html",
        status=422 if problems else 409 if warning else 200,
        view=view,
        assignment=assignment,
        round=told(assignment.round),
        judged=sum(one.judged + one.skipped for one in same),
        assigned=sum(one.assigned for one in same),
        given=Blank(values),
        boxes=chosen,
        based_on=last.number if last else 0,
        ticket=ticket(visit, view, assignment.id, last.number if last else 0, earlier),
        problems=Blank(problems or {}),
        warning=warning,
        typed=visit.typed(values.values()) if warning else [],
        skip_note=visit.form.get("note", "") if problems and "skip" in problems else "",
        skipped=bool(skipped),
        reasons=SKIP_REASONS,
        saved=_saved(visit),
        preview=False,
        **question_context(visit, values),
    )


def question_context(visit: Visit, given: Mapping[str, str]) -> dict[str, Any]:
    """Which follow-up questions are asked with these answers."""
    asked: dict[str, str] = {"label": given.get("label", "")}
    shown = {}
    for question in visit.site.scheme.questions:
        shown[question.name] = question.asked(asked)
        if shown[question.name] and given.get(question.name):
            asked[question.name] = given[question.name]
    return {"asked": shown}


def _saved(visit: Visit) -> tuple[str, str] | None:
    """What was stored last: the item, and how it was judged ("" for a skip)."""
    key = visit.request.query_params.get("saved", "")
    found = visit.store.get(Assignment, key) if key else None
    if found is None or found.annotator != visit.person.id:
        return None
    last = last_judgement(visit, found)
    return found.id, summary(visit, last) if last else ""
