"""The lead's pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from fastapi import APIRouter
from fastapi.responses import Response

from annotation.app.annotator import question_context
from annotation.app.entry import hours
from annotation.app.figures import Figures
from annotation.app.items import boxes, item_view
from annotation.app.sheets import sheet_of
from annotation.app.site import Blank, Lead, Refused, Visit, go
from annotation.rounds.dealing import Dealer, Dealt, deals
from annotation.rounds.disputes import disputes, to_rule
from annotation.rounds.judging import SKIP_REASONS
from annotation.rounds.kinds import NAMES
from annotation.rounds.leaving import leave, pass_on, skipped
from annotation.rounds.people import ROLES, change, clean_name, clear, invite, known_person, revoke
from annotation.rounds.queue import Progress, open_assignments, progress_of_all
from annotation.rounds.reading import found
from annotation.rounds.staffing import give_up
from annotation.rounds.writing import writing
from dalil.errors import UsageError
from dalil.records import Annotation, Assignment, Pair, Person, Reference, Round, Superseded, Work

routes = APIRouter()
DEALT = ("expert", "training", "qualification", "hidden", "pilot", "main", "third")


def figures(visit: Visit) -> Figures:
    """The figures of this site, kept between requests."""
    kept: Figures = visit.request.app.state.figures
    return kept


@routes.get("/lead")
def overview(visit: Lead) -> Response:
    """Progress per person and round, agreement, labels, paid time."""
    rows: dict[str, dict[str, Progress]] = {}
    totals: dict[str, Progress] = {}
    for (name, round_name), made in progress_of_all(visit.store).items():
        rows.setdefault(name, {})[round_name] = made
        totals[round_name] = totals.get(round_name, Progress()) + made
    paid: dict[str, float] = {}
    for one in visit.store.all(Work):
        paid[one.person] = paid.get(one.person, 0.0) + one.seconds
    now = figures(visit).kappa()
    return visit.page(
        "lead/overview.html",
        rows=rows,
        rounds=[name for name in NAMES if name in totals],
        totals=totals,
        paid={name: hours(visit, seconds) for name, seconds in paid.items()},
        paid_all=hours(visit, sum(paid.values())),
        pairs=visit.store.count(Pair),
        free=_free(visit),
        waiting=len(to_rule(visit.store, visit.site.own)),
        kappa_of=now[0] if now else None,
        kappa=now[1] if now else None,
        distribution=figures(visit).distribution(),
    )


@routes.get("/lead/people")
def people(visit: Lead) -> Response:
    return _people(visit)


@routes.post("/lead/people")
def change_people(visit: Lead) -> Response:
    """Invite, give a new link, revoke, let work, or see somebody leave. What ends a link is asked first."""
    form, store = visit.form, visit.store
    action, name = form.get("action", ""), form.get("name", "")
    try:
        if action == "invite":
            return _invited(visit)
        person = known_person(store, name)
        ends = action in ("revoke", "leave")
        if action not in ("link", "clear", "revoke", "leave") or (ends and person.id == visit.person.id):
            raise Refused(400, "error_form")
        if form.get("sure") != "1" and (ends or (action == "link" and person.invitation)):
            return _ask(visit, person)
        if action == "link":
            return _people(visit, link=(person.id, _link(visit, invite(store, person.id)[1])))
        if action == "revoke":
            revoke(store, person.id)
        elif action == "clear":
            clear(store, person.id)
        else:
            moved = leave(store, visit.site.judging.follower, person.id)
            said = visit.words(
                "person_left",
                name=apart(person.id),
                number=sum(moved.reassigned.values()),
                nobody=len(moved.nobody),
            )
            return _people(visit, message=said)
    except UsageError as error:
        return _people(visit, problem=visit.say(error), status=422)
    return go("/lead/people")


@routes.get("/lead/rounds")
def rounds(visit: Lead) -> Response:
    return _rounds(visit)


@routes.post("/lead/rounds")
def change_rounds(visit: Lead) -> Response:
    """Deal pairs out, close a round, open it again."""
    form = visit.form
    action, name = form.get("action", ""), form.get("round", "")
    if action in ("close", "open"):
        with writing(visit.store) as writer:
            rows = found(writer.connection, Round, id=name)
            writer.put(one.model_copy(update={"closed": action == "close"}) for one in rows)
        if not rows:
            raise Refused(404, "error_not_found")
        return go("/lead/rounds")
    if name not in DEALT:
        raise Refused(400, "error_form")
    number = form.get("number", "").strip()
    if number and not _count(number):
        return _rounds(visit, problem=visit.words("fail_number"), status=422)
    # a deal is no use twice: the form says after how many others it comes
    after = _count(form.get("based_on", ""))
    if after is None:
        raise Refused(400, "error_form")
    if after != deals(visit.store):
        return _rounds(visit, problem=visit.words("fail_dealt"), status=422)
    if visit.site.outdated():
        return _rounds(visit, problem=visit.words("fail_outdated"), status=422)
    dealer = Dealer(visit.site.corpus, visit.site.own, visit.site.scheme)
    deal: Callable[[int | None], Dealt] = getattr(dealer, name)
    try:
        dealt = deal(int(number) if number else None)
        new = dealer.write(dealt, after)
    except UsageError as error:
        return _rounds(visit, problem=visit.say(error), status=422)
    return _rounds(visit, dealt=dealt, new=new)


@routes.get("/lead/agreement")
def agreement(visit: Lead) -> Response:
    sections, why = figures(visit).agreement()
    return visit.page("lead/agreement.html", sections=sections, why=why)


@routes.get("/lead/raters")
def raters(visit: Lead) -> Response:
    return visit.page("lead/raters.html", rows=figures(visit).raters())


@routes.get("/lead/confusion")
def confusion(visit: Lead) -> Response:
    sheet = sheet_of(visit, figures(visit).confusions())
    return visit.page("lead/confusion.html", sheet=sheet)


@routes.get("/lead/disputes")
def disagreements(visit: Lead) -> Response:
    """Every pair on which people differ, and how far it is."""
    rows = []
    sheet = sheet_of(visit, disputes(visit.store))
    for one in sheet.rows:
        state = "ruled" if one.ruling else "tied" if one.tied else "majority"
        counts = Counter(vote.label for vote in one.votes)
        rows.append((one, item_view(visit.site, one.pair), state, sorted(counts.items())))
    return visit.page("lead/disputes.html", rows=rows, sheet=sheet)


@routes.get("/lead/skips")
def skips(visit: Lead) -> Response:
    return _skips(visit)


@routes.post("/lead/skips")
def pass_skip(visit: Lead) -> Response:
    """Give a skipped item to somebody else."""
    try:
        name = pass_on(visit.store, visit.site.judging.follower, visit.form.get("assignment", ""))
    except UsageError as error:
        return _skips(visit, message=visit.say(error), status=422)
    said = visit.words("passed_on", name=apart(name)) if name else visit.words("passed_nobody")
    return _skips(visit, message=said)


@routes.get("/lead/preview/{pair_id}")
def preview(visit: Lead, pair_id: str) -> Response:
    """An item as annotators see it."""
    view = item_view(visit.site, pair_id)
    return visit.page(
        "item.html",
        view=view,
        assignment=None,
        round="main",
        judged=0,
        assigned=0,
        given=Blank(),
        boxes=boxes(visit.site, view, None),
        based_on=0,
        ticket="",
        problems=Blank(),
        warning=None,
        skip_note="",
        skipped=False,
        reasons=SKIP_REASONS,
        saved=None,
        preview=True,
        **question_context(visit, {}),
    )


def _people(
    visit: Visit,
    *,
    link: tuple[str, str] | None = None,
    message: str | None = None,
    problem: str | None = None,
    status: int = 200,
) -> Response:
    known = list(visit.store.all(Person))
    return visit.page(
        "lead/people.html",
        status=status,
        people=known,
        # a kill may have cut short what becomes of their items: leaving once more goes on with it
        unfinished={one.id for one in known if one.left and open_assignments(visit.store, one.id, most=1)},
        roles=ROLES,
        link=link,
        message=message,
        problem=problem,
        tested=bool(visit.store.count(Reference, purpose="qualification")),
        given=Blank(visit.form if problem else {}),
    )


def _invited(visit: Visit) -> Response:
    form = visit.form
    capacity = form.get("capacity", "").strip()
    if capacity and _count(capacity) is None:
        return _people(visit, problem=visit.words("fail_number"), status=422)
    known = visit.store.get(Person, clean_name(form.get("name", "")))
    if known is not None and known.id == visit.person.id:
        return _people(visit, problem=visit.words("fail_yourself"), status=422)
    if known is not None and form.get("sure") != "1":
        return _ask(visit, known)
    person, secret = invite(
        visit.store,
        form.get("name", ""),
        role=form.get("role", "annotator"),
        expert=form.get("expert") == "1",
        languages=_listed(form.get("languages", "")),
        capacity=int(capacity) if capacity else None,
        excluded=_listed(form.get("excluded", "")),
    )
    message = _changed(visit, person.id, int(capacity) if capacity else None) if known else None
    return _people(visit, link=(person.id, _link(visit, secret)), message=message)


def _changed(visit: Visit, name: str, capacity: int | None) -> str | None:
    """What was written of somebody known holds for open pairs, too; an empty capacity is no limit."""
    with writing(visit.store) as writer:
        change(writer, name, capacity=capacity)
    moved = give_up(visit.store, visit.site.judging.follower, name)
    if not moved.withdrawn:
        return None
    return visit.words(
        "rules_moved",
        withdrawn=moved.withdrawn,
        number=sum(moved.reassigned.values()),
        nobody=len(moved.nobody),
    )


def _ask(visit: Visit, person: Person) -> Response:
    """A page that says what will come of it, and asks."""
    return visit.page(
        "lead/confirm.html",
        name=person.id,
        action=visit.form["action"],
        open=len(open_assignments(visit.store, person.id)),
        fields=[(name, value) for name, value in visit.sent if name not in ("csrf", "sure")],
    )


def _link(visit: Visit, secret: str) -> str:
    base = visit.site.own.address or str(visit.request.base_url)
    return f"{base.rstrip('/')}/join/{secret}"


def apart(name: str) -> str:
    """A name that runs its own way and turns nothing around it."""
    return f"\u2068{name}\u2069"


def _count(text: str) -> int | None:
    """A number of pairs as somebody wrote it (in Arabic digits, too); None where it is none."""
    return int(text) if text.isdecimal() and len(text) < 8 else None


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("،", ",").split(",") if part.strip())


def _rounds(
    visit: Visit,
    *,
    dealt: Dealt | None = None,
    new: int = 0,
    problem: str | None = None,
    status: int = 200,
) -> Response:
    totals: dict[str, Progress] = {}
    for (_, name), made in progress_of_all(visit.store).items():
        totals[name] = totals.get(name, Progress()) + made
    known = {one.id: one for one in visit.store.all(Round)}
    left_out: dict[str, int] = dict(Counter(dealt.left_out.values())) if dealt else {}
    return visit.page(
        "lead/rounds.html",
        status=status,
        totals=totals,
        names=[name for name in NAMES if name in totals or name in known],
        known=known,
        dealable=DEALT,
        free=_free(visit),
        deals=deals(visit.store),
        dealt=dealt,
        new=new,
        left_out=left_out,
        given=Blank(visit.form if problem else {}),
        problem=problem,
    )


def _skips(visit: Visit, message: str | None = None, status: int = 200) -> Response:
    sheet = sheet_of(visit, list(skipped(visit.store)))
    rows = [(skip, assignment, item_view(visit.site, skip.pair_id)) for skip, assignment in sheet.rows]
    return visit.page("lead/skips.html", status=status, rows=rows, sheet=sheet, message=message)


def _free(visit: Visit) -> int:
    """Pairs that nobody was given."""
    given = {row[0] for row in visit.store.count_by(Assignment, "pair_id")}
    given |= {row[0] for row in visit.store.count_by(Annotation, "pair_id")}
    return len(visit.store.ids(Pair) - visit.store.ids(Superseded) - given)
