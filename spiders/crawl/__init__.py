"""The crawl: all page fetching, in one child process, politely (docs/manners.md)."""
