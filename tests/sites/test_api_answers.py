"""What an API answers in the place of claims is an error, never the end of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from dalil.corpus import Corpus
from dalil.errors import DalilError
from dalil.ids import make_id
from dalil.net.session import Reply, Session
from dalil.records import ApiPage
from spiders.api import CollectApi
from spiders.sites import load_site
from spiders.ways.api import api_of


class Answering:
    """A session that answers everything with the same value."""

    def __init__(self, value: Any):
        self.value = value

    def get(self, url: str, **_: Any) -> Reply:
        return Reply(url, 200, {}, json.dumps(self.value).encode())

    def send(self, method: str, url: str, **_: Any) -> Reply:
        return self.get(url)


EMPTY: dict[str, Any] = {
    "demagog_cz": {"data": {"statements": []}},
    "dbkf": {"documents": []},
    "dbkf_sparql": {"results": {"bindings": []}},
}
BAD: list[Any] = [
    {"errors": [{"message": "Timeout"}], "data": None},
    {},
    [],
    None,
    {"documents": None, "results": {}},
]


def answered(name: str, value: Any) -> Reply:
    part = load_site(name).api
    assert part is not None
    api = api_of(part)
    return api.ask(cast(Session, Answering(value)), api.first(part))


@pytest.mark.parametrize("name", EMPTY)
def test_no_more_claims_is_an_answer(name: str) -> None:
    assert answered(name, EMPTY[name]).status == 200


@pytest.mark.parametrize("value", BAD, ids=json.dumps)
@pytest.mark.parametrize("name", EMPTY)
def test_an_answer_without_a_list_of_claims_is_an_error(name: str, value: Any) -> None:
    with pytest.raises(DalilError, match="the answer has no"):
        answered(name, value)


@pytest.mark.parametrize("last", [1, 2])
def test_a_limit_that_cuts_a_walk_short_is_told(last: int, tmp_path: Path) -> None:
    """Two pages of claims there are, the first full."""
    toml = '[corpus]\nname = "t"\n[sites]\nnames = ["known"]\n'
    definition = (
        'way = "api"\n[api]\nkind = "dbkf"\nurl = "https://known.example/documents"\npage_size = 2\n'
        f"max_pages = {last}\n"
    )
    with Corpus.create(tmp_path / "c", toml) as corpus:
        (corpus.path / "sites").mkdir()
        (corpus.path / "sites" / "known.toml").write_text(definition, "utf-8")
        stage = CollectApi(corpus)
        for request in stage.requests(corpus.store):
            number = request.context[1]
            rows = [{"documentUrl": f"https://known.example/{number}/{row}"} for row in range(3 - number)]
            answer = ApiPage(
                id=make_id("api_page", request.fingerprint), site="known", number=number,
                request=request.what, status=200, answer=json.dumps({"documents": rows}),
            )  # fmt: skip
            with corpus.store.transaction() as writer:
                writer.put([answer])
        assert corpus.store.count(ApiPage) == last
        assert len(stage.notes) == (last == 1)
        assert all("known: there is more behind page 1" in note for note in stage.notes)
