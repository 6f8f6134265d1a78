"""Signed sessions, form tokens, and the headers of every answer."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dalil.records import Person
from dalil.state.keys import own_key

KEY_FILE = "sessions.key"
SESSION, LANGUAGE = "dalil_session", "dalil_language"
MOST_BODY = 512 * 1024
"""bytes of a form"""

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


class Signer:
    """Signs small values with the corpus's own key (HMAC-SHA-256). Each purpose has its own signatures."""

    def __init__(self, key: bytes):
        self._key = key

    @classmethod
    def of(cls, folder: Path) -> Signer:
        """With the key in the corpus folder (readable by its owner alone), made if there is none."""
        return cls(own_key(folder / KEY_FILE, "the sessions"))

    def sign(self, purpose: str, value: dict[str, Any]) -> str:
        """The value and its signature, fit for a cookie or a form."""
        body = base64.urlsafe_b64encode(json.dumps(value, ensure_ascii=False).encode()).decode().rstrip("=")
        return f"{body}.{self._tag(purpose, body)}"

    def read(self, purpose: str, signed: str | None) -> dict[str, Any] | None:
        """The value; None for anything that this key did not sign for this purpose."""
        body, _, tag = (signed or "").partition(".")
        expected = self._tag(purpose, body)
        if not hmac.compare_digest(tag.encode("utf-8", "replace"), expected.encode()):
            return None
        found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        return found

    def lot(self, purpose: str, text: str) -> str:
        """What nobody without the key can foretell: an order by it betrays nothing."""
        return self._tag(f"lot {purpose}", text)

    @cached_property
    def mark(self) -> str:
        """Eight letters that tell this key from others and say nothing about it."""
        return self._tag("mark", "")[:8]

    def _tag(self, purpose: str, body: str) -> str:
        text = f"{purpose}\0{body}".encode("utf-8", "replace")
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Session:
    """Who is here."""

    person: Person
    nonce: str
    until: int


class Sessions:
    """Cookies that say who somebody is, as long as their personal link is good."""

    def __init__(self, signer: Signer, hours: float):
        self.signer = signer
        self.seconds = int(hours * 3600)

    def begin(self, person: Person) -> str:
        """The cookie's value."""
        value = {
            "person": person.id,
            "link": (person.invitation or "")[:16],
            "nonce": secrets.token_urlsafe(12),
            "until": int(time.time()) + self.seconds,
        }
        return self.signer.sign("session", value)

    def claims(self, cookie: str | None) -> dict[str, Any] | None:
        """What a cookie says, unless it is forged or over."""
        found = self.signer.read("session", cookie)
        return found if found and found.get("until", 0) > time.time() else None

    @staticmethod
    def holds(found: dict[str, Any], person: Person | None) -> bool:
        """Whether the person's link is still the one with which the session began."""
        link = (person.invitation or "")[:16] if person and not person.left else ""
        return bool(link) and hmac.compare_digest(link, str(found.get("link", "")))

    def form_token(self, nonce: str) -> str:
        """What every form of a session carries."""
        return self.signer.sign("form", {"nonce": nonce})

    def is_form_of(self, nonce: str, token: str | None) -> bool:
        """Whether a form came from a page of this session."""
        found = self.signer.read("form", token)
        return found is not None and hmac.compare_digest(str(found.get("nonce")), nonce)


def from_elsewhere(
    origin: str | None, site: str | None, host: str | None, address: str | None = None
) -> bool:
    """Whether a browser says that a form was sent from another site.

    A proxy may ask under another host than the browser did: `address` is the public one.
    """
    if site is not None and site not in ("same-origin", "none"):
        return True
    own = {(host or "").lower(), urlsplit(address or "").netloc.lower()}
    return origin is not None and _netloc(origin) not in own - {""}


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # no address at all, such as http://[
        return ""


class Guard:
    """Every answer carries the headers; bodies that are too long are refused before they are read.

    `failed` makes the answer to an unexpected error: that one needs the headers, too.
    """

    def __init__(self, app: ASGIApp, failed: Callable[[Scope, Exception], Response], secure: bool = False):
        self.app = app
        self.failed = failed
        self.headers = [*HEADERS, *([(b"strict-transport-security", b"max-age=31536000")] if secure else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        begun = False

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = [*message.get("headers", ()), *self.headers]
                static = scope["path"].startswith("/static/")
                headers.append((b"cache-control", b"max-age=3600" if static else b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        endless = scope["method"] == "POST" and b"content-length" not in headers
        if endless or not length.isdigit() or int(length) > MOST_BODY:
            await _refuse(guarded)
            return
        try:
            await self.app(scope, receive, guarded)
        except ClientDisconnect:
            return  # gone in the middle of a form: nobody is there to be answered
        except Exception as error:
            if begun:
                raise
            await self.failed(scope, error)(scope, receive, guarded)


async def _refuse(send: Send) -> None:
    body = b"413: too long"
    await send(
        {
            "type": "http.response.start",
            "status": 413,
            "headers": [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())],
        }
    )
    await send({"type": "http.response.body", "body": body})
