"""One visit as a walk: guard, robots.txt, request, redirect, and again, until there is a page."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from w3lib.url import safe_url_string

from dalil.net import guard, robots
from dalil.net.challenge import challenge
from dalil.net.encoding import Undecodable, decode
from dalil.net.local import plays
from dalil.net.wayback import HOST as WAYBACK
from dalil.stages import Request
from spiders.crawl.answers import REDIRECTS, Answer, Ask, Got, Kept, NoAnswer, media
from spiders.crawl.domains import Domains
from spiders.crawl.keeper import Keeper
from spiders.crawl.outcomes import Past

MOST_REDIRECTS = 10
DAY = 86400.0
LARGEST_WALL = 100_000
"""bytes: no challenge page is larger"""
MOST_RULES = 1000
"""origins whose robots.txt is kept in memory"""
DECODED = 2
"""a page may become this many times the size limit when decoded"""


class Steps:
    """Walks from a url to its page, one journalled request at a time."""

    def __init__(self, ask: Ask, keeper: Keeper, domains: Domains, *, live: bool, limit: int = 20 << 20):
        self.ask = ask
        self.keeper = keeper
        self.domains = domains
        self.live = live
        self.limit = limit
        self._rules: OrderedDict[str, asyncio.Future[robots.Rules | robots.AllOrNothing]] = OrderedDict()

    async def walk(self, request: Request, past: Past) -> Got:
        """The page at a request's url, or why there is none. Raises NoAnswer where no response came."""
        url = spelled(request.what["url"])
        conditions = past.conditions() if self.live else {}
        redirects: list[str] = []
        while True:
            try:
                guard.check(url)
            except guard.Refused as refused:
                return Got(url, tuple(redirects), error=refused.reason, detail=refused.what)
            forbidden = await self._forbidden(request, url)
            if forbidden is not None:
                late = DAY if forbidden == "robots_unreachable" else 0.0
                return Got(
                    url,
                    tuple(redirects),
                    error=forbidden,
                    detail=robots.robots_url(url),
                    transient=late > 0,
                    retry_seconds=late,
                )
            row, answer = await self._send(request, url, conditions if not redirects else {})
            target = answer.header("location")
            if answer.status in REDIRECTS and target:
                await self.keeper.settled(self.keeper.keep(row, answer))
                redirects.append(url)
                url = _joined(url, target)
                if "original" in request.what and self.domains.of(url) is not self.domains.of(redirects[0]):
                    return Got(url, tuple(redirects), error="left_archive", detail=url)
                if url in redirects:
                    return Got(url, tuple(redirects), error="redirect_loop", detail=url)
                if len(redirects) > MOST_REDIRECTS:
                    return Got(
                        url,
                        tuple(redirects),
                        error="too_many_redirects",
                        detail=f"more than {MOST_REDIRECTS}",
                    )
                continue
            return self._page(row, answer, url, tuple(redirects), past)

    def challenge(self, answer: Answer) -> str | None:
        """Which sign shows that an answer is a challenge page, or None."""
        body = _bytes(answer, self.limit) if len(answer.body) < LARGEST_WALL else b""
        return challenge(answer.status, dict(answer.headers), body)

    def _page(self, row: str, answer: Answer, url: str, redirects: tuple[str, ...], past: Past) -> Got:
        content_type = answer.header("content-type")
        got = Got(url, redirects, status=answer.status, content_type=content_type)
        same = past.capture()
        if answer.status == 304 and same is not None:
            got.kept = self.keeper.keep(row, answer, same_as=same)
            got.unchanged = True
            return got
        kind = media(content_type, answer.body)
        if kind is not None and 200 <= answer.status < 300:
            got.aside = self.keeper.keep(row, answer if answer.truncated else _without_body(answer))
            got.error, got.detail = kind, content_type or ""
            return got
        got.kept = Kept(answer)
        try:
            decode(answer.body, answer.header("content-encoding"), self.limit)
        except Undecodable as problem:
            if problem.reason == "bomb":
                got.aside = self.keeper.keep(row, _without_body(answer))
                got.kept, got.error, got.detail = None, "bomb", str(problem)
                return got
        got.kept = self.keeper.keep(row, answer, same_as=same if past.has(answer.body) else None)
        if answer.truncated:
            got.error = "cut_short"
        return got

    async def _send(self, request: Request, url: str, conditions: Mapping[str, str]) -> tuple[str, Answer]:
        """One request: the domain's turn, the journal, the answer."""
        domain = self.domains.of(url)
        async with domain.lock:
            if self.live:
                await domain.turn()
            row = await self.keeper.sending(request.service, request.fingerprint)
            try:
                return row, await self.ask(url, domain.name, conditions)
            except NoAnswer as problem:
                await self.keeper.keep_failure(row, url, problem)
                raise

    async def _forbidden(self, request: Request, url: str) -> str | None:
        """Why robots.txt forbids a url, or None. The Wayback Machine's replays are a service, not a site."""
        if urlsplit(url).hostname == WAYBACK or request.service == "wayback":
            return None
        origin = robots.robots_url(url)
        reading = self._rules.get(origin)
        if reading is None:
            reading = asyncio.ensure_future(self._read_rules(request, origin))
            self._rules[origin] = reading
            if len(self._rules) > MOST_RULES:
                self._rules.popitem(last=False)
        self._rules.move_to_end(origin)
        rules = await asyncio.shield(reading)
        if rules.delay and not plays(url):
            domain = self.domains.of(url)
            domain.delay = max(domain.delay, rules.delay)
        if rules.allows(url):
            return None
        return "robots_unreachable" if rules == robots.NOTHING_NOW else "robots"

    async def _read_rules(self, request: Request, origin: str) -> robots.Rules | robots.AllOrNothing:
        """Get robots.txt, over at most five redirects (RFC 9309, 2.3.1.2)."""
        url = origin
        for _ in range(6):
            try:
                guard.check(url)
                row, answer = await self._send(request, url, {})
            except guard.Refused:
                return robots.EVERYTHING
            except NoAnswer as problem:
                if problem.reason == "not_stored":
                    raise  # nobody was asked: that says nothing of the site
                if problem.reason == "no_such_host":
                    return robots.EVERYTHING  # the page itself will say so
                return robots.NOTHING_NOW
            await self.keeper.settled(self.keeper.keep(row, answer))
            target = answer.header("location")
            if answer.status not in REDIRECTS or not target:
                return self._rules_in(answer)
            url = _joined(url, target)
        return robots.EVERYTHING

    def _rules_in(self, answer: Answer) -> robots.Rules | robots.AllOrNothing:
        """What an answer says. A file that came damaged or in half may have forbidden anything."""
        if 200 <= answer.status < 300:
            if answer.truncated:
                return robots.NOTHING_NOW
            try:
                body = decode(answer.body, answer.header("content-encoding"), self.limit)
            except Undecodable:
                return robots.NOTHING_NOW
            return robots.rules(answer.status, body)
        return robots.rules(answer.status, b"")


def spelled(url: str) -> str:
    """A url as it is sent: ASCII, letters percent-encoded as UTF-8, without fragment and white space.

    What is no url is given back as it is: the guard says what is wrong with it.
    """
    try:
        return str(safe_url_string(url.strip())).partition("#")[0]
    except ValueError:
        return url


def _joined(url: str, target: str) -> str:
    try:
        return spelled(urljoin(url, target.strip()))
    except ValueError:
        return target


def _without_body(answer: Answer) -> Answer:
    return Answer(
        answer.url,
        answer.status,
        answer.reason,
        answer.headers,
        b"",
        answer.address,
        "unspecified",
        answer.location,
    )


def _bytes(answer: Answer, limit: int) -> bytes:
    try:
        return decode(answer.body, answer.header("content-encoding"), limit)
    except Undecodable:
        return b""
