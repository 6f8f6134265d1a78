"""Entering by a personal link, leaving, the language, notices, the desk."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter
from fastapi.responses import Response

from annotation.app.items import worked
from annotation.app.security import LANGUAGE
from annotation.app.site import Anybody, Refused, Somebody, Visit, go
from annotation.app.words import LANGUAGES, direction_of
from annotation.rounds.disputes import to_discuss
from annotation.rounds.kinds import NAMES, told
from annotation.rounds.notices import accept
from annotation.rounds.people import by_secret
from annotation.rounds.queue import Progress, accepted, judged_today, next_step, progress, to_accept
from dalil.records import Work

routes = APIRouter()


@routes.get("/join/{secret}")
def join(visit: Anybody, secret: str) -> Response:
    """A personal link only shows a button: programs that look into links enter nothing."""
    person = by_secret(visit.store, secret)
    if person is None:
        raise Refused(404, "error_link")
    return visit.page("join.html", name=person.id, secret=secret)


@routes.post("/join")
def enter(visit: Anybody) -> Response:
    found = by_secret(visit.store, visit.form.get("secret", ""))
    if found is None:
        raise Refused(404, "error_link")
    answer = go("/")
    sessions = visit.site.sessions
    answer.set_cookie(
        visit.site.cookie,
        sessions.begin(found),
        max_age=sessions.seconds,
        httponly=True,
        samesite="lax",
        secure=visit.site.secure,
    )
    return answer


@routes.post("/sign-out")
def sign_out(visit: Somebody) -> Response:
    """End this session, wherever a copy of its cookie is."""
    if visit.session is not None:
        visit.site.ended.end(visit.session.nonce, visit.session.until)
    visit.session = None
    answer = visit.page("message.html", title=visit.words("sign_out"), text=visit.words("signed_out"))
    answer.delete_cookie(visit.site.cookie, secure=visit.site.secure, httponly=True, samesite="lax")
    return answer


@routes.post("/language")
def language(visit: Anybody) -> Response:
    """Choose the language of the page."""
    chosen = visit.form.get("language", "")
    answer = go(local_path(visit.form.get("back", "/")))
    if chosen in LANGUAGES:
        answer.set_cookie(LANGUAGE, chosen, max_age=31_536_000, samesite="lax", secure=visit.site.secure)
    return answer


@routes.get("/")
def desk(visit: Somebody) -> Response:
    """Where somebody begins."""
    role = visit.person.role
    own = progress(visit.store, visit.person.id)
    if role == "lead" and not own:
        return go("/lead")
    if role == "adjudicator" and not own:
        return go("/adjudicate")
    step = next_step(visit.store, visit.person, visit.site.own, visit.site.scheme, visit.site.notices)
    seconds = sum(one.seconds for one in visit.store.all(Work, person=visit.person.id))
    return visit.page(
        "desk.html",
        rounds=told_progress(own),
        today=judged_today(visit.store, visit.person.id),
        hours=hours(visit, seconds),
        step=step,
        begun=any(one.judged for one in own.values()),
        disputed=bool(to_discuss(visit.store, visit.person.id)),
    )


@routes.get("/notice/{kind}")
def notice(visit: Somebody, kind: str) -> Response:
    """Information sheet or guidelines."""
    found = visit.site.notices
    if kind not in found.kinds:
        raise Refused(404, "error_not_found")
    version, text = found.version(kind), found.text(kind, visit.language)
    written = visit.language if found.found[kind].texts.get(visit.language) else visit.site.own.language
    value = {"kind": kind, "version": version, "by": visit.person.id, "at": time.time()}
    shown_at = visit.site.signer.sign("notice", value)
    return visit.page(
        "notice.html",
        kind=kind,
        version=version,
        text=text,
        text_dir=direction_of(written),
        accepted=accepted(visit.store, visit.person.id, kind, version),
        ticket=shown_at,
        then=visit.request.query_params.get("then", ""),
    )


@routes.post("/notice/{kind}")
def accept_notice(visit: Somebody, kind: str) -> Response:
    """Somebody accepts the version that was shown: if another came meanwhile, that one is asked next."""
    shown = visit.site.signer.read("notice", visit.form.get("ticket"))
    if shown is None or (shown["kind"], shown.get("by")) != (kind, visit.person.id):
        raise Refused(403, "error_form")
    accept(visit.store, visit.person.id, kind, shown["version"], worked(visit, float(shown["at"])))
    following = to_accept(visit.store, visit.person.id, visit.site.notices)
    then = local_path(visit.form.get("then", ""))
    if following is not None:
        return go(f"/notice/{following}?{urlencode({'then': then})}")
    if then != "/":
        return go(then)
    return go("/" if visit.person.role == "adjudicator" else "/work")


def local_path(given: str) -> str:
    """A path of this site, never another address."""
    try:
        parts = urlsplit(given)
    except ValueError:  # no address at all, such as //[
        return "/"
    path = parts.path
    plain = (
        given.isprintable()
        and not parts.scheme
        and not parts.netloc
        and path.startswith("/")
        and not path.startswith("//")
    )
    return path if plain and "\\" not in path and path.isascii() else "/"


def told_progress(own: dict[str, Progress]) -> dict[str, Progress]:
    """Progress under the names that an annotator may know."""
    out: dict[str, Progress] = {}
    for name in sorted(own, key=lambda name: NAMES.index(name) if name in NAMES else len(NAMES)):
        out[told(name)] = out.get(told(name), Progress()) + own[name]
    return out


def hours(visit: Visit, seconds: float) -> str:
    """A stretch of time in words."""
    minutes = int(seconds // 60)
    if minutes >= 60:
        return visit.words("hours_minutes", hours=minutes // 60, minutes=minutes % 60)
    return visit.words("minutes", minutes=minutes)


def nothing(visit: Visit, what: str) -> dict[str, Any]:
    """What to say when there is nothing to judge."""
    return {"title": visit.words("desk"), "text": visit.words(f"step_{what}")}
