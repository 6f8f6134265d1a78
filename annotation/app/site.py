"""What every page needs: the corpus, the scheme, who is asking, and how an answer is rendered."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.datastructures import FormData

from annotation.app import display
from annotation.app.ended import Ended
from annotation.app.security import LANGUAGE, SESSION, Session, Sessions, Signer, from_elsewhere
from annotation.app.words import LANGUAGES, Words, direction_of
from annotation.rounds.judging import Judging
from annotation.rounds.notices import GUIDELINES, Notices, notices
from annotation.rounds.queue import to_accept
from annotation.rounds.settings import AnnotateSettings
from annotation.rounds.telling import Told
from annotation.schemes import Scheme
from dalil.config import FILE
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.records import Person
from dalil.state.store import Store

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 3_000


class Refused(Exception):
    """A request that is answered with an error page: a status and what to say (a key of words.toml)."""

    def __init__(self, status: int, key: str):
        self.status = status
        self.key = key
        super().__init__(key)


class Unread(Exception):
    """A form that may not be taken before a notice (`kind`) is accepted: a new version came meanwhile."""

    def __init__(self, kind: str):
        self.kind = kind
        super().__init__(kind)


class Elsewhere(Exception):
    """Another page comes first."""

    def __init__(self, path: str):
        self.path = path
        super().__init__(path)


class Blank(dict[str, str]):
    """What a form holds; a field that is not there is empty."""

    def __missing__(self, key: str) -> str:
        return ""


class Site:
    """The page of one corpus."""

    def __init__(self, corpus: Corpus, own: AnnotateSettings):
        self.folder: Path = corpus.path
        self.name: str = corpus.config.corpus.name
        self.corpus = corpus
        self.store: Store = corpus.store
        self.own = own
        self.scheme: Scheme = own.read_scheme(corpus.path)
        self.notices: Notices = notices(corpus.store, own, self.scheme, corpus.path)
        self.signer = Signer.of(corpus.path)
        self.sessions = Sessions(self.signer, own.session_hours)
        self.ended = Ended(corpus.path)
        self.judging = Judging(corpus.store, own, self.scheme)
        self.secure = bool(own.address and own.address.startswith("https://"))
        # a name of each corpus's own: cookies know no ports. With the prefix no other host of the same
        # domain can plant one
        name = f"{SESSION}_{self.signer.mark}"
        self.cookie = f"__Host-{name}" if self.secure else name
        self._read = self._stamps()

    def outdated(self) -> list[str]:
        """Files of settings that have changed since the page began, and that it has not read again."""
        now = self._stamps()
        return sorted(
            path.name for path in self._read.keys() | now.keys() if now.get(path) != self._read.get(path)
        )

    def _stamps(self) -> dict[Path, tuple[int, int]]:
        found = {}
        for name in (FILE, self.own.scheme, self.own.information):
            path = self.folder / name if name else None
            if path is not None and path.is_file():
                state = path.stat()
                found[path] = (state.st_mtime_ns, state.st_size)
        return found

    @cached_property
    def typed(self) -> frozenset[str]:
        """Names of fields in which people write."""
        own = (question.name for question in self.scheme.questions if question.kind == "text")
        return frozenset({"note", "text", "after", *own})

    @property
    def guideline(self) -> str:
        """The version of the guidelines that judgements refer to."""
        kinds = self.notices.kinds
        return self.notices.version(GUIDELINES) if GUIDELINES in kinds else self.scheme.guidelines.version

    @cached_property
    def templates(self) -> Environment:
        """Templates, everything escaped."""
        made = Environment(
            loader=PackageLoader("annotation.app"),
            autoescape=select_autoescape(default=True, default_for_string=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.globals |= {
            "shown": display.shown,
            "paragraphs": display.paragraphs,
            "markdown": display.markdown,
            "difference": display.difference,
            "direction_of": direction_of,
            "scheme": self.scheme,
            "site_name": self.name,
        }
        return made


@dataclass
class Visit:
    """One request: the site, the form that was sent, and who is here."""

    site: Site
    request: Request
    sent: list[tuple[str, str]] = field(default_factory=list)
    session: Session | None = None

    @cached_property
    def form(self) -> Mapping[str, str]:
        """What was sent. Of a field that is there twice the last counts."""
        return dict(self.sent)

    @property
    def sentences(self) -> list[str]:
        """Places of the sentences that were chosen."""
        return [value for name, value in self.sent if name == "sentence"]

    @property
    def store(self) -> Store:
        return self.site.store

    @property
    def person(self) -> Person:
        """Who is here. Refused where nobody is."""
        if self.session is None:
            raise Refused(401, "no_session")
        return self.session.person

    @cached_property
    def words(self) -> Words:
        """The interface in the language that was chosen."""
        chosen = self.request.cookies.get(LANGUAGE)
        return Words(chosen if chosen in LANGUAGES else self.site.own.language)

    @property
    def language(self) -> str:
        return self.words.language

    def page(self, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """A page."""
        session = self.session
        html = self.site.templates.get_template(template).render(
            t=self.words,
            lang=self.language,
            dir=self.words.direction,
            other=LANGUAGES[1 - LANGUAGES.index(self.language)],
            person=session.person if session else None,
            csrf=self.site.sessions.form_token(session.nonce) if session else "",
            path=self.back,
            outdated=self.site.outdated() if session and session.person.role == "lead" else [],
            **context,
        )
        return HTMLResponse(html, status)

    def typed(self, shown: Collection[str] = ()) -> list[str]:
        """What somebody wrote in this form, beyond what the page shows anyway."""
        written = (value for name, value in self.sent if name in self.site.typed and value.strip())
        return [value for value in written if value not in shown]

    @property
    def back(self) -> str:
        """Where this page is asked for again: some forms have no page under their own address."""
        path = self.request.url.path
        if self.request.method != "POST":
            return path
        return "/" if path in ("/join", "/sign-out", "/language") else path.removesuffix("/skip")

    def say(self, error: UsageError) -> Markup:
        """What was wrong, in the language of the page; where it has no text for it, in English, set apart."""
        if isinstance(error, Told):
            apart = Markup("<bdi>{}</bdi>")
            values = {
                name: apart.format(display.shown(str(value), self.words.direction))
                for name, value in error.values.items()
            }
            return escape(self.words(error.key)).format(**values)
        detail = Markup('<bdi dir="ltr" lang="en">{}</bdi>').format(error.line())
        return Markup("{} {}").format(self.words("error_detail"), detail)

    def call_label(self, name: str) -> str:
        """What a label is called in this language."""
        return self.site.scheme.called(name, self.language)


def go(path: str) -> Response:
    """On to another page (303: a reload sends nothing twice)."""
    return RedirectResponse(path, status_code=303)


async def open_visit(request: Request) -> Visit:
    """Anybody's request. A form sent from another site is refused."""
    site: Site = request.app.state.site
    made = Visit(site, request)
    if request.method == "POST":
        headers = request.headers
        said = (headers.get("origin"), headers.get("sec-fetch-site"), headers.get("host"))
        if from_elsewhere(*said, site.own.address):
            raise Refused(403, "error_form")
        # no page sends anything else; a multipart body may choose its own charset
        if headers.get("content-type", "").split(";")[0].strip().lower() != FORM:
            raise Refused(400, "error_form")
        form: FormData = await request.form(max_fields=MOST_FIELDS)
        made.sent = [(name, _plain(value)) for name, value in form.multi_items() if isinstance(value, str)]
    request.state.visit = made
    return made


