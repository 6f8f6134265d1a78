"""The state of a corpus: store, ledger, journal, WARC, dump."""
