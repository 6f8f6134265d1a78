"""A small HTTP server on loopback that plays the hosts of the demo corpus.

It answers requests as a proxy gets them (`GET http://haqiqa.example/list HTTP/1.1`) and requests
with a Host header, so a client needs one setting: `http_proxy=http://127.0.0.1:PORT`. It never
opens a connection of its own: what is not part of the demo corpus is 404.

    python -m dalil.demo.server            # prints the address and serves until Ctrl-C
    python -m dalil.demo.server --port 8099
"""

from __future__ import annotations

import argparse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Self

from dalil.demo.pages import Page, render
from dalil.errors import StateError


class DemoServer:
    """Serves the demo corpus while its `with` block runs; `address` is `127.0.0.1:PORT`.

    Port 0 takes a free one. Raises StateError when the port is taken.

        with DemoServer() as server:
            requests.get("http://haqiqa.example/list", proxies={"http": f"http://{server.address}"})
    """

    def __init__(self, port: int = 0):
        try:
            self._server = _Server(("127.0.0.1", port), _Handler)
        except (OSError, OverflowError) as error:
            raise StateError(
                f"cannot listen on 127.0.0.1:{port}: {error}",
                todo="choose another --port, or 0 for a free one",
            ) from error
        self._thread: Thread | None = None

    @property
    def address(self) -> str:
        """Where it listens, as `127.0.0.1:PORT`."""
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> tuple[str, ...]:
        """Addresses asked for so far, in the order of arrival."""
        return tuple(self._server.asked)

    def serve_forever(self) -> None:
        """Serve in this thread until interrupted."""
        try:
            self._server.serve_forever()
        finally:
            self._server.server_close()

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self._thread is not None:
            self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A client that keeps a connection open must not hold up the end of the server.
    block_on_close = False

    def __init__(self, *args: object, **kwargs: object):
        self.asked: list[str] = []
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "dalil-demo"
    sys_version = ""
    timeout = 30
    # Headers and body leave in one piece: in two, each answer would wait for a delayed ACK (40 ms).
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        absolute = self.path.lower().startswith("http://")
        url = self.path if absolute else f"http://{self.headers.get('Host', '')}{self.path}"
        self.server.asked.append(url)
        try:
            page = render(url)
        except ValueError:  # an address that urlsplit cannot read
            page = Page(400, {"Content-Type": "text/plain", "Content-Length": "0"}, b"")
        known = self.headers.get("If-None-Match")
        if known is not None and known == page.headers.get("ETag"):
            page = Page(304, {"ETag": known}, b"")
        self.send_response(page.status)
        for name, value in page.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(page.body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: requests are kept in `asked`."""


def main() -> None:
    """`python -m dalil.demo.server`: print the address, serve until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m dalil.demo.server", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default 0: a free one)")
    server = DemoServer(parser.parse_args().port)
    print(server.address, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
