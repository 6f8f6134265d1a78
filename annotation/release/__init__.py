"""release: the data set that may be given away, with a card that says how it came to be."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dalil.config import Settings


class ReleaseSettings(Settings):
    """`[release]` of corpus.toml."""

    title: str | None = None
    """name of the data set; by default the corpus's"""
    title_ar: str | None = None
    """the same in Arabic"""
    version: str = "1.0.0"
    """version of the data set"""
    description: str | None = None
    """what it is, in a paragraph; by default a sentence with its counts"""
    description_ar: str | None = None
    """the same in Arabic"""
    authors: tuple[str, ...] = ()
    """"Family, Given" each"""
    licence: str | None = None
    """SPDX name of the licence of the annotations, e.g. CC-BY-4.0"""
    url: str | None = None
    """where the data set will be found"""
    doi: str | None = None
    """its DOI"""
    released: str | None = None
    """ISO date; by default the day of the last judgement"""
    annotators: str | None = None
    """who annotated, how they were trained and paid, and what they consented to"""
    annotators_ar: str | None = None
    """the same in Arabic"""
    annotations_creators: tuple[
        Literal["expert-generated", "crowdsourced", "found", "machine-generated", "other"], ...
    ] = ()
    """who gave the labels, in the Hugging Face Hub's words; by default `found` where all were imported"""
    ethics: str | None = None
    """what users should know before they use it: people named, harms, consent"""
    ethics_ar: str | None = None
    """the same in Arabic"""
    site_terms: dict[str, str] = Field(default_factory=dict)
    """site → on what terms its claims may be used"""
    shares: dict[str, float] = Field(default_factory=lambda: {"train": 0.7, "dev": 0.14, "test": 0.16})
    """split → share of the pairs; they add up to 1. One part alone (`{ all = 1 }`): no splits"""
    folds: int | None = Field(default=None, ge=2)
    """k equal folds instead of `shares`"""
    by: Literal["rows", "time", "site", "country"] = "rows"
    """balanced over rows, in the order of time, or sites or countries kept whole"""
    stratify: tuple[str, ...] = ("label", "veracity", "site")
    """what is balanced: label, veracity, site, country, domain, language"""
    apart: tuple[str, ...] = ("claim", "cluster", "article")
    """what no two splits may share: claim, cluster, body, article, related, site, country"""
    near_duplicate: float = Field(default=0.8, gt=0, le=1)
    """Jaccard similarity of word trigrams from which two articles count as one"""
    undated: str | None = None
    """`by = "time"`: the split of claims without a date"""
    seed: int = 0
    """seed of the split"""
    manifest: str | None = None
    """a manifest.csv (path from the corpus folder) that says the splits instead"""
    texts: bool = True
    """false: urls, hashes and archive links instead of article texts"""
