"""Google's client speaks httplib2; this gives it the session instead.

    build("customsearch", "v1", developerKey=key, http=SessionHttp(session), static_discovery=True)

So its requests are paced, retried, journalled and redacted as all others. Give the client
`num_retries=0`: its own retries ignore Retry-After and repeat a spent quota.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dalil.net.session import Session

if TYPE_CHECKING:
    import httplib2


class SessionHttp:
    """What Google's client needs of an `httplib2.Http`. One for each thread, as there."""

    def __init__(self, session: Session):
        self.session = session
        self.redirect_codes: frozenset[int] = frozenset()
        self.timeout = session.service.timeout

    def request(
        self,
        uri: str,
        method: str = "GET",
        body: bytes | str | None = None,
        headers: Mapping[str, str] | None = None,
        redirections: int = 0,
        connection_type: Any = None,
    ) -> tuple[httplib2.Response, bytes]:
        """One request.

        Long addresses come as POST with `x-http-method-override: GET`: they may be repeated.
        """
        import httplib2

        sent = {name: value for name, value in (headers or {}).items() if name.lower() != "accept-encoding"}
        override = next(
            (value for name, value in sent.items() if name.lower() == "x-http-method-override"), None
        )
        data = body.encode() if isinstance(body, str) else body
        repeatable = True if override == "GET" else None
        reply = self.session.send(method, uri, headers=sent, body=data, repeatable=repeatable)
        info = {name.lower(): value for name, value in reply.headers.items()} | {"status": str(reply.status)}
        info.pop("content-encoding", None)
        return httplib2.Response(info), reply.body

    def close(self) -> None:
        """Nothing is kept open."""
