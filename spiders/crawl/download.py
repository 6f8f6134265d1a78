"""Downloading with Scrapy: the one adapter between the driver and Scrapy's engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import scrapy
from scrapy import signals
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    StopDownload,
    UnsupportedURLSchemeError,
)
from scrapy.http.request import NO_CALLBACK
from twisted.internet.error import ConnectError, ConnectionClosed, ConnectionLost, DNSLookupError
from w3lib.url import safe_url_string

from dalil.net import guard
from dalil.net.local import plays, proxy_for
from spiders.crawl.answers import Answer, NoAnswer, media
from spiders.crawl.settings import no_contact


class Handler(HTTP11DownloadHandler):
    """Scrapy's handler, without the pool's silent second attempt: every request is journalled."""

    def __init__(self, crawler: Any):
        super().__init__(crawler)
        self._pool.retryAutomatically = False


Work = Callable[["Downloads"], Awaitable[None]]


class Downloads:
    """`ask` for the driver, over a running Scrapy engine."""

    def __init__(self, crawler: Any, contact: str | None):
        self.crawler = crawler
        self.contact = contact
        crawler.signals.connect(_no_media, signal=signals.headers_received)

    async def __call__(self, url: str, domain: str, headers: Mapping[str, str]) -> Answer:
        """One download. Raises NoAnswer."""
        played = plays(url)
        meta: dict[str, Any] = {"download_slot": domain, "url": url}
        sent = url
        if not played and not self.contact:
            raise no_contact()
        if played:
            sent = "http" + url[5:] if url.startswith("https:") else url
            meta["proxy"] = proxy_for(url)
            meta["autothrottle_dont_adjust_delay"] = True
            self.crawler.engine.downloader.per_slot_settings.setdefault(
                domain, {"delay": 0, "concurrency": 1}
            )
        try:
            request = scrapy.Request(
                sent, headers=dict(headers), meta=meta, callback=NO_CALLBACK, dont_filter=True
            )
            response = await self.crawler.engine.download_async(request)
        except DownloadTimeoutError:
            raise NoAnswer("timeout") from None
        except DownloadCancelledError:
            raise NoAnswer("too_large", lasting=True) from None
        except UnsupportedURLSchemeError as error:
            raise NoAnswer("refused_scheme", str(error), lasting=True) from None
        except (CannotResolveHostError, DNSLookupError) as error:
            raise _unresolved(error) from None
        except (
            DownloadConnectionRefusedError,
            DownloadFailedError,
            ConnectError,
            ConnectionClosed,
            ConnectionLost,
            OSError,
        ) as error:
            raise NoAnswer("no_connection", type(error).__name__) from None
        except ValueError as error:
            raise NoAnswer("bad_url", str(error)[:200], lasting=True) from None
        if response.ip_address is not None and not played and "proxy" not in request.meta:
            try:
                guard.check_address(str(response.ip_address), str(response.ip_address))
            except guard.Refused as refused:
                raise NoAnswer("refused_address", refused.what, lasting=True) from None
        if not 100 <= response.status <= 999:
            raise NoAnswer("no_connection", "no status of HTTP")
        return _answer(url, response)


def _unresolved(error: Exception) -> NoAnswer:
    text = str(error)
    if "no address on the public internet" in text:
        return NoAnswer("refused_address", text.partition(": ")[2] or text, lasting=True)
    return NoAnswer("no_such_host", text[:200])


def _no_media(headers: Any, body_length: int, request: Any, spider: Any) -> None:
    """Files that are no pages are not downloaded: their name and type are all that is needed."""
    kind = (headers.get(b"Content-Type") or b"").decode("latin-1")
    if urlsplit(request.url).path == "/robots.txt":
        return  # rules hold under any type
    if media(kind, b"<") is not None:
        raise StopDownload(fail=False)


def _answer(url: str, response: Any) -> Answer:
    from http import HTTPStatus

    headers = []
    for name, values in response.headers.items():
        plain = name.decode("latin-1")
        if plain.lower() == "transfer-encoding":
            # chunks are undone: under the old name readers would undo them again
            plain = "X-Dalil-Transfer-Encoding"
        read = _location if plain.lower() == "location" else _value
        headers += [(plain, read(value)) for value in values]
    flags = response.flags or []
    # "partial" is no sign of loss: a body without a length ends with its connection (RFC 9112, 6.3)
    truncated = (
        "unspecified" if "download_stopped" in flags else "disconnect" if "dataloss" in flags else None
    )
    try:
        reason = HTTPStatus(response.status).phrase
    except ValueError:
        reason = "Unknown"
    address = str(response.ip_address) if response.ip_address is not None else None
    return Answer(url, response.status, reason, tuple(headers), response.body, address, truncated)


def _value(raw: bytes) -> str:
    """A header's value as one line of text: UTF-8 where it is that, else Latin-1."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return " ".join(text.splitlines())


def _location(raw: bytes) -> str:
    """Where a redirect leads, in ASCII: `Location: /خبر` leads where it leads in a browser.

    UTF-8 or not, its bytes are percent-encoded, so that a WARC holds it as it was followed.
    """
    try:
        return str(safe_url_string(raw.decode("utf-8").strip()))
    except ValueError:
        return quote(raw.strip(), safe=bytes(range(0x21, 0x7F)))


class Crawler(scrapy.Spider):
    """A spider that hands the engine to the driver and closes when the driver is done."""

    name = "dalil"

    async def start(self) -> AsyncIterator[Any]:
        """Do the work; nothing is scheduled."""
        box: Box = vars(self)["box"]
        try:
            await box.work(Downloads(self.crawler, box.contact))
        except BaseException as error:
            box.error = error
        _stop()
        return
        yield


def _stop() -> None:
    """Stop at once: all is stored, and Scrapy's own closing waits for idle connections."""
    from twisted.internet import reactor

    running: Any = reactor
    running.callLater(0, running.stop)


class Box:
    """Carries the work in and an error out."""

    def __init__(self, work: Work, contact: str | None):
        self.work = work
        self.contact = contact
        self.error: BaseException | None = None


def run_engine(settings: Mapping[str, Any], work: Work, *, contact: str | None) -> None:
    """Run Scrapy's reactor until `work` is done. Once a process. Raises what `work` raises."""
    box = Box(work, contact)
    process = AsyncCrawlerProcess(dict(settings))
    process.crawl(Crawler, box=box)
    process.start(install_signal_handlers=False)
    if box.error is not None:
        raise box.error
