"""What a play is made of: hosts, handlers for paths, and answers that may misbehave.

A file in `tests/fakeweb/plays/` has one or more `Play` objects at module level; the server finds
them. Example:

    shop = Play("shop.example", "*.shop.example")

    @shop.at("/item/{number}")
    def item(request: Asked, number: str) -> Answer:
        return page(f"<h1>Item {number}</h1>")

Handlers are tried in order of definition; `{name}` matches one path segment, `{name*}` the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs


@dataclass(frozen=True)
class Asked:
    """A request as the server got it.

    `count` is how often this method, host and target were asked (from 1).
    """

    method: str
    host: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    count: int
    server: str
    """host:port of the server itself"""

    @property
    def params(self) -> dict[str, str]:
        """Query parameters, the last value of each."""
        return {name: values[-1] for name, values in parse_qs(self.query, keep_blank_values=True).items()}


@dataclass(frozen=True)
class Answer:
    """What the server sends, and how it misbehaves.

    `delay` seconds before anything; `cut` closes the connection after so many bytes of the body;
    `chunks` sends Transfer-Encoding: chunked (`broken_chunks`: the last chunk lies about its
    length and the connection closes); `pause` seconds between chunks; `drop` closes without a word;
    `raw` is sent as it is instead of all that, and the connection closes.
    """

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    cut: int | None = None
    chunks: Iterable[bytes] | None = None
    broken_chunks: bool = False
    pause: float = 0.0
    drop: bool = False
    raw: bytes | None = None


Handler = Callable[..., Answer]


@dataclass(eq=False)
class Play:
    """What some hosts do. `*.` as first label matches every host below."""

    hosts: tuple[str, ...]
    routes: list[tuple[re.Pattern[str], Handler]] = field(default_factory=list)

    def __init__(self, *hosts: str):
        self.hosts = hosts
        self.routes = []

    def at(self, pattern: str) -> Callable[[Handler], Handler]:
        """Register a handler for a path."""
        parts = re.split(r"\{(\w+\*?)\}", pattern)
        text = "".join(
            re.escape(part)
            if index % 2 == 0
            else f"(?P<{part.rstrip('*')}>{'.*' if part.endswith('*') else '[^/]+'})"
            for index, part in enumerate(parts)
        )
        compiled = re.compile(text)

        def register(handler: Handler) -> Handler:
            self.routes.append((compiled, handler))
            return handler

        return register

    def plays(self, host: str) -> bool:
        """Whether this play is for a host."""
        return any(host == own or (own.startswith("*.") and host.endswith(own[1:])) for own in self.hosts)

    def answer(self, asked: Asked) -> Answer:
        """The first handler whose pattern is the path; 404 where there is none."""
        for pattern, handler in self.routes:
            match = pattern.fullmatch(asked.path)
            if match:
                return handler(asked, **match.groupdict())
        return Answer(404, b"<html><title>404</title><p>not here</html>", (("Content-Type", "text/html"),))


def page(html: str, *, status: int = 200, charset: str = "utf-8", **more: Any) -> Answer:
    """An HTML page, encoded as its header says."""
    headers = (("Content-Type", f"text/html; charset={charset}"), *more.pop("headers", ()))
    return Answer(status, html.encode(charset, "xmlcharrefreplace"), headers, **more)


def data(value: Any, *, status: int = 200, **more: Any) -> Answer:
    """JSON."""
    headers = (("Content-Type", "application/json"), *more.pop("headers", ()))
    return Answer(status, json.dumps(value, ensure_ascii=False).encode(), headers, **more)


def redirect(to: str, status: int = 302, **more: Any) -> Answer:
    """A redirect with a body, as servers send them."""
    headers = (("Location", to), ("Content-Type", "text/html"), *more.pop("headers", ()))
    return Answer(status, b"<html><body>moved</body></html>", headers, **more)


def endless(piece: bytes) -> Iterator[bytes]:
    """Chunks without end."""
    while True:
        yield piece