def _plain(value: str) -> str:
    """Without NUL; browsers send line ends as CRLF."""
    return value.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def known_visit(visit: Annotated[Visit, Depends(open_visit)]) -> Visit:
    """The same, with who is here, if anybody is."""
    claims = visit.site.sessions.claims(visit.request.cookies.get(visit.site.cookie))
    if claims is not None and not visit.site.ended.has(str(claims.get("nonce"))):
        person = visit.store.get(Person, str(claims.get("person")))
        if person is not None and visit.site.sessions.holds(claims, person):
            visit.session = Session(person, str(claims.get("nonce")), int(claims.get("until", 0)))
    return visit


def somebody(visit: Annotated[Visit, Depends(known_visit)]) -> Visit:
    """Somebody with a session; a form must come from one of its pages."""
    if visit.session is None:
        raise Refused(401, "no_session")
    if visit.request.method == "POST" and not visit.site.sessions.is_form_of(
        visit.session.nonce, visit.form.get("csrf")
    ):
        raise Refused(403, "error_form")
    return visit


def a_reader(visit: Annotated[Visit, Depends(somebody)]) -> Visit:
    """Somebody who accepted the notices in their present version: nobody sees an item before."""
    kind = to_accept(visit.store, visit.person.id, visit.site.notices)
    if kind is not None and visit.request.method == "POST":
        raise Unread(kind)
    if kind is not None:
        raise Elsewhere(f"/notice/{kind}?{urlencode({'then': visit.request.url.path})}")
    return visit


def an_adjudicator(visit: Annotated[Visit, Depends(somebody)]) -> Visit:
    """An adjudicator, who has accepted the notices as annotators have, or a lead."""
    if visit.person.role not in ("adjudicator", "lead"):
        raise Refused(403, "error_forbidden")
    return visit if visit.person.role == "lead" else a_reader(visit)


def a_lead(visit: Annotated[Visit, Depends(somebody)]) -> Visit:
    """A lead."""
    if visit.person.role != "lead":
        raise Refused(403, "error_forbidden")
    return visit


Anybody = Annotated[Visit, Depends(known_visit)]
Somebody = Annotated[Visit, Depends(somebody)]
Reader = Annotated[Visit, Depends(a_reader)]
Adjudicator = Annotated[Visit, Depends(an_adjudicator)]
Lead = Annotated[Visit, Depends(a_lead)]
