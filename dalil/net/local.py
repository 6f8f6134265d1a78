"""The one switch that lets dalil talk to a server on this machine: for the tests and the demo.

`DALIL_LOCAL_WEB=127.0.0.1:PORT` names a server that plays the web. Requests to that very host and
port, and to hosts under the reserved names `.example` and `.test` (RFC 2606), which nobody can own,
go to it (as to an HTTP proxy) without pacing. Nothing else changes: every other private address
stays refused and every other host stays paced.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from dalil.errors import UsageError

VARIABLE = "DALIL_LOCAL_WEB"
RESERVED = (".example", ".test")


def local_server() -> str | None:
    """`host:port` of the server that plays the web, or None. Raises UsageError when not on loopback."""
    value = os.environ.get(VARIABLE)
    if not value:
        return None
    host, _, port = value.rpartition(":")
    if host not in ("127.0.0.1", "localhost", "[::1]") or not port.isdigit():
        raise UsageError(f"{value!r} is not a loopback host:port", where=VARIABLE, todo="e.g. 127.0.0.1:8000")
    return value


def plays(url: str) -> bool:
    """Whether the local server plays the host of this url."""
    server = local_server()
    if server is None:
        return False
    return urlsplit(url).netloc == server or reserved(url)


def reserved(url: str) -> bool:
    """Whether nobody can own the host of this url, so that only a local server can play it."""
    return (urlsplit(url).hostname or "").lower().endswith(RESERVED)


def proxy_for(url: str) -> str | None:
    """The HTTP proxy to use for this url: the local server for hosts that it plays, else None."""
    server = local_server()
    if server is None or not plays(url) or urlsplit(url).netloc == server:
        return None
    return f"http://{server}"
