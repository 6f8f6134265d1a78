"""requests with connections that look at the address they reached before they send anything.

The one place that touches urllib3. A name is checked at the moment of connecting, on the socket
itself, so a name that resolves differently the second time (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import socket
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.poolmanager import PoolManager

import dalil
from dalil.net import guard

AGENT = f"dalil/{dalil.__version__}"


def _reached(connection: HTTPConnection, sock: socket.socket) -> socket.socket:
    try:
        guard.check_address(str(sock.getpeername()[0]), connection.host)
    except guard.Refused:
        sock.close()
        raise
    return sock


class _GuardedHTTP(HTTPConnection):
    def _new_conn(self) -> socket.socket:
        return _reached(self, super()._new_conn())


class _GuardedHTTPS(HTTPSConnection):
    def _new_conn(self) -> socket.socket:
        return _reached(self, super()._new_conn())


class _GuardedHTTPPool(HTTPConnectionPool):
    ConnectionCls = _GuardedHTTP


class _GuardedHTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _GuardedHTTPS


class GuardedAdapter(HTTPAdapter):
    """Checks every address it connects to. Raises dalil.net.guard.Refused."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        manager: PoolManager = self.poolmanager
        manager.pool_classes_by_scheme = {"http": _GuardedHTTPPool, "https": _GuardedHTTPSPool}


def open_session(*, guarded: bool) -> requests.Session:
    """A requests session without retries, redirects or cookies of its own."""
    session = requests.Session()
    session.headers["User-Agent"] = AGENT
    session.cookies.set_policy(_NoCookies())
    if guarded:
        for scheme in ("http://", "https://"):
            session.mount(scheme, GuardedAdapter(max_retries=0))
    else:
        session.trust_env = False
    return session


class _NoCookies(DefaultCookiePolicy):
    """Keeps no cookies."""

    def set_ok(self, cookie: Any, request: Any) -> bool:
        return False
