"""Files: the report as JSON and Markdown, plots, TREC runs and qrels."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

from dalil.errors import StateError, UsageError
from dalil.formats.trec import write_qrels, write_run
from retrieval.ablation.figures import Ablation
from retrieval.ablation.markdown import section
from retrieval.ablation.material import Material
from retrieval.ablation.plot import plot


def export(report: Ablation, material: Material, folder: Path, *, title: str) -> list[Path]:
    """Write everything into a folder; files of these names are replaced. Raises StateError, UsageError."""
    if folder.exists() and not folder.is_dir():
        raise UsageError("this is a file", where=folder, todo="give a folder for the report")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "ablation.json").write_text(
            json.dumps(report.as_dict(), ensure_ascii=False, indent=1) + "\n", "utf-8", newline="\n"
        )
        (folder / "ablation.md").write_text("\n".join(section(report)) + "\n", "utf-8", newline="\n")
        written = [folder / "ablation.json", folder / "ablation.md"]
        written += [plot(report, folder / f"ablation{kind}", title=title) for kind in (".png", ".svg")]
        return written + trec(material, folder)
    except OSError as error:
        raise StateError(f"cannot be written: {error.strerror}", where=folder) from error


def trec(material: Material, folder: Path) -> list[Path]:
    """One run a variant and engine, and the qrels: 1 related, 0 not; what was not judged is not there."""
    runs: dict[tuple[str, str], dict[str, tuple[str, ...]]] = defaultdict(dict)
    for one in material.brought:
        runs[one.variant, one.engine][one.claim] = one.documents
    written = [
        write_run(folder / f"{_file(f'{variant}@{engine}')}.run", run, f"{variant}@{engine}")
        for (variant, engine), run in sorted(runs.items())
    ]
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for (claim, document), label in material.labels.items():
        qrels[claim][document] = int(label in material.related)
    return [*written, write_qrels(folder / "qrels.txt", qrels)]


def _file(name: str) -> str:
    """A name from a file as one of a file: what could lead out of the folder as %2F."""
    return re.sub(r'[/\\:*?"<>|%\x00-\x1f]', lambda found: f"%{ord(found[0]):02X}", name)
