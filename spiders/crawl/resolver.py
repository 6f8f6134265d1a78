"""Scrapy's name resolver, with the guard: the address that is connected to is the one checked here."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy.resolver import CachingThreadedResolver
from twisted.internet.error import DNSLookupError

from dalil.net import guard

PROXIES = ("http", "https", "all")
"""schemes whose proxy is taken from the environment"""


class RefusedAddress(DNSLookupError):
    """A name that leads to an address which dalil does not ask."""


class GuardedResolver(CachingThreadedResolver):
    """Resolves names as Scrapy does and refuses those that lead to local networks."""

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:  # noqa: N802 (Twisted's name)
        """The address of a name, checked each time. Fails with RefusedAddress."""
        return super().getHostByName(name, timeout).addCallback(_checked, name)


def _checked(address: str, name: str) -> str:
    if name.lower() in _own_proxies():
        return address  # the user's own choice, and mostly on their own network
    try:
        guard.check_address(address, name)
    except guard.Refused as refused:
        raise RefusedAddress(refused.what) from refused
    return address


def _own_proxies() -> set[str]:
    """The hosts of the proxies that the environment names (`http_proxy`, `https_proxy`)."""
    found = getproxies()
    named = (found[scheme] for scheme in PROXIES if scheme in found)
    hosts = (urlsplit(one if "//" in one else f"//{one}").hostname for one in named)
    return {host for host in hosts if host}
