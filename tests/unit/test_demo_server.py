"""The demo server plays its hosts as an HTTP proxy does, and nothing else."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from dalil.demo import content
from dalil.demo.content import LISTING
from dalil.demo.pages import render
from dalil.demo.server import DemoServer
from dalil.errors import StateError


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer() as running:
        yield running


@pytest.fixture
def session(server: DemoServer) -> Iterator[requests.Session]:
    with requests.Session() as client:
        client.trust_env = False
        client.proxies = {"http": f"http://{server.address}"}
        yield client


def test_a_page_through_the_proxy_is_the_rendered_page(session: requests.Session) -> None:
    for url in (LISTING, f"{LISTING}?page=2", content.claims()[0].url, *(a.url for a in content.articles())):
        answer = session.get(url, timeout=10)
        page = render(url)
        assert (answer.status_code, answer.content) == (page.status, page.body)
        assert answer.headers["Content-Type"] == page.headers["Content-Type"]


def test_the_host_header_routes_too(server: DemoServer) -> None:
    for host in ("haqiqa.example", "haqiqa.example:80"):
        answer = requests.get(f"http://{server.address}/list", headers={"Host": host}, timeout=10)
        assert answer.content == render(LISTING).body


def test_an_unchanged_page_is_304(session: requests.Session) -> None:
    tag = session.get(LISTING, timeout=10).headers["ETag"]
    again = session.get(LISTING, headers={"If-None-Match": tag}, timeout=10)
    assert (again.status_code, again.content) == (304, b"")
    assert session.get(LISTING, headers={"If-None-Match": '"other"'}, timeout=10).status_code == 200


def test_head_has_headers_and_no_body(session: requests.Session) -> None:
    answer = session.head(LISTING, timeout=10)
    assert answer.content == b""
    assert answer.headers["Content-Length"] == str(len(render(LISTING).body))


def test_other_hosts_are_404_and_tunnels_and_posts_are_refused(
    server: DemoServer, session: requests.Session
) -> None:
    assert session.get("http://elsewhere.test/", timeout=10).status_code == 404
    assert session.post(LISTING, data="x", timeout=10).status_code == 501
    host, _, port = server.address.partition(":")
    tunnel = http.client.HTTPConnection(host, int(port), timeout=10)
    tunnel.request("CONNECT", "haqiqa.example:443")
    assert tunnel.getresponse().status == 501
    tunnel.close()


def test_an_unreadable_address_is_400(server: DemoServer) -> None:
    host, _, port = server.address.partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as raw:
        raw.sendall(b"GET http://[/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b" 400 " in raw.recv(100)


def test_many_clients_at_once(server: DemoServer) -> None:
    def get(url: str) -> bool:
        proxies = {"http": f"http://{server.address}"}
        return requests.get(url, proxies=proxies, timeout=10).content == render(url).body

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(get, [article.url for article in content.articles()]))


def test_it_keeps_what_was_asked_for_and_stops_listening_at_the_end() -> None:
    with DemoServer() as own:
        requests.get("http://haqiqa.example/list", proxies={"http": f"http://{own.address}"}, timeout=10)
        assert own.requests == ("http://haqiqa.example/list",)
        host, _, port = own.address.partition(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=1)


def test_a_taken_port_is_one_clear_line(server: DemoServer) -> None:
    taken = int(server.address.rpartition(":")[2])
    with pytest.raises(StateError, match=f"cannot listen on 127.0.0.1:{taken}.*choose another --port"):
        DemoServer(taken)
    with pytest.raises(StateError):
        DemoServer(70000)


def test_as_a_command_it_prints_its_address_and_serves() -> None:
    command = [sys.executable, "-m", "dalil.demo.server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            answer = requests.get(f"http://{address}/list", headers={"Host": content.SITE_HOST}, timeout=10)
            assert answer.content == render(LISTING).body
        finally:
            process.terminate()
