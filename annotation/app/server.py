"""The application: routes, errors, headers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import Scope

from annotation.app import adjudicator, annotator, discussing, entry, handedit, lead
from annotation.app.figures import Figures
from annotation.app.security import Guard
from annotation.app.site import Elsewhere, Refused, Site, Unread, Visit, go, known_visit
from annotation.gold import GoldSettings
from annotation.ratings_scheme import read_scheme
from annotation.rounds.settings import AnnotateSettings
from annotation.rounds.writing import is_busy
from dalil.corpus import Corpus
from dalil.errors import StateError

LOG = logging.getLogger("dalil.annotate")
STATIC = Path(__file__).with_name("static")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "testserver")
_KEYS = {403: "error_forbidden", 404: "error_not_found", 405: "error_not_found", 413: "error_too_big"}


def create_app(corpus: Corpus, own: AnnotateSettings | None = None) -> FastAPI:
    """The page of an open corpus. Raises UsageError or InputError for a scheme or notice that is wrong."""
    settings = own or corpus.section("annotate", AnnotateSettings)
    site = Site(corpus, settings)
    app = FastAPI(title="dalil annotate", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    gold = corpus.section("gold", GoldSettings)
    labels = read_scheme(gold.scheme, corpus.path) if gold.scheme else None
    app.state.figures = Figures(site.store, site.scheme, settings, gold, labels)
    for part in (entry, annotator, discussing, adjudicator, lead, handedit):
        app.include_router(part.routes)

    @app.get("/scheme.css")
    def scheme_css() -> Response:
        """Colours of the labels: a stylesheet, because the policy allows no style in the page."""
        rules = [
            f".label-{place} {{ --label: {label.colour}; }}" for place, label in enumerate(site.scheme.labels)
        ]
        return Response("\n".join(rules), media_type="text/css")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _errors(app, site)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=hosts(settings))
    app.add_middleware(Guard, failed=_failed(site), secure=site.secure)
    return app


def hosts(own: AnnotateSettings) -> list[str]:
    """Names under which the page may be asked for: others are refused, against DNS rebinding."""
    if own.host in ("0.0.0.0", "::") and not own.address:  # noqa: S104 (compared, not bound)
        return ["*"]
    named = [*LOOPBACK, own.host]
    if own.address and (host := urlsplit(own.address).hostname):
        named.append(host)
    return named


def _visit(site: Site, request: Request) -> Visit:
    """The request as far as it came."""
    found: Visit = getattr(request.state, "visit", None) or Visit(site, request)
    return found


def _told(visit: Visit, status: int, key: str, **more: Any) -> HTMLResponse:
    """An error page. What somebody wrote is on it, so that nobody has to write it again."""
    title = "no_session_title" if key == "no_session" else "error_title"
    said = {"title": visit.words(title), "text": visit.words(key), "typed": visit.typed(), **more}
    return visit.page("message.html", status, **said)


def _again(visit: Visit) -> dict[str, Any]:
    """A form as it came, to be sent again: of somebody who is here (so it came from one of their pages)."""
    if visit.request.method != "POST" or visit.session is None:
        return {}
    return {"again": visit.request.url.path, "fields": visit.sent}


def _failed(site: Site) -> Callable[[Scope, Exception], Response]:
    """The answer to an unexpected error, for which nothing more is asked of the store."""

    def failed(scope: Scope, error: Exception) -> Response:
        # the pattern, not the path: links are secrets
        pattern = getattr(scope.get("route"), "path", "(no route)")
        LOG.error("%s %s", scope["method"], pattern, exc_info=error)
        visit = _visit(site, Request(scope))
        return _told(visit, 500, "error_server", **_again(visit))

    return failed


def _errors(app: FastAPI, site: Site) -> None:
    def answer(request: Request, status: int, key: str) -> HTMLResponse:
        visit = _visit(site, request)
        return _told(visit if visit.session else known_visit(visit), status, key)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return answer(request, error.status, error.key)

    @app.exception_handler(Unread)
    async def unread(request: Request, error: Unread) -> Response:
        visit = _visit(site, request)
        return _told(visit, 409, "error_unread", **_again(visit), notice=error.kind)

    @app.exception_handler(StateError)
    async def state(request: Request, error: StateError) -> Response:
        LOG.error("%s", error.line())
        visit = _visit(site, request)
        return _told(visit, 503, "error_busy" if is_busy(error) else "error_store", **_again(visit))

    @app.exception_handler(Elsewhere)
    async def elsewhere(request: Request, error: Elsewhere) -> Response:
        return go(error.path)

    @app.exception_handler(StarletteHTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return answer(request, error.status_code, _KEYS.get(error.status_code, "error_form"))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return answer(request, 400, "error_form")
