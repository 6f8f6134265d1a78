"""The discussion of the pilot: what people say of pairs that they judged differently."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from annotation.app.items import item_view, summary, worked
from annotation.app.sheets import sheet_of
from annotation.app.site import Lead, Reader, Refused, Visit, go
from annotation.rounds.disputes import Dispute, to_discuss
from annotation.rounds.kinds import PILOT
from annotation.rounds.paid import spent
from annotation.rounds.reading import found
from annotation.rounds.writing import writing
from dalil.ids import make_id
from dalil.records import Annotation, Person, Remark, fit_text, utc_now

routes = APIRouter()
LONGEST_REMARK = 2_000
A_FEW = 20
"""pairs on a sheet with their whole articles"""
LETTERS = ("أ", "ب", "ج", "د", "هـ", "و", "ز", "ح"), ("A", "B", "C", "D", "E", "F", "G", "H")
OWN, LEADS = "/discussion", "/lead/discussion"


@routes.get(OWN)
def discussion(visit: Reader) -> Response:
    """Pairs of the pilot that I and others judged differently: my own judgement, and what people say."""
    return _page(visit, to_discuss(visit.store, visit.person.id), OWN)


@routes.get(LEADS)
def discussions(visit: Lead) -> Response:
    """All of them, with how often each label was given."""
    return _page(visit, to_discuss(visit.store), LEADS)


@routes.post(OWN + "/{pair_id}")
def remark(visit: Reader, pair_id: str) -> Response:
    """Say something about a pair that I judged."""
    return _say(visit, pair_id, to_discuss(visit.store, visit.person.id), OWN)


@routes.post(LEADS + "/{pair_id}")
def lead_remark(visit: Lead, pair_id: str) -> Response:
    """The lead answers."""
    return _say(visit, pair_id, to_discuss(visit.store), LEADS)


def letters_of(visit: Visit, pair: str, names: list[str]) -> dict[str, str]:
    """A letter for each person, other letters on each pair, so that nobody is known or computed by theirs."""
    letters = LETTERS[0] if visit.language == "ar" else LETTERS[1]
    order = sorted(set(names), key=lambda name: visit.site.signer.lot("letter", f"{pair}\0{name}"))
    return {
        name: letters[place] if place < len(letters) else str(place + 1) for place, name in enumerate(order)
    }


def _page(visit: Visit, disputes: list[Dispute], path: str) -> Response:
    sheet = sheet_of(visit, disputes, A_FEW)
    leads = {one.id for one in visit.store.all(Person, role="lead")}
    started = visit.site.signer.sign("remark", {"by": visit.person.id, "at": time.time()})
    rows = [_row(visit, one, leads) for one in sheet.rows]
    leading = path == LEADS
    template = "lead/discussion.html" if leading else "discussion.html"
    return visit.page(template, rows=rows, sheet=sheet, to=path, ticket=started, leading=leading)


def _row(visit: Visit, dispute: Dispute, leads: set[str]) -> dict[str, Any]:
    remarks = sorted(visit.store.all(Remark, pair_id=dispute.pair), key=lambda one: (one.number, one.id))
    letters = letters_of(visit, dispute.pair, [one.person for one in remarks if one.person not in leads])
    mine = [vote.id for vote in dispute.votes if vote.annotator == visit.person.id]
    labels = [vote.label for vote in dispute.votes]

    def speaker(name: str) -> str:
        if name == visit.person.id:
            return visit.words("you")
        return (
            visit.words("participant", letter=letters[name]) if name in letters else visit.words("the_lead")
        )

    return {
        "view": item_view(visit.site, dispute.pair),
        "own": summary(visit, next(visit.store.all(Annotation, id=mine[0]))) if mine else None,
        "different": len(set(labels)),
        "counts": sorted({(name, labels.count(name)) for name in labels}),
        "remarks": [(speaker(one.person), one.text) for one in remarks],
    }


def _say(visit: Visit, pair_id: str, disputes: list[Dispute], path: str) -> Response:
    if pair_id not in {one.pair for one in disputes}:
        raise Refused(404, "error_not_found")
    text = fit_text(visit.form.get("text", "").strip())
    if len(text) > LONGEST_REMARK:
        raise Refused(413, "error_too_big")
    if not text:
        return go(path)
    started = visit.site.signer.read("remark", visit.form.get("ticket"))
    begun = float(started["at"]) if started and started["by"] == visit.person.id else time.time()
    with writing(visit.store) as writer:
        known = found(writer.connection, Remark, pair_id=pair_id)
        said = any((one.person, one.text) == (visit.person.id, text) for one in known)
        number = 1 + max((one.number for one in known), default=0)
        made = Remark(
            id=make_id("remark", pair_id, str(number)),
            pair_id=pair_id,
            person=visit.person.id,
            text=text,
            number=number,
            at=utc_now(),
        )
        paid = spent(made.id, visit.person.id, "remark", worked(visit, begun), PILOT)
        writer.put_new([] if said else [made, paid])
    return go(path)
