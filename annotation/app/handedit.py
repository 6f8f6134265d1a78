"""The hand edit of claims: what the site printed, what the rules made of it, who changed what and when."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from annotation.app.sheets import sheet_of
from annotation.app.site import Lead, Refused, Visit, go
from annotation.rounds.reading import found
from annotation.rounds.writing import writing
from dalil.ids import make_id
from dalil.records import Assignment, Claim, ClaimEdit, CleanedClaim, Pair, fit_text, utc_now

routes = APIRouter()
LONGEST = 2_000


@routes.get("/lead/claims")
def claims(visit: Lead) -> Response:
    """Claims, those that need a look first."""
    wanted = visit.request.query_params.get("show", "")
    wanted = wanted if wanted in ("all", "edited") else "flagged"
    edits = _edits(visit)
    out = {key for key, one in edits.items() if one.after == "(drop)"}
    rows = []
    cleaned = {one.id: one for one in visit.store.all(CleanedClaim)}
    for claim in visit.store.all(Claim):
        made = cleaned.get(claim.id)
        flagged = made is None or any(flag.startswith("needs_edit") for flag in made.flags)
        needs = flagged and claim.id not in out
        edited = claim.id in edits
        if wanted == "all" or (wanted == "edited" and edited) or (wanted == "flagged" and needs):
            rows.append((claim, made, edited, needs))
    return visit.page("lead/claims.html", sheet=sheet_of(visit, rows, show=wanted), wanted=wanted)


@routes.get("/lead/claims/{claim_id}")
def claim(visit: Lead, claim_id: str) -> Response:
    return _page(visit, claim_id)


@routes.post("/lead/claims/{claim_id}")
def edit(visit: Lead, claim_id: str) -> Response:
    """Append an edit. Nobody's edit is covered by somebody who did not see it."""
    known = visit.store.get(Claim, claim_id)
    if known is None:
        raise Refused(404, "error_not_found")
    after = fit_text(visit.form.get("after", "").strip())
    note = fit_text(visit.form.get("note", "").strip()) or None
    if len(after) > LONGEST or len(note or "") > LONGEST:
        return _page(visit, claim_id, problem="too_long")
    if not _append(visit, claim_id, after, note):
        return _page(visit, claim_id, problem="edit_changed_elsewhere")
    return go(f"/lead/claims/{claim_id}?saved=1")


def _append(visit: Visit, claim_id: str, after: str, note: str | None) -> bool:
    """Whether the edit is stored (or was, when a form is sent twice)."""
    with writing(visit.store) as writer:
        earlier = found(writer.connection, ClaimEdit, claim_id=claim_id)
        last = max(earlier, key=lambda one: one.number, default=None)
        if last is not None and (last.after, last.note, last.editor) == (after, note, visit.person.id):
            return True
        if str(last.number if last else 0) != visit.form.get("based_on"):
            return False
        made = found(writer.connection, CleanedClaim, id=claim_id)
        number = (last.number if last else 0) + 1
        edit = ClaimEdit(
            id=make_id("edit", claim_id, str(number)),
            claim_id=claim_id,
            before=made[0].text if made else "",
            after=after,
            note=note,
            editor=visit.person.id,
            number=number,
            at=utc_now(),
        )
        writer.put_new([edit])
    return True


def _page(visit: Visit, claim_id: str, problem: str | None = None) -> Response:
    known = visit.store.get(Claim, claim_id)
    if known is None:
        raise Refused(404, "error_not_found")
    history = sorted(visit.store.all(ClaimEdit, claim_id=claim_id), key=lambda one: -one.number)
    made = visit.store.get(CleanedClaim, claim_id)
    pairs = [pair.id for pair in visit.store.all(Pair, claim_id=claim_id)]
    assigned = {one.pair_id for one in visit.store.all(Assignment, pair_id=pairs)} if pairs else set()
    last = history[0] if history else None
    return visit.page(
        "lead/claim.html",
        status=422 if problem else 200,
        claim=known,
        made=made,
        history=history,
        based_on=last.number if last else 0,
        text=visit.form.get("after", last.after if last and last.after else made.text if made else ""),
        note=visit.form.get("note", ""),
        judged=len(assigned),
        problem=problem,
        saved=visit.request.query_params.get("saved") == "1" and not problem,
    )


def _edits(visit: Visit) -> dict[str, ClaimEdit]:
    """Claim → its last edit."""
    last: dict[str, ClaimEdit] = {}
    for one in visit.store.all(ClaimEdit):
        if one.claim_id not in last or one.number > last[one.claim_id].number:
            last[one.claim_id] = one
    return last
