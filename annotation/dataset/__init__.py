"""dataset: published data sets and one's own releases: counts, checks, splits, differences."""
