"""`bm25`: Okapi BM25 of a claim's stems over the articles' titles (untitled ones: their first words).

Robertson & Zaragoza (2009), *The Probabilistic Relevance Framework: BM25 and Beyond*, §3.2, with the
usual k1 = 1.2 and b = 0.75, and ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative. A
word that a claim repeats counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dalil.errors import InputError
from dalil.ids import value_hash
from dalil.records import Article, Model
from retrieval.rankers.base import Asked, head, places, products, terms

K1, B = 1.2, 0.75
MODEL = "pair.bm25"
_FORMAT = 1


class Bm25:
    """Scores from 0 up; articles that share no word with the claim have 0."""

    NAME: ClassVar[str] = "bm25"

    def __init__(self, articles: Mapping[str, Article], fitted: Mapping[str, Model]):
        self.place = places(articles)
        texts = [terms(head(articles[key])) for key in self.place]
        self.model = fitted.get(MODEL) or _fit(texts)
        data = self.model.data
        if data.get("format") != _FORMAT:
            raise InputError("not a BM25 model of this format", where=MODEL, todo="dalil pair --refit")
        names = data["terms"].split("\n") if data["terms"] else []
        self.number = {name: at for at, name in enumerate(names)}
        self.by_term = self._weights(texts, data).T.tocsr()

    @property
    def models(self) -> Sequence[Model]:
        """Document frequencies and the average length."""
        return (self.model,)

    def scores(self, asked: Sequence[Asked]) -> Iterator[dict[str, float]]:
        """BM25 of every candidate."""
        return products(asked, self.place, self._claims, self.by_term)

    def _claims(self, texts: list[str]) -> Any:
        """Claims × terms, 1 where a claim has the term."""
        return self._matrix(
            [[(self.number[t], 1.0) for t in set(terms(text)) & self.number.keys()] for text in texts]
        )

    def _weights(self, texts: Sequence[Sequence[str]], data: Mapping[str, Any]) -> Any:
        """Articles × terms."""
        import math
        from collections import Counter

        count, average = data["articles"], data["average"] or 1.0
        idf = [math.log(1 + (count - df + 0.5) / (df + 0.5)) for df in data["df"]]
        rows = []
        for words in texts:
            norm = K1 * (1 - B + B * len(words) / average)
            found = [(self.number[t], tf) for t, tf in Counter(words).items() if t in self.number]
            rows.append([(at, idf[at] * tf * (K1 + 1) / (tf + norm)) for at, tf in found])
        return self._matrix(rows)

    def _matrix(self, rows: Sequence[Sequence[tuple[int, float]]]) -> Any:
        from itertools import accumulate, chain

        from scipy.sparse import csr_matrix

        cells = [sorted(row) for row in rows]
        starts = [0, *accumulate(map(len, cells))]
        columns = [at for at, _ in chain.from_iterable(cells)]
        values = [value for _, value in chain.from_iterable(cells)]
        return csr_matrix((values, columns, starts), shape=(len(rows), len(self.number)), dtype=float)


def _fit(texts: Sequence[Sequence[str]]) -> Model:
    from collections import Counter

    df = Counter(term for words in texts for term in set(words))
    names = sorted(df)
    data = {
        "format": _FORMAT,
        "terms": "\n".join(names),
        "df": [df[name] for name in names],
        "articles": len(texts),
        "average": round(sum(map(len, texts)) / len(texts), 6) if texts else 0.0,
    }
    return Model(id=MODEL, kind="bm25", data=data | {"hash": value_hash(data)})
