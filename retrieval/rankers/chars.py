"""`chars`: cosine of TF-IDF vectors of 3 to 5 letters within words: forgives inflection and spelling.

The n-grams of titles (untitled articles: of their first words) are hashed into 2¹⁸ places, so that the
fitted model is one list of document frequencies, whatever the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dalil.errors import InputError
from dalil.records import Article, Model
from dalil.text.normal import search_form
from retrieval.rankers.base import Asked, head, places, products

MODEL = "pair.chars"
LENGTHS = (3, 5)
PLACES = 2**18
_FORMAT = 1


class CharacterNgrams:
    """Scores from 0 to 1."""

    NAME: ClassVar[str] = "chars"

    def __init__(self, articles: Mapping[str, Article], fitted: Mapping[str, Model]):
        from sklearn.feature_extraction.text import HashingVectorizer

        self.place = places(articles)
        self.vectorizer: Any = HashingVectorizer(
            preprocessor=search_form, analyzer="char_wb", ngram_range=LENGTHS, n_features=PLACES,
            alternate_sign=False, norm=None,
        )  # fmt: skip
        counts = self.vectorizer.transform([head(articles[key]) for key in self.place])
        self.model = fitted.get(MODEL) or _fit(counts)
        data = self.model.data
        if data.get("format") != _FORMAT or len(data["df"]) != PLACES:
            raise InputError("not a model of this format", where=MODEL, todo="dalil pair --refit")
        self.idf = _idf(data)
        self.by_term = self._vectors(counts).T.tocsr()

    @property
    def models(self) -> Sequence[Model]:
        """Document frequencies."""
        return (self.model,)

    def scores(self, asked: Sequence[Asked]) -> Iterator[dict[str, float]]:
        """Cosines."""
        return products(asked, self.place, self._claims, self.by_term)

    def _claims(self, texts: list[str]) -> Any:
        return self._vectors(self.vectorizer.transform(texts))

    def _vectors(self, counts: Any) -> Any:
        """(1 + ln tf) × idf, rows of unit length."""
        import numpy as np
        from sklearn.preprocessing import normalize

        weighted = counts.astype(float)
        weighted.data = (1 + np.log(weighted.data)) * self.idf[weighted.indices]
        return normalize(weighted, copy=False)


def _fit(counts: Any) -> Model:
    import numpy as np

    df = np.bincount(counts.indices, minlength=PLACES).tolist()
    return Model(id=MODEL, kind="chars", data={"format": _FORMAT, "df": df, "articles": int(counts.shape[0])})


def _idf(data: Mapping[str, Any]) -> Any:
    """scikit-learn's: ln((1 + n) / (1 + df)) + 1."""
    import numpy as np

    return np.log((1 + data["articles"]) / (1 + np.asarray(data["df"], dtype=float))) + 1
