"""`[crawl]` of corpus.toml, and what Scrapy is told."""

from __future__ import annotations

from typing import Any

from pydantic import Field

import dalil
from dalil.config import Config, Settings
from dalil.corpus import Corpus
from dalil.errors import UsageError
from dalil.net.encoding import ACCEPTED
from dalil.net.local import local_server

_SCRAPY = "scrapy"


class CrawlSettings(Settings):
    """How pages are got. The defaults are polite; see docs/manners.md before changing them."""

    concurrency: int = Field(default=16, ge=1, le=64)
    """domains asked at the same time; a domain is asked one request at a time, always"""
    delay: float = Field(default=1.0, ge=0.5)
    """the shortest time, in seconds, between two requests to a domain; AutoThrottle makes it longer"""
    longest_delay: float = Field(default=60.0, ge=1)
    """the longest time, in seconds, that AutoThrottle waits"""
    timeout: float = Field(default=60.0, gt=0)
    """seconds for one page"""
    max_megabytes: float = Field(default=10.0, gt=0)
    """of a page as it comes; twice that when decoded"""
    retries: int = Field(default=2, ge=0, le=5)
    """times a page is asked again when the connection fails or the server is busy"""
    strikes: int = Field(default=3, ge=1, le=10)
    """refusals in a row (403, 429, challenge pages) after which a domain is left alone"""
    stop_hours: float = Field(default=24.0, ge=1)
    """how long it is left alone"""
    wayback_per_minute: float = Field(default=20.0, gt=0, le=20)
    """requests to the Wayback Machine; more than 20 a minute get an address blocked"""


def user_agent(corpus: Corpus) -> str:
    """The name that sites see, with the contact from corpus.toml.

    Raises UsageError without a contact: a crawler that nobody can write to is not run. The local
    server can be asked without one, and nobody else then.
    """
    contact = (corpus.config.corpus.contact or "").strip()
    problem = contact_problem(contact)
    if problem is None:
        return f"dalil/{dalil.__version__} (+{contact})"
    if not contact and local_server() is not None:
        return f"dalil/{dalil.__version__} (local)"
    raise no_contact(problem, corpus.config)


def contact_problem(contact: str | None) -> str | None:
    """What is wrong with a contact; None where it can be sent."""
    text = (contact or "").strip()
    if not text:
        return "is missing"
    return (
        None if text.isprintable() and text.isascii() else "must be plain ASCII: an e-mail address or a url"
    )


def no_contact(problem: str = "is missing", config: Config | None = None) -> UsageError:
    """Why nothing is crawled."""
    return UsageError(
        f"corpus.contact {problem}: sites must be able to write to whoever crawls them",
        where=config.path if config is not None else "corpus.toml",
        todo='add to [corpus]: contact = "you@university.edu"',
    )


def scrapy_settings(settings: CrawlSettings, agent: str, *, autothrottle: bool = True) -> dict[str, Any]:
    """Scrapy downloads, paces and times out; order, robots, redirects, retries and storing are the driver's.

    Only what is used is loaded: no other scheme than http and https has a handler.
    """
    return {
        "USER_AGENT": agent,
        "DEFAULT_REQUEST_HEADERS": {
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": "ar,en;q=0.5",
            "Accept-Encoding": ACCEPTED,
        },
        "CONCURRENT_REQUESTS": settings.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_DELAY": settings.delay,
        "AUTOTHROTTLE_ENABLED": autothrottle,
        "AUTOTHROTTLE_START_DELAY": max(settings.delay, 2.0),
        "AUTOTHROTTLE_MAX_DELAY": settings.longest_delay,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": 1.0,
        "DOWNLOAD_TIMEOUT": settings.timeout,
        "DOWNLOAD_MAXSIZE": int(settings.max_megabytes * (1 << 20)),
        "DOWNLOAD_WARNSIZE": 0,
        "DOWNLOAD_FAIL_ON_DATALOSS": False,
        "DOWNLOAD_HANDLERS_BASE": dict.fromkeys(("http", "https"), "spiders.crawl.download.Handler"),
        "TWISTED_DNS_RESOLVER": "spiders.crawl.resolver.GuardedResolver",
        "DNS_TIMEOUT": 20,
        "DOWNLOADER_MIDDLEWARES_BASE": {
            f"{_SCRAPY}.downloadermiddlewares.{name}": order
            for name, order in (
                ("downloadtimeout.DownloadTimeoutMiddleware", 350),
                ("defaultheaders.DefaultHeadersMiddleware", 400),
                ("useragent.UserAgentMiddleware", 500),
                ("httpproxy.HttpProxyMiddleware", 750),
            )
        },
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {f"{_SCRAPY}.extensions.throttle.AutoThrottle": 0},
        "DOWNLOADER_STATS": False,
        "LOG_ENABLED": False,
        "LOG_INSTALL_ROOT_HANDLER": False,
        "TELNETCONSOLE_ENABLED": False,
        "STATS_DUMP": False,
    }
