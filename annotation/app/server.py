"""The application: routes, errors, headers."""

from __future__ import annotations

import logging
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import HTTPException, RequestValidationError
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware

from annotation.app import adjudicator, annotator, entry, handedit, lead
from annotation.app.figures import Figures
from annotation.app.security import Guard
from annotation.app.site import Elsewhere, Refused, Site, Visit, go, known_visit
from annotation.rounds.settings import AnnotateSettings
from dalil.corpus import Corpus

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
    app.state.figures = Figures(site.store, site.scheme, settings)
    for part in (entry, annotator, adjudicator, lead, handedit):
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
    app.add_middleware(Guard, secure=site.secure)
    return app


def hosts(own: AnnotateSettings) -> list[str]:
    """Names under which the page may be asked for: others are refused, against DNS rebinding."""
    if own.host in ("0.0.0.0", "::") and not own.address:  # noqa: S104 (compared, not bound)
        return ["*"]
    named = [*LOOPBACK, own.host]
    if own.address and (host := urlsplit(own.address).hostname):
        named.append(host)
    return named


def _errors(app: FastAPI, site: Site) -> None:
    def answer(request: Request, status: int, key: str) -> HTMLResponse:
        # after an unexpected error nothing more is asked of the store
        visit = Visit(site, request) if status == 500 else known_visit(Visit(site, request))
        title = "no_session_title" if key == "no_session" else "error_title"
        return visit.page("message.html", status, title=visit.words(title), text=visit.words(key), saved=None)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return answer(request, error.status, error.key)

    @app.exception_handler(Elsewhere)
    async def elsewhere(request: Request, error: Elsewhere) -> Response:
        return go(error.path)

    @app.exception_handler(StarletteHTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return answer(request, error.status_code, _KEYS.get(error.status_code, "error_form"))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return answer(request, 400, "error_form")

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        LOG.exception("%s %s", request.method, request.url.path)
        return answer(request, 500, "error_server")
