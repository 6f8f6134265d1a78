"""Similarity of texts: TF-IDF for ranking, MinHash for finding copies. Both compare search forms.

Term weights are scikit-learn's: tf × (ln((1 + n) / (1 + df)) + 1), rows of unit length, so that a
similarity is a cosine from 0 to 1. A fitted model is plain arrays, never a pickle.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dalil.errors import InputError, StateError
from dalil.text.copies import Cluster, near_duplicates
from dalil.text.normal import search_form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TOKEN", "Cluster", "Ranked", "Tfidf", "near_duplicates"]

TOKEN = r"(?u)\b\w\w+\b"  # noqa: S105
"""What counts as a word: two letters or digits at least."""

_FORMAT = 2
_DIGITS = 12
"""Decimals of a similarity that count in a ranking: below them lies the order of summation."""


class Ranked(NamedTuple):
    """A candidate and its similarity to the query, 0 to 1."""

    id: str
    score: float


class Tfidf:
    """Document frequencies of a collection, and cosines under them.

    >>> model = Tfidf.fit(["خبر عن مصر", "خبر عن تونس"])
    >>> model.rank("مِصر", [("b", "خبر عن تونس"), ("a", "خبر عن مصر")], keep=1)
    [Ranked(id='a', score=0.704909488931)]
    """

    def __init__(self, terms: Sequence[str], idf: NDArray[np.float64]) -> None:
        """Terms (search forms, in order) and the inverse document frequency of each."""
        self.terms = tuple(terms)
        self.idf = idf
        self._vectorizer = _vectorizer(self.terms, idf) if self.terms else None
        self._fitted: Any = None

    @classmethod
    def fit(cls, texts: Iterable[str]) -> Tfidf:
        """Learn the document frequencies of `texts`. Texts without words are welcome."""
        import numpy as np
        from sklearn.feature_extraction.text import TfidfVectorizer

        held = list(texts)
        vectorizer = TfidfVectorizer(preprocessor=search_form, token_pattern=TOKEN)
        try:
            fitted = vectorizer.fit_transform(held)
        except ValueError:  # scikit-learn refuses texts without words
            if any(map(vectorizer.build_analyzer(), held)):
                raise
            model = cls((), np.zeros(0))
            model._fitted = model.transform(held)
            return model
        model = cls(vectorizer.get_feature_names_out().tolist(), vectorizer.idf_)
        model._fitted = fitted
        return model

    @property
    def matrix(self) -> Any:
        """Sparse unit vectors (texts × terms) of the texts that the model was fitted on.

        Raises StateError for a model that was read back, which has no texts: use `transform`.
        """
        if self._fitted is None:
            raise StateError("this TF-IDF model holds no texts", todo="give the texts, or fit it again")
        return self._fitted

    def similarities(self, query: str) -> NDArray[np.float64]:
        """Cosine of the query with each text that the model was fitted on, in their order.

        Raises StateError for a model from `from_plain`, which has no texts: use `similarities_to`.
        """
        return self._cosines(query, self.matrix)

    def similarities_to(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Cosine of the query with each of `texts`; words that the model never saw count nothing."""
        return self._cosines(query, self.transform(texts))

    def rank(self, query: str, candidates: Iterable[tuple[str, str]], keep: int) -> list[Ranked]:
        """The `keep` candidates (id, text) most similar to the query; equals in the order of ids.

        The order of the candidates makes no difference. Raises ValueError for a negative `keep`.
        """
        if keep < 0:
            raise ValueError(f"cannot keep {keep} candidates")
        held = list(candidates)
        scores = self.similarities_to(query, [text for _, text in held]).round(_DIGITS).tolist()
        ranked = [Ranked(name, score) for (name, _), score in zip(held, scores, strict=True)]
        return sorted(ranked, key=lambda each: (-each.score, each.id))[:keep]

    def to_plain(self) -> dict[str, Any]:
        """The model for a JSON column: terms as lines, weights as base 64 of little-endian doubles.

        The texts it was fitted on are not part of it.
        """
        weights = base64.b64encode(self.idf.astype("<f8").tobytes()).decode("ascii")
        return {"format": _FORMAT, "token": TOKEN, "terms": "\n".join(self.terms), "idf": weights}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Tfidf:
        """The model that `to_plain` wrote. Raises InputError for another format or a spoilt one."""
        import numpy as np

        if (plain.get("format"), plain.get("token")) != (_FORMAT, TOKEN):
            raise InputError(
                f"a TF-IDF model of format {plain.get('format')!r}, not {_FORMAT}",
                todo="fit it anew: dalil pair --refit",
            )
        try:
            terms = plain["terms"].split("\n") if plain["terms"] else []
            idf = np.frombuffer(base64.b64decode(plain["idf"], validate=True), dtype="<f8").astype(np.float64)
            if not len(terms) == len(set(terms)) == idf.size or not np.isfinite(idf).all():
                raise ValueError("terms and weights do not match")
        except (KeyError, ValueError) as error:
            raise InputError(
                f"a spoilt TF-IDF model ({error})", todo="fit it anew: dalil pair --refit"
            ) from error
        return cls(terms, idf)

    def transform(self, texts: Sequence[str]) -> Any:
        """Sparse unit vectors (texts × terms); words that the model never saw count nothing."""
        from scipy.sparse import csr_matrix

        if self._vectorizer is None or not texts:
            return csr_matrix((len(texts), len(self.terms)))
        return self._vectorizer.transform(texts)

    def _cosines(self, query: str, vectors: Any) -> NDArray[np.float64]:
        cosines: NDArray[np.float64] = (vectors @ self.transform([query]).T).toarray()[:, 0]
        return cosines.clip(0.0, 1.0)


def _vectorizer(terms: Sequence[str], idf: NDArray[np.float64]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(preprocessor=search_form, token_pattern=TOKEN, vocabulary=list(terms))
    vectorizer.idf_ = idf
    return vectorizer
