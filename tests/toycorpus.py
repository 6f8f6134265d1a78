"""A corpus in a folder and two small stages, for tests of the ground."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dalil.corpus import Corpus
from dalil.ids import make_id
from dalil.records import Claim, CleanedClaim, Document, Fetch, SearchPage
from dalil.stages import Drop, Reads, Request, Result, Transient, Unit
from dalil.state.store import Store
from dalil.state.warc import WarcWriter

TOML = '[corpus]\nname = "toy"\n'


def make(folder: Path, toml: str = TOML) -> Corpus:
    return Corpus.create(folder, toml)


def claim(number: int, raw: str | None = None) -> Claim:
    return Claim(id=f"claim-{number:03d}", site="toy", raw=raw if raw is not None else f"ادعاء رقم {number}")


def add(corpus: Corpus, *claims: Claim) -> None:
    with corpus.store.transaction() as writer:
        writer.put(claims)


class Upper:
    """A derivation: claims in, texts with a mark out; an empty claim is dropped."""

    NAME = "clean"
    VERSION = "1"
    READS = Reads(config=("clean",))
    WRITES = (CleanedClaim,)

    def __init__(self, corpus: Corpus):
        self.worked: list[str] = []

    def keys(self, store: Store) -> Iterator[Unit]:
        for found in store.all(Claim):
            yield Unit(found.id, (found.id, found.raw))

    def work(self, inputs: tuple[str, str]) -> Result:
        key, raw = inputs
        self.worked.append(key)
        if not raw:
            return Result(drops=(Drop("no_text"),))
        return Result(records=(CleanedClaim(id=key, raw=raw, text=f"{raw}!"),))


class Ask:
    """An acquisition: asks `questions` of a service that is a list in memory."""

    NAME = "search"
    WRITES = (SearchPage, Fetch)

    def __init__(self, corpus: Corpus, questions: int = 3):
        self.corpus = corpus
        self.questions = questions
        self.sent: list[int] = []
        self.failing: set[int] = set()
        self.warc = WarcWriter(corpus.warc, corpus.store)

    def requests(self, store: Store) -> Iterator[Request]:
        for number in range(self.questions):
            yield Request("toy", {"q": number}, cost=0.5)

    def send(self, request: Request) -> Result:
        number = request.what["q"]
        self.sent.append(number)
        if number in self.failing:
            raise Transient("busy")
        where = self.warc.append(
            f"http://toy.example/{number}", 200, "OK", [("X", "1")], f"page {number}".encode()
        )
        key = request.fingerprint
        page = SearchPage(
            id=make_id("page", key), engine="toy", question=str(number), text=str(number), answer="{}"
        )
        fetch = Fetch(
            id=make_id("fetch", key),
            fingerprint=key,
            document_id=f"document-{number}",
            url=f"http://toy.example/{number}",
            purpose="article",
            status=200,
            warc_file=where.file,
            warc_offset=where.offset,
            warc_length=where.length,
        )
        document = Document(id=f"document-{number}", url=f"https://toy.example/{number}", host="toy.example")
        return Result(records=(page, fetch), shared=(document,))
