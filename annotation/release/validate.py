"""mlcroissant, wrapped: whether a file is valid Croissant metadata."""

from __future__ import annotations

import json
import logging
import warnings
from pathlib import Path


def croissant_problem(path: Path) -> str | None:
    """What is wrong with the metadata, in a line, or None. ImportError without the extra."""
    import mlcroissant

    try:
        said = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return f"no JSON: {error}"[:300]
    if not isinstance(said, dict):
        return "no JSON object"
    logging.getLogger("absl").setLevel(logging.ERROR)  # it recommends what a release may not have (a date)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # its own use of rdflib
            mlcroissant.Dataset(jsonld=path)
    except (mlcroissant.ValidationError, ValueError, TypeError, KeyError, AttributeError) as error:
        return " ".join(str(error).split())[:300]
    return None
