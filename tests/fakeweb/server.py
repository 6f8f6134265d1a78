"""A server process that plays the web: `python -m fakeweb.server` (with tests/ on the path).

It prints its `host:port` as first line and ends when its standard input ends. Three ways in:

- as HTTP proxy for hosts under `.example` and `.test` (`GET http://shop.example/ HTTP/1.1`),
- by the Host header,
- on its own address: `/_at/shop.example/item/1`.

`/_log` gives the requests so far as JSON, `/_reset` forgets them and all counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

from fakeweb.play import Answer, Asked, Play

KEPT = 50_000
"""requests in the log"""
REASONS = {
    200: "OK",
    206: "Partial Content",
    301: "Moved Permanently",
    302: "Found",
    304: "Not Modified",
    404: "Not Found",
}


def find_plays(folder: Path) -> list[Play]:
    """All `Play` objects in the files of a folder."""
    found = []
    for path in sorted(folder.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"fakeweb.plays.{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        found += [value for value in vars(module).values() if isinstance(value, Play)]
    return list({id(play): play for play in found}.values())


class Server:
    """Connections in, answers of plays out."""

    def __init__(self, plays: list[Play]):
        self.plays = plays
        self.log: list[dict[str, object]] = []
        self.counts: Counter[str] = Counter()
        self.address = ""

    async def begin(self) -> asyncio.Server:
        """Listen on a free loopback port."""
        server = await asyncio.start_server(self.connection, "127.0.0.1", 0, limit=1 << 22)
        host, port = server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"
        return server

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until either side closes it."""
        try:
            while await self.exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, OSError):
                await writer.wait_closed()

    async def exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection stays open."""
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if name:
                headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        answer = self.answer(method, target, headers, body)
        keep = headers.get("connection", "").lower() != "close"
        return await send(writer, method, answer) and keep

    def answer(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Answer:
        """The play's answer to a request."""
        parts = urlsplit(target)
        host, path = (
            (parts.hostname or headers.get("host", "").rpartition(":")[0] or headers.get("host", "")),
            parts.path,
        )
        if path.startswith("/_at/"):
            host, _, rest = path[len("/_at/") :].partition("/")
            path = f"/{rest}"
        elif path == "/_log":
            return Answer(200, json.dumps(self.log).encode(), (("Content-Type", "application/json"),))
        elif path == "/_reset":
            self.log.clear()
            self.counts.clear()
            return Answer(204)
        key = f"{method} {host}{path}?{parts.query}"
        self.counts[key] += 1
        asked = Asked(method, host, unquote(path), parts.query, headers, body, self.counts[key], self.address)
        if len(self.log) < KEPT:
            shown = {"method": method, "host": host, "path": path, "query": parts.query, "headers": headers}
            self.log.append(shown | {"body": body.decode("utf-8", "replace"), "at": time.time()})
        for play in self.plays:
            if play.plays(host):
                return play.answer(asked)
        return Answer(502, f"nobody plays {host}".encode(), (("Content-Type", "text/plain"),))


async def send(writer: asyncio.StreamWriter, method: str, answer: Answer) -> bool:
    """Send an answer with its faults; whether the connection stays open."""
    if answer.delay:
        await asyncio.sleep(answer.delay)
    if answer.drop:
        return False
    if answer.raw is not None:
        writer.write(answer.raw)
        await writer.drain()
        return False
    reason = REASONS.get(answer.status, "Answer")
    lines = [f"HTTP/1.1 {answer.status} {reason}", *(f"{name}: {value}" for name, value in answer.headers)]
    named = {name.lower() for name, _ in answer.headers}
    if answer.chunks is not None:
        lines.append("Transfer-Encoding: chunked")
    elif "content-length" not in named and answer.status not in (204, 304):
        lines.append(f"Content-Length: {len(answer.body)}")
    head = "\r\n".join([*lines, "", ""]).encode("latin-1", "replace")
    if answer.chunks is not None:
        writer.write(head)
        return await _send_chunks(writer, answer)
    body = b"" if method == "HEAD" else answer.body
    writer.write(head + (body if answer.cut is None else body[: answer.cut]))
    await writer.drain()
    return answer.cut is None


async def _send_chunks(writer: asyncio.StreamWriter, answer: Answer) -> bool:
    for chunk in answer.chunks or ():
        writer.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        await writer.drain()
        if answer.pause:
            await asyncio.sleep(answer.pause)
    if answer.broken_chunks:
        writer.write(b"ffff\r\nthis chunk ends too ea")
        await writer.drain()
        return False
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


async def main() -> None:
    """Serve until standard input ends (the tests that started this are gone)."""
    plays = find_plays(Path(__file__).parent / "plays")
    server = Server(plays)
    async with await server.begin():
        print(server.address, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
