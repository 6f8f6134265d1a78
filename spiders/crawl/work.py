"""The work of a crawl: live, in the crawl process; or as a replay, in any."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from dalil.corpus import Corpus
from dalil.stages import Gathering
from spiders.crawl.driver import Driver
from spiders.crawl.keeper import Keeper, Outcome
from spiders.crawl.pending import Stage
from spiders.crawl.replay import Index, ReplayKeeper
from spiders.crawl.settings import CrawlSettings, scrapy_settings, user_agent

NOTES = 20
"""notes that a run tells"""


@dataclass
class Count:
    """What a run did."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    step: Callable[[], None] = lambda: None

    def did(self, outcome: Outcome) -> None:
        """Count one visit."""
        self.counts["worked"] += 1
        self.counts["records"] += len(outcome.records)
        self.counts["drops"] += len(outcome.drops)
        self.counts["failed"] += outcome.entry.outcome == "failed"
        for _, name, entry in outcome.more:
            if entry.retry_after is not None:
                self.notes.append(
                    f"{name} is left alone until {entry.retry_after}: {entry.version.partition(' ')[2]}"
                )
        self.step()


def live(
    corpus: Corpus, stage: Stage, run_id: str, *, refresh: bool, count: Count, autothrottle: bool = True
) -> None:
    """Crawl with Scrapy in this process (once: a reactor cannot be started twice)."""
    from spiders.crawl.download import Downloads, run_engine

    settings = corpus.section("crawl", CrawlSettings)

    async def work(downloads: Downloads) -> None:
        keeper = Keeper(corpus, stage.NAME, run_id)
        keeper.did = count.did
        driver = Driver(corpus, stage, downloads, keeper, settings, refresh=refresh, live=True)
        try:
            await driver.run()
        finally:
            count.counts["unchanged"] = driver.unchanged

    engine = scrapy_settings(settings, user_agent(corpus), autothrottle=autothrottle)
    run_engine(engine, work, contact=corpus.config.corpus.contact)


def replay(stage: Stage, run: Gathering) -> None:
    """Answer everything from the WARC files of the corpus."""
    corpus = run.corpus
    count = Count(step=run.step)
    keeper = ReplayKeeper(corpus, stage.NAME, run.run_id)
    index = Index(corpus.warc)
    keeper.did = count.did
    settings = corpus.section("crawl", CrawlSettings)

    async def work() -> None:
        await Driver(corpus, stage, index, keeper, settings, refresh=True, live=False).run()

    asyncio.run(work())
    run.counts.update(count.counts)
    run.notes += list(dict.fromkeys(count.notes))[:NOTES]
