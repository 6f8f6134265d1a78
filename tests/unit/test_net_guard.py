"""What is refused before and while connecting."""

from __future__ import annotations

import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.net import guard
from dalil.net.guard import Refused

PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "[::7f00:1]",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "localhost",
    "LOCALHOST.",
    "printer",
    "nas.local",
    "db.internal",
    "router.lan",
    "x.home.arpa",
)


@pytest.mark.parametrize("host", PRIVATE)
def test_an_address_of_ones_own_network_is_refused(host: str) -> None:
    with pytest.raises(Refused) as caught:
        guard.check(f"http://{host}/x")
    assert caught.value.reason == "refused_address"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///etc/passwd", "refused_scheme"),
        ("ftp://a.com/x", "refused_scheme"),
        ("gopher://a.com/", "refused_scheme"),
        ("javascript:alert(1)", "refused_scheme"),
        ("data:text/html,x", "refused_scheme"),
        ("//a.com/x", "refused_scheme"),
        ("http:///x", "bad_url"),
        ("http://a.com:99999/", "bad_url"),
        ("http://[::1", "bad_url"),
    ],
)
def test_odd_urls_are_refused(url: str, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        guard.check(url)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "url",
    [
        "http://aljazeera.net/x",
        "https://8.8.8.8/",
        "http://[2606:4700::1111]/",
        "http://موقع.وزارة-الأتصالات.مصر/",
    ],
)
def test_the_public_web_is_not_refused(url: str) -> None:
    guard.check(url)


@given(st.ip_addresses(v=4))
def test_every_way_to_hide_an_ipv4_address_is_as_public_as_the_address(
    address: ipaddress.IPv4Address,
) -> None:
    number = int(address)
    hidden = (
        ipaddress.IPv6Address((0xFFFF << 32) | number),
        ipaddress.IPv6Address((0x2002 << 112) | (number << 80)),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) | number),
    )
    for one in hidden:
        assert guard.is_public(one) == guard.is_public(address)
    for spelling in (str(number), hex(number), f"{number >> 24}.{number & 0xFFFFFF}"):
        assert guard.as_address(spelling) == address


def test_the_local_server_is_the_one_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DALIL_LOCAL_WEB", "127.0.0.1:8123")
    guard.check("http://127.0.0.1:8123/x")
    guard.check("http://anything.example/")
    for url in (
        "http://127.0.0.1:8124/",
        "http://127.0.0.1/",
        "http://localhost:8123/",
        "http://10.0.0.1:8123/",
    ):
        with pytest.raises(Refused):
            guard.check(url)
    guard.check_address("127.0.0.1", "127.0.0.1")
    with pytest.raises(Refused):
        guard.check_address("127.0.0.1", "rebound.com")


def test_a_name_that_leads_home_is_refused_when_connecting(monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: the url passes, the address that was reached does not, and nothing was sent."""
    from dalil.net.transport import open_session

    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        real = socket.getaddrinfo

        def rebound(host: str, *rest: object, **more: object) -> object:
            return real("127.0.0.1", *rest, **more) if host == "rebound.com" else real(host, *rest, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(socket, "getaddrinfo", rebound)
        guard.check(f"http://rebound.com:{port}/")
        with (
            open_session(guarded=True) as session,
            pytest.raises(Refused, match=r"rebound\.com leads to 127\.0\.0\.1"),
        ):
            session.get(f"http://rebound.com:{port}/secret", timeout=5)
        server.settimeout(1)
        connection, _ = server.accept()
        with connection:
            connection.settimeout(1)
            heard.append(connection.recv(1000))
    assert heard == [b""]
