"""Recognising pages that ask for a browser instead of answering: they are no articles.

dalil never tries to get round one. Sure signs only: scripts of the same protection services also
lie on ordinary pages, so a sign in a body counts where the page has hardly any text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_TITLE = re.compile(
    r"<title[^>]{0,200}>\s*(?:just a moment|attention required|access denied|checking your browser"
    r"|please wait|one moment, please|ddos-guard|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|are you a robot|security check|robot check|bot verification|pardon our interruption"
    r"|لحظة من فضلك|جارٍ? التحقق|التحقق من المتصفح|يرجى الانتظار)",
    re.IGNORECASE,
)
_SIGNS = tuple(
    sign.encode()
    for sign in (
        "_cf_chl_opt", "cf-chl-", "cf_chl_prog", "/cdn-cgi/challenge-platform/h/", "cf-turnstile",
        "sucuri_cloudproxy_js", "_incapsula_resource", "captcha-delivery.com", "px-captcha",
        "awswafcookiedomainlist", "aws-waf-token", "challenge-container", "ddos-guard/js-challenge",
        "g-recaptcha", "h-captcha", "cookies to continue", "checking your browser before",
        "you are not a robot", "you are human",
    )
)  # fmt: skip
_NO_TEXT = re.compile(
    r"<(script|style|noscript|svg|template)\b.*?(?:</\1>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
LARGEST = 200_000
"""bytes, decoded: no challenge page is larger"""
TITLE_WITHIN = 60_000
"""bytes from the beginning within which a title is looked for"""
SMALL = 24_000
"""bytes: only smaller pages are searched for signs in their bodies"""
WORDS = 250
"""words of text beyond which a page says something of its own"""


def challenge(status: int, headers: Mapping[str, str], body: bytes) -> str | None:
    """Which sign shows that this answer (its decoded body) is a challenge, or None."""
    lowered = {name.lower(): value.lower() for name, value in headers.items()}
    if lowered.get("cf-mitigated") == "challenge":
        return "cf-mitigated"
    if lowered.get("x-amzn-waf-action") in ("challenge", "captcha"):
        return "x-amzn-waf-action"
    if len(body) > LARGEST:
        return None
    begin = body[:TITLE_WITHIN].lower().find(b"<title")
    title = _TITLE.match(body[begin : begin + 400].decode("utf-8", "replace")) if begin >= 0 else None
    sign = title[0] if title is not None else _sign(body)
    if sign is None or len(_NO_TEXT.sub(" ", body.decode("utf-8", "replace")).split()) > WORDS:
        return None
    return " ".join(sign.split())[:60]


def _sign(body: bytes) -> str | None:
    if len(body) > SMALL:
        return None
    lowered = body.lower()
    return next((sign.decode() for sign in _SIGNS if sign in lowered), None)
