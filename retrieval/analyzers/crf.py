"""The one place that touches python-crfsuite."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dalil.errors import InputError

Features = list[list[str]]


class Crf:
    """A linear-chain CRF, read from a gzip-compressed CRFsuite model."""

    def __init__(self, path: Path):
        """Raises InputError when the file is missing or no such model."""
        import pycrfsuite

        self._tagger: Any = pycrfsuite.Tagger()
        try:
            self._model = gzip.decompress(path.read_bytes())  # must outlive the tagger, which points into it
            if self._model[:4] != b"lCRF":
                raise ValueError("no CRFsuite model")
            self._tagger.open_inmemory(self._model)
        except (OSError, EOFError, ValueError) as error:
            todo = "train it: dalil models train embedded --data FOLDER"
            raise InputError(f"cannot be read: {error}", where=path, todo=todo) from error

    def tag(self, features: Features) -> list[str]:
        """The most likely labels of a sentence, one for each item."""
        return list(self._tagger.tag(features)) if features else []


def train(
    sentences: Sequence[tuple[Features, Sequence[str]]], path: Path, settings: Mapping[str, float]
) -> None:
    """Fit a CRF by L-BFGS and write it compressed.

    Deterministic: one thread, no random start; the same sentences, settings and library give the
    same bytes.
    """
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"feature.possible_transitions": False, **settings})
    for features, labels in sentences:
        trainer.append(features, list(labels))
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "model"
        trainer.train(str(plain))
        path.write_bytes(gzip.compress(plain.read_bytes(), compresslevel=9, mtime=0))
