"""The YAML head of the data card, as the Hugging Face Hub and its `datasets` library read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from annotation.release import ReleaseSettings
from annotation.release.citation import quoted
from annotation.release.layouts import HUGGING_FACE, capital

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

WHOLE = "train"
"""what the Hub calls the one part of a data set without splits"""


def yaml_head(
    title: str,
    settings: ReleaseSettings,
    languages: Sequence[str],
    labels: Sequence[str],
    sizes: Mapping[str, int],
    *,
    texts: bool,
    creators: Sequence[str] = (),
) -> str:
    """The head with its two lines of dashes. `sizes`: split → pairs; `creators`: who gave the labels, in the
    Hub's words, where that is known."""
    total = sum(sizes.values())
    beside = "article" if texts else "article_url"
    lines = [
        "---",
        f"pretty_name: {quoted(title)}",
        "language:",
        *(f"  - {quoted(name)}" for name in languages),
    ]
    lines += [f"license: {quoted((settings.licence or 'other').lower())}"]
    if not settings.licence:
        lines.append('license_name: "not stated"')
    lines += ["task_categories:", "  - text-classification", "task_ids:", "  - fact-checking"]
    lines += [
        "tags:",
        "  - stance-detection",
        "  - fact-checking",
    ]
    if creators:
        lines += ["annotations_creators:", *(f"  - {name}" for name in creators)]
    lines += ["size_categories:", f"  - {next((word for top, word in SIZES if total < top), 'n>1M')}"]
    lines += ["dataset_info:", "  config_name: default", "  features:"]
    for name in ("id", "claim", beside):
        lines += [f"    - name: {name}", "      dtype: string"]
    lines += ["    - name: stance", "      dtype:", "        class_label:", "          names:"]
    lines += [f"            '{code}': {quoted(capital(label))}" for code, label in enumerate(labels)]
    lines += ["    - name: pair_id", "      dtype: string"]
    lines += ["configs:", "  - config_name: default", "    data_files:"]
    for name in sizes:
        lines += [
            f"      - split: {hub_split(name) if len(sizes) > 1 else WHOLE}",
            f"        path: {Path(HUGGING_FACE, name + '.jsonl').as_posix()}",
        ]
    return "\n".join([*lines, "---", ""])


def hub_split(name: str) -> str:
    """A split's name on the Hub: word characters only, dev as validation."""
    plain = "".join(letter if letter.isalnum() else "_" for letter in name)
    return {"dev": "validation"}.get(plain, plain)
