"""What dalil refuses to ask: a search result must not reach the user's own network.

Refused are schemes other than http and https, and addresses that are not on the public internet
(loopback, private, link-local, multicast, reserved, and IPv6 forms that hide such an IPv4 address).
A url is checked before it is asked (`check`), each redirect again, and the address that a name
resolved to when the connection is made (`check_address`): a name that changes its address in
between (DNS rebinding) gains nothing. The one exception is `dalil.net.local`.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from dalil.errors import DalilError
from dalil.net.local import local_server, plays

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "lan", "home", "corp", "intranet")
_LOCAL_SUFFIXES = (*(f".{name}" for name in _LOCAL_NAMES), ".home.arpa")


class Refused(DalilError):
    """An address that dalil does not ask. `reason` is `refused_scheme`, `refused_address` or `bad_url`."""

    def __init__(self, reason: str, what: str, *, where: str | None = None):
        self.reason = reason
        super().__init__(
            what, where=where, todo="only pages on the public internet, over http or https, are asked"
        )


def check(url: str) -> None:
    """Raise Refused when the url itself says that it must not be asked."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise Refused("bad_url", f"not a url: {error}", where=url[:200]) from None
    if parts.scheme.lower() not in ("http", "https"):
        raise Refused(
            "refused_scheme", f"the scheme {parts.scheme[:20]!r} is not http or https", where=url[:200]
        )
    if not host:
        raise Refused("bad_url", "the url names no host", where=url[:200])
    if plays(url):
        return
    name = host.rstrip(".").lower()
    literal = as_address(name)
    if literal is not None and not is_public(literal):
        raise Refused("refused_address", f"{literal} is no address on the public internet", where=url[:200])
    if literal is None and (name in _LOCAL_NAMES or name.endswith(_LOCAL_SUFFIXES) or "." not in name):
        raise Refused("refused_address", f"{name} is a name on a local network", where=url[:200])


def check_address(address: str, host: str) -> None:
    """Raise Refused when a name led to an address that is not on the public internet."""
    if _is_local_server(address, host):
        return
    found = as_address(address.partition("%")[0])
    if found is None or not is_public(found):
        raise Refused(
            "refused_address", f"{host} leads to {address}, no address on the public internet", where=host
        )


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet, also inside IPv6 forms that carry an IPv4 one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is None and any(address in net for net in _NAT64):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
        if int(address) >> 32 == 0:  # IPv4-compatible, long out of use
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def as_address(host: str) -> Address | None:
    """The address that a host spells, in any form that resolvers accept (`0x7f.1`, `2130706433`), or None."""
    text = host.strip("[]")
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        pass
    if text and text[-1:].isalnum() and all(part[:1].isdigit() for part in text.split(".") if part):
        try:
            return ipaddress.IPv4Address(socket.inet_aton(text))
        except (OSError, ValueError, UnicodeError):
            return None
    return None


def _is_local_server(address: str, host: str) -> bool:
    """Whether this is the server that plays the web, asked for by its own address."""
    server = local_server()
    if server is None:
        return False
    own = server.rpartition(":")[0].strip("[]")
    return host.strip("[]") == own and address in (own, "127.0.0.1", "::1")
