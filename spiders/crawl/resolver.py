"""Scrapy's name resolver, with the guard: the address that is connected to is the one checked here."""

from __future__ import annotations

from typing import Any

from scrapy.resolver import CachingThreadedResolver
from twisted.internet.error import DNSLookupError

from dalil.net import guard


class RefusedAddress(DNSLookupError):
    """A name that leads to an address which dalil does not ask."""


class GuardedResolver(CachingThreadedResolver):
    """Resolves names as Scrapy does and refuses those that lead to local networks."""

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:  # noqa: N802 (Twisted's name)
        """The address of a name, checked each time. Fails with RefusedAddress."""
        return super().getHostByName(name, timeout).addCallback(_checked, name)


def _checked(address: str, name: str) -> str:
    try:
        guard.check_address(address, name)
    except guard.Refused as refused:
        raise RefusedAddress(refused.what) from refused
    return address
