"""Secrets are in nothing that is stored or shown: whatever the key, whatever it is wrapped in."""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Iterator
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.errors import UsageError
from dalil.net import secrets

KEYS = st.text(
    st.sampled_from(string.ascii_letters + string.digits + "-_.~+/=%&?#:;@! \"'\\<>ابت"),
    min_size=8,
    max_size=60,
).filter(lambda key: key == key.strip() and len(set(key)) > 3)
AROUND = st.text(st.sampled_from(string.ascii_lowercase + " /?=&:"), max_size=30)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    secrets.forget_all()


def spellings(key: str) -> list[str]:
    """How a request, an error or a dump can carry a key."""
    basic = base64.b64encode(f"user:{key}".encode()).decode()
    return [
        key,
        quote(key),
        quote(key, safe=""),
        quote_plus(key),
        quote(quote(key, safe=""), safe=""),
        urlencode({"anything": key}),
        json.dumps({"x": key}),
        json.dumps({"x": key}, ensure_ascii=False),
        repr(f"{key}"),
        f"Authorization: Bearer {key}",
        f"Authorization: Basic {basic}",
        base64.b64encode(key.encode()).decode(),
        quote(key, safe="").lower() if not any(letter.isupper() for letter in key) else key,
    ]


@given(key=KEYS, before=AROUND, after=AROUND)
def test_a_known_secret_is_in_no_redacted_text(key: str, before: str, after: str) -> None:
    secrets.remember(key)
    for wrapped in spellings(key):
        shown = secrets.redact(f"{before} {wrapped} {after}")
        for form in (
            key,
            quote(key, safe=""),
            quote_plus(key),
            json.dumps(key)[1:-1],
            base64.b64encode(key.encode()).decode(),
        ):
            assert form not in shown
    secrets.forget_all()


@given(key=KEYS)
def test_a_value_is_redacted_at_every_depth(key: str) -> None:
    secrets.remember(key)
    value = {"a": [{"url": f"https://api.example/?x={quote(key)}"}, (key, 3)], key: None}
    shown = secrets.redact_value(value)
    assert key not in json.dumps(shown, ensure_ascii=False)
    assert json.dumps(key)[1:-1] not in json.dumps(shown)
    secrets.forget_all()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://a.example/?q=x&key=AIzaSyD-1234567&num=10", "https://a.example/?q=x&key=***&num=10"),
        ("https://a.example/?api_key=abcdef", "https://a.example/?api_key=***"),
        ("https://user:pass@a.example/x", "https://***@a.example/x"),
        ('{"api_key": "abc def", "q": "key"}', '{"api_key": "***", "q": "key"}'),
        ("Authorization: Bearer AAAAAAAAAAAA%2Fxyz", "Authorization: Bearer ***"),
        ("turkey=1&monkey=2&q=key", "turkey=1&monkey=2&q=key"),
        ("nextPageToken is missing", "nextPageToken is missing"),
    ],
)
def test_what_looks_like_a_secret_goes_and_the_rest_stays(text: str, shown: str) -> None:
    assert secrets.redact(text) == shown
    assert secrets.redact(shown) == shown


def test_a_secret_comes_from_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_KEY", raising=False)
    with pytest.raises(UsageError, match=r"A_KEY: the key of A is not set; export A_KEY=…"):
        secrets.secret("A_KEY", what="key of A")
    monkeypatch.setenv("A_KEY", "ab")
    with pytest.raises(UsageError, match="fewer than 4"):
        secrets.secret("A_KEY", what="key of A")
    monkeypatch.setenv("A_KEY", " s3cret-value ")
    assert secrets.secret("A_KEY", what="key of A") == "s3cret-value"
    assert secrets.redact("x s3cret-value y") == "x *** y"
