"""Services with limits, each at a path of its own, as the real ones word them."""

from __future__ import annotations

from fakeweb.play import Answer, Asked, Play, data

api = Play("api.example")


def google(status: int, reason: str, message: str) -> Answer:
    error = {
        "code": status,
        "message": message,
        "errors": [{"reason": reason, "message": message, "domain": "usageLimits"}],
    }
    return data({"error": error}, status=status)


@api.at("/ok")
def ok(asked: Asked) -> Answer:
    return data(
        {"method": asked.method, "params": asked.params, "body": asked.body.decode(), "count": asked.count}
    )


@api.at("/echo-key")
def echo(asked: Asked) -> Answer:
    """A service that repeats the key in its error."""
    return data({"error": f"API key {asked.params.get('key')} is unknown"}, status=403)


@api.at("/busy-then-ok")
def busy(asked: Asked) -> Answer:
    return data({}, status=503) if asked.count <= 2 else data({"ok": True})


@api.at("/rate-then-ok")
def rate(asked: Asked) -> Answer:
    return (
        data({"error": "Too many requests"}, status=429, headers=(("Retry-After", "1"),))
        if asked.count == 1
        else data({"ok": True})
    )


@api.at("/rate-always")
def rate_always(asked: Asked) -> Answer:
    return data({"error": "Rate limit exceeded, slow down"}, status=429)


@api.at("/rate-hour")
def rate_hour(asked: Asked) -> Answer:
    return data({"error": "Rate limit"}, status=429, headers=(("Retry-After", "3600"),))


@api.at("/drop")
def drop(asked: Asked) -> Answer:
    return Answer(drop=True)


@api.at("/google/daily")
def google_daily(asked: Asked) -> Answer:
    return google(403, "dailyLimitExceeded", "Daily Limit Exceeded")


@api.at("/google/quota")
def google_quota(asked: Asked) -> Answer:
    return google(
        429,
        "rateLimitExceeded",
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service",
    )


@api.at("/google/rate")
def google_rate(asked: Asked) -> Answer:
    return google(
        429,
        "rateLimitExceeded",
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service",
    )


@api.at("/google/key")
def google_key(asked: Asked) -> Answer:
    return data(
        {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "status": "INVALID_ARGUMENT",
            }
        },
        status=400,
    )


@api.at("/x/cap")
def x_cap(asked: Asked) -> Answer:
    body = {
        "title": "UsageCapExceeded",
        "detail": "Usage cap exceeded: Monthly product cap",
        "type": "https://api.twitter.com/2/problems/usage-capped",
    }
    return data(body, status=429)


@api.at("/x/credits")
def x_credits(asked: Asked) -> Answer:
    return data(
        {"title": "CreditsDepleted", "detail": "Your enrolled account does not have any credits"}, status=402
    )


@api.at("/x/rate")
def x_rate(asked: Asked) -> Answer:
    return data(
        {"title": "Too Many Requests", "status": 429},
        status=429,
        headers=(("x-rate-limit-remaining", "0"), ("x-rate-limit-reset", "99999999999")),
    )


@api.at("/moved")
def moved(asked: Asked) -> Answer:
    return Answer(302, b"", (("Location", "http://other.example/take-the-key"),))


@api.at("/{path*}")
def discovery(asked: Asked, path: str) -> Answer:
    """Google's client, whichever method it calls: what it sent."""
    return data(
        {
            "items": [],
            "sent": asked.params,
            "method": asked.method,
            "override": asked.headers.get("x-http-method-override"),
        }
    )
