"""What an API answers in the place of claims is an error, never the end of them."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from dalil.errors import DalilError
from dalil.net.session import Reply, Session
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
