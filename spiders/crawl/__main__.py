"""`python -m spiders.crawl`: the crawl process. `dalil` starts it; nobody else needs to."""

from __future__ import annotations

import os
import sys

from spiders.crawl.child import main

if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)
