"""The command table: what there is, where it lies, one line of help. Nothing is imported to read it.

An entry either names a click command (`target`), or stages that the ground runs in order (`stages`:
names from `STAGES`).
"""

from __future__ import annotations

from dataclasses import dataclass

STAGES: dict[str, str] = {
    "collect": "spiders.collect:CollectPages",
    "api": "spiders.api:CollectApi",
    "links": "spiders.resolve:ResolveLinks",
    "claims": "spiders.collect:ReadClaims",
    "api_claims": "spiders.api:ReadApi",
    "true_claims": "retrieval.true_claims:TrueClaims",
    "clean": "retrieval.clean:Clean",
    "query": "retrieval.search:MakeQueries",
    "search": "retrieval.search:Search",
    "hits": "retrieval.search:ReadHits",
    "fetch": "spiders.articles:FetchArticles",
    "extract": "retrieval.extract:Extract",
    "adopt": "retrieval.adopt:Adopt",
    "duplicates": "retrieval.duplicates:FindCopies",
    "pair": "retrieval.pair:MakePairs",
    "gold": "annotation.gold:MakeGold",
}
"""Stage → entry point, in the order in which they feed each other."""

SECTIONS: dict[str, str] = {
    "corpus": "dalil.config:CorpusSettings",
    "sites": "spiders.sites:CollectSettings",
    "true_claims": "retrieval.true_claims:TrueClaimsSettings",
    "clean": "retrieval.clean:CleanSettings",
    "search": "retrieval.search:SearchSettings",
    "engines.collection": "retrieval.engines.collection:CollectionSettings",
    "engines.google": "retrieval.engines.google:GoogleSettings",
    "engines.brave": "retrieval.engines.brave:BraveSettings",
    "engines.serpapi": "retrieval.engines.serpapi:SerpApiSettings",
    "engines.searxng": "retrieval.engines.searxng:SearxngSettings",
    "engines.gdelt": "retrieval.engines.gdelt:GdeltSettings",
    "budgets.SERVICE": "dalil.config:Budget",
    "crawl": "spiders.crawl.settings:CrawlSettings",
    "fetch": "spiders.articles:FetchSettings",
    "extract": "retrieval.extract:ExtractSettings",
    "duplicates": "retrieval.duplicates:DuplicateSettings",
    "pair": "retrieval.pair:PairSettings",
    "annotate": "annotation.rounds.settings:AnnotateSettings",
    "gold": "annotation.gold:GoldSettings",
    "release": "annotation.release:ReleaseSettings",
}
"""Section of corpus.toml → its model."""

NAMED: tuple[str, ...] = (
    "spiders.named:named",
    "retrieval.named:cleaned",
    "retrieval.named:searched",
    "retrieval.named:chosen_from",
    "retrieval.named:paired",
    "annotation.named:judged",
    "annotation.named:files",
)
"""What `dalil doctor` asks for names in corpus.toml that stand for nothing: `Config` → errors.

A StateError is what is not made yet, and worth knowing; any other error is a slip that has to be mended.
"""


@dataclass(frozen=True)
class Entry:
    """One command."""

    help: str
    target: str | None = None
    stages: tuple[str, ...] = ()


TABLE: dict[str, Entry] = {
    "demo": Entry(
        "The whole job on the shipped sample, offline, under a minute.", "dalil.demo.commands:demo"
    ),
    "init": Entry("Make a new corpus folder.", "dalil.cli.ground:init"),
    "collect": Entry("Bring in claims from sites.", "spiders.commands:collect"),
    "import": Entry(
        "Bring in claims, articles, labels or results from files.", "dalil.formats.commands:import_"
    ),
    "clean": Entry("Turn raw claims into sentences that can be searched for.", stages=("clean",)),
    "claims": Entry("Edit cleaned claims by hand, in a spreadsheet.", "retrieval.claims_commands:claims"),
    "sites": Entry("Write and check definitions of sites.", "spiders.site_commands:sites"),
    "index": Entry("Make a searchable collection from JSONL or WARC.", "retrieval.index_commands:index"),
    "search": Entry("Ask the engines about each claim.", "retrieval.search_commands:search"),
    "fetch": Entry(
        "Download the documents found, and extract their articles.", stages=("fetch", "extract", "adopt")
    ),
    "pair": Entry("Choose at most ten articles a claim.", "retrieval.pair_commands:pair"),
    "run": Entry(
        "Everything from collect to pair: what is new or changed, and nothing else.",
        stages=(
            "collect",
            "api",
            "links",
            "claims",
            "api_claims",
            "true_claims",
            "clean",
            "query",
            "search",
            "hits",
            "fetch",
            "extract",
            "adopt",
            "duplicates",
            "pair",
        ),
    ),
    "why": Entry("Everything that led to one pair.", "retrieval.pair_commands:why"),
    "annotate": Entry(
        "Rounds of annotation: who judges what, on a page of their own.",
        "annotation.annotate_commands:annotate",
    ),
    "agreement": Entry("How far people agree, with intervals.", "annotation.agreement_commands:agreement"),
    "gold": Entry("Final labels from judgements.", "annotation.agreement_commands:gold"),
    "release": Entry("Write the data set that may be given away.", "annotation.release.commands:release"),
    "ablate": Entry("What each query variant and engine contributes.", "retrieval.ablate_commands:ablate"),
    "dataset": Entry(
        "Count, check, split, compare, fetch and refill data sets.", "annotation.dataset.commands:dataset"
    ),
    "models": Entry(
        "List, download and train the models that analyzers use.", "retrieval.model_commands:models"
    ),
    "status": Entry("How far a corpus is: counts, drops, requests, runs.", "dalil.cli.ground:status"),
    "dump": Entry("Write a corpus as sorted JSONL (private).", "dalil.cli.ground:dump"),
    "load": Entry("Make a corpus from a dump.", "dalil.cli.ground:load"),
    "doctor": Entry("Check this installation and, if given, a corpus.", "dalil.cli.ground:doctor"),
}
