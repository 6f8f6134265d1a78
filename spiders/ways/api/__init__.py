"""The api way: services that hand out claims as data. One service a file.

A module has `first`, `following`, `keys` and `read`: what to ask, what to ask next, which claims an
answer holds, and those claims. All are pure; `ask` sends.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from dalil.net.session import Reply, Session
from dalil.records import Claim
from dalil.stages import Drop
from spiders.sites import ApiPart, Site

What = dict[str, Any]


class Api(Protocol):
    """A service."""

    def first(self, part: ApiPart) -> What:
        """The first request."""
        ...

    def following(self, part: ApiPart, what: What, answer: Any) -> What | None:
        """The request after an answer; None after the last."""
        ...

    def keys(self, answer: Any) -> list[str]:
        """What tells the claims of an answer apart, in order."""
        ...

    def read(
        self, site: Site, answer: Any, resolved: Mapping[str, str] | None = None
    ) -> Iterator[Claim | Drop]:
        """The claims of an answer. A row that is none is a Drop with its own key."""
        ...

    def ask(self, session: Session, what: What) -> Reply:
        """Send a request."""
        ...


def api_of(part: ApiPart) -> Api:
    """The module of a site's API."""
    return cast(Api, importlib.import_module(f"spiders.ways.api.{part.kind}"))
