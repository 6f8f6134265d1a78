"""Limits told apart by what services say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalil.net.limits import LONGEST_WAIT, Kind, kind, retry_after

CASES = [
    (200, "{}", None),
    (302, "", None),
    (404, "{}", None),
    (
        400,
        '{"error": {"message": "Request contains an invalid argument", "status": "INVALID_ARGUMENT"}}',
        None,
    ),
    (400, '{"error": {"message": "API key not valid. Please pass a valid API key."}}', Kind.AUTH),
    (401, "", Kind.AUTH),
    (402, '{"title": "CreditsDepleted"}', Kind.CREDITS),
    (403, '{"error": {"errors": [{"reason": "dailyLimitExceeded"}]}}', Kind.QUOTA),
    (403, '{"error": {"errors": [{"reason": "userRateLimitExceeded"}]}}', Kind.RATE),
    (403, '{"error": {"errors": [{"reason": "accessNotConfigured"}]}}', Kind.AUTH),
    (
        429,
        '{"error": {"errors": [{"reason": "rateLimitExceeded"}], "message": "Queries per minute"}}',
        Kind.RATE,
    ),
    (
        429,
        '{"error": {"errors": [{"reason": "rateLimitExceeded"}], "message": "Queries per day"}}',
        Kind.QUOTA,
    ),
    (429, '{"title": "UsageCapExceeded", "type": "https://api.x.com/2/problems/usage-capped"}', Kind.QUOTA),
    (429, '{"error": "Your account has run out of searches."}', Kind.QUOTA),
    (429, "Please limit requests to one every 5 seconds", Kind.RATE),
    (429, "", Kind.RATE),
    (429, "<html>" * 5000, Kind.RATE),
    (503, "", Kind.BUSY),
    (504, "", Kind.BUSY),
]


@pytest.mark.parametrize(("status", "body", "found"), CASES)
def test_kind(status: int, body: str, found: Kind | None) -> None:
    assert kind(status, {}, body) is found


@given(st.integers(100, 599), st.text(max_size=300))
def test_whatever_comes_has_a_kind_or_none(status: int, body: str) -> None:
    assert kind(status, {}, body) in (*Kind, None)


def test_deeply_nested_answers_are_read_or_given_up() -> None:
    assert kind(429, {}, "[" * 100_000) is Kind.RATE


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "17"}, 17.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"Retry-After": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"x-rate-limit-reset": "1000000100", "x-rate-limit-remaining": "0"}, LONGEST_WAIT),
        ({"x-rate-limit-reset": "1000000100", "x-rate-limit-remaining": "12"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=10.0) == seconds


def test_the_moment_of_a_reset_is_a_wait() -> None:
    assert retry_after({"x-rate-limit-reset": "1000000100"}, now=1000000010.0) == 90.0


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "999999999"},
        {"Retry-After": "Fri, 31 Dec 9999 23:59:59 -1200"},
        {"Retry-After": "Sat, 01 Jan 0001 00:00:00 +1400"},
        {"Retry-After": "-5"},
        {"Retry-After": "soon"},
        {"X-Rate-Limit-Reset": "999999999999"},
        {"X-Rate-Limit-Reset": "999999999", "Retry-After": "١٢"},
    ],
)
def test_whatever_a_service_says_a_wait_fits_into_the_calendar(headers: dict[str, str]) -> None:
    said = retry_after(headers)
    assert said is None or 0 <= said <= LONGEST_WAIT
    assert datetime.now(UTC) + timedelta(seconds=said or 0) < datetime(2200, 1, 1, tzinfo=UTC)
