"""The session for APIs: every request to a service goes through `Session.send`.

    brave = Service("brave", rate=1.0, key_variable="BRAVE_KEY")
    reply = Session(brave).get("https://api.search.brave.com/res/v1/web/search", params={"q": "…"})

What it does for every service alike:

- paces: one token bucket a service and one a host;
- retries, with growing jittered waits, what can be retried: connections that fail and busy answers
  of reads, rate limits where the service names a wait that is short enough. Every retry is a
  request of its own in the journal and counts against the budget;
- tells a spent quota or spent credits from a rate limit, and stops the run (`LimitReached`);
- refuses private addresses (`dalil.net.guard`), except the service's own host as the user wrote it;
- keeps secrets out of errors, urls and everything that it hands back (`dalil.net.secrets`).

Redirects are not followed: an API that redirects has moved, and a key must not travel with it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dalil.errors import DalilError, LimitReached
from dalil.net import guard, limits, secrets
from dalil.net.limits import Kind
from dalil.net.local import plays, proxy_for
from dalil.net.pacing import PACER, Bucket, Pacer
from dalil.stages import Transient
from dalil.state import journal
from dalil.wording import counted

if TYPE_CHECKING:
    import requests

SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
LARGEST = 64 << 20
"""bytes of an answer, decoded"""


@dataclass(frozen=True)
class Service:
    """How a service is to be treated."""

    name: str
    rate: float = 1.0
    """requests a second"""
    burst: int = 1
    timeout: float = 30.0
    attempts: int = 4
    """at most so many sends for one request"""
    patience: float = 120.0
    """the longest wait, in seconds, that a run sits out; a longer one ends the run"""
    own_host: str | None = None
    """host[:port] that the user wrote in corpus.toml: it may lie on their own network"""
    verdict: Callable[[int, Mapping[str, str], str], Kind | None] = limits.kind
    """what a refusal of this service is; the default knows the common ones"""


@dataclass(frozen=True)
class Reply:
    """An answer: status, headers, body (decoded), and the url without secrets."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8; what is none becomes U+FFFD."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON. Raises DalilError where it is none."""
        import json

        try:
            return json.loads(self.body)
        except (ValueError, RecursionError) as error:
            shown = " ".join(self.text[:120].split())
            raise DalilError(
                f"the answer is not JSON: {shown}", where=self.url, todo="run again later"
            ) from error


@dataclass
class Session:
    """Sends requests to one service. Not for use by several threads at once."""

    service: Service
    pacer: Pacer = field(default_factory=lambda: PACER)
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    jitter: Callable[[], float] = random.random

    def get(
        self, url: str, *, params: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """A read. Raises as `send` does."""
        return self.send("GET", url, params=params, headers=headers)

    def send(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        repeatable: bool | None = None,
    ) -> Reply:
        """Send a request until it is answered, or cannot be.

        `repeatable` says that sending it twice does no harm (a read in the form of a POST). Raises
        LimitReached (quota, credits, a wait beyond patience), Transient (busy or unreachable after
        all attempts), Refused (address), DalilError (refused key, malformed address or key).
        """
        may_repeat = method.upper() in SAFE_METHODS if repeatable is None else repeatable
        asking = journal.asking()
        for attempt in range(1, self.service.attempts + 1):
            self._pace(url)
            if asking is not None:
                asking.sending()
            reply, problem = self._once(method, url, params, headers, body)
            if reply is not None and problem is None:
                return reply
            wait = self._wait(attempt, reply)
            note = f"{self.service.name}: {problem}"
            if not may_repeat and not self._never_arrived(reply, problem):
                raise Transient(note, seconds=wait)
            if wait > self.service.patience:
                raise LimitReached(
                    f"{note}; it asks to wait {wait:.0f} s",
                    where=self.service.name,
                    todo="run again after that time",
                )
            if attempt == self.service.attempts:
                if reply is not None and self._kind(reply) is Kind.RATE:
                    raise LimitReached(
                        f"{note}, after {counted(attempt, 'attempt')}",
                        where=self.service.name,
                        todo="run again later: nothing is lost",
                    )
                raise Transient(note, seconds=max(wait, 60.0))
            if asking is not None:
                asking.failed(note)
            if not plays(url) or wait:
                self.sleep(wait)
        raise AssertionError("a session makes at least one attempt")

    def _once(
        self,
        method: str,
        url: str,
        params: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
        body: bytes | None,
    ) -> tuple[Reply | None, str | None]:
        """One send: the reply, and what was wrong with it. Limits that no waiting helps are raised."""
        import requests

        from dalil.net.transport import open_session

        guard_it = urlsplit(url).netloc != self.service.own_host
        if guard_it:
            guard.check(url)
        proxy = proxy_for(url)
        try:
            with open_session(guarded=guard_it and not plays(url)) as session:
                answer = session.request(
                    method, _sent(url), params=params, headers=dict(headers or {}), data=body,
                    timeout=self.service.timeout, allow_redirects=False, stream=True,
                    proxies={"http": proxy, "https": proxy} if proxy else {},
                )  # fmt: skip
                reply = Reply(
                    secrets.redact(answer.url), answer.status_code, dict(answer.headers), _body(answer)
                )
        except guard.Refused:
            raise
        except ValueError as error:  # requests and urllib3 say so of addresses and headers
            raise DalilError(
                f"the request cannot be sent ({type(error).__name__}: its address or a header is malformed)",
                where=self.service.name,
                todo="check the service's address and key for stray characters",
            ) from None
        except requests.RequestException as error:
            return None, _plain(error)
        self._stop_on_limits(reply)
        found = self._kind(reply)
        return reply, f"{found}, HTTP {reply.status}" if found in (Kind.RATE, Kind.BUSY) else None

    def _kind(self, reply: Reply) -> Kind | None:
        return self.service.verdict(reply.status, reply.headers, reply.text)

    def _stop_on_limits(self, reply: Reply) -> None:
        found = self._kind(reply)
        said = secrets.redact(" ".join(reply.text[:200].split()))
        if found is Kind.QUOTA:
            raise LimitReached(
                f"the quota is spent (HTTP {reply.status}: {said})",
                where=self.service.name,
                todo="run again when it is renewed",
            )
        if found is Kind.CREDITS:
            raise LimitReached(
                f"the credits are spent (HTTP {reply.status}: {said})",
                where=self.service.name,
                todo="add credits and run again",
            )
        if found is Kind.AUTH:
            raise DalilError(
                f"the key was refused (HTTP {reply.status}: {said})",
                where=self.service.name,
                todo="check the key and its rights",
            )

    def _wait(self, attempt: int, reply: Reply | None) -> float:
        """Seconds until the next attempt: as the service says, else growing from 1 s, with jitter."""
        said = limits.retry_after(reply.headers) if reply is not None else None
        if said is not None:
            return said + self.jitter() * min(1.0, said * 0.1)
        return min(60.0, float(2 ** (attempt - 1))) * (0.5 + self.jitter() / 2)

    def _never_arrived(self, reply: Reply | None, problem: str | None) -> bool:
        """Whether a request that must not be sent twice was surely not acted upon."""
        if reply is not None:
            return self._kind(reply) is Kind.RATE
        return problem is not None and problem.startswith(("no connection", "no such host"))

    def _pace(self, url: str) -> None:
        if plays(url):
            return
        own = self.service
        host = urlsplit(url).hostname or ""
        for name in (f"service:{own.name}", f"host:{host}"):
            self.pacer.bucket(
                name, lambda: Bucket(own.rate, own.burst, clock=self.clock, sleep=self.sleep)
            ).take()


def _sent(url: str) -> str:
    """The address to send to: hosts that the local server plays speak plain http."""
    return "http" + url[5:] if plays(url) and url.startswith("https:") else url


def _body(answer: requests.Response) -> bytes:
    """The decoded body, up to a size. Raises requests' ContentDecodingError beyond it."""
    from requests.exceptions import ContentDecodingError

    parts, size = [], 0
    for part in answer.iter_content(1 << 16):
        size += len(part)
        if size > LARGEST:
            raise ContentDecodingError(f"the answer is larger than {LARGEST >> 20} MB")
        parts.append(part)
    return b"".join(parts)


def _plain(error: requests.RequestException) -> str:
    """What went wrong, in words and without the url (it holds the key)."""
    import requests

    text = str(error)
    if isinstance(error, requests.exceptions.Timeout):
        return "no answer in time"
    if "NameResolution" in text or "getaddrinfo" in text or "Name or service" in text:
        return "no such host"
    if isinstance(error, requests.exceptions.SSLError):
        return "the certificate is not valid"
    if isinstance(error, requests.exceptions.ConnectionError):
        return "no connection" if "establish" in text or "refused" in text else "the connection was lost"
    if isinstance(
        error, (requests.exceptions.ChunkedEncodingError, requests.exceptions.ContentDecodingError)
    ):
        return "the answer was damaged on its way"
    return secrets.redact(f"{type(error).__name__}")
