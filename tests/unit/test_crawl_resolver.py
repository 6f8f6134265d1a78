"""The crawl's own look at addresses: a name that leads home is refused when it is resolved."""

from __future__ import annotations

import pytest

from spiders.crawl.resolver import RefusedAddress, _checked


def test_a_public_address_is_passed_on() -> None:
    assert _checked("93.184.216.34", "a.com") == "93.184.216.34"


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.3", "169.254.169.254", "::1", "fe80::1", "not an address"]
)
def test_an_address_at_home_is_refused(address: str) -> None:
    with pytest.raises(RefusedAddress, match="no address on the public internet"):
        _checked(address, "rebound.com")


def test_the_local_server_is_reached_by_its_own_address_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DALIL_LOCAL_WEB", "127.0.0.1:8000")
    assert _checked("127.0.0.1", "127.0.0.1") == "127.0.0.1"
    with pytest.raises(RefusedAddress):
        _checked("127.0.0.1", "rebound.com")


@pytest.mark.parametrize(
    "spelled", ["http://proxy.lab.org:3128", "proxy.lab.org:3128", "http://u:p@Proxy.lab.org:1/"]
)
def test_the_users_own_proxy_may_lie_at_home(monkeypatch: pytest.MonkeyPatch, spelled: str) -> None:
    monkeypatch.setenv("http_proxy", spelled)
    assert _checked("10.0.0.3", "proxy.lab.org") == "10.0.0.3"
    with pytest.raises(RefusedAddress):
        _checked("10.0.0.3", "lab.org")
