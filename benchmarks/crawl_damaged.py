"""1,000 damaged pages, each an article or a reason: seeded mutations of real stored pages.

    DALIL_DATA=FOLDER python benchmarks/crawl_damaged.py [--pages 1000] [--seed 2019]

FOLDER holds checkthat2019/pages.warc.gz. Pages are cut, mislabelled, shuffled, filled with NULs,
huge attributes, nested tags and random bytes (tests/damage.py), written to a WARC and extracted as
`dalil fetch` does. It fails when a page ends in neither an article nor one of the known reasons.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def main(pages: int, seed: int) -> None:
    """Run and print the outcomes as JSON."""
    from damage import outcomes

    from dalil.state import warc

    path = Path(os.environ["DALIL_DATA"]) / "checkthat2019" / "pages.warc.gz"
    real = [
        record.response.body
        for record in warc.records(path)
        if record.response is not None and record.response.body
    ]
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        found = outcomes(Path(folder) / "c", real, pages, seed)
    report = {
        "pages": pages,
        "seed": seed,
        "seconds": round(time.perf_counter() - began),
        "outcomes": dict(found.most_common()),
    }
    print(json.dumps(report | {"date": time.strftime("%Y-%m-%d")}, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2019)
    options = parser.parse_args()
    main(options.pages, options.seed)
