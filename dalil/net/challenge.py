"""Recognising pages that ask for a browser instead of answering: they are no articles.

dalil never tries to get round one. Sure signs only: scripts of the same protection services also
lie on ordinary pages, so a sign in a body counts where the page has hardly any text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_TITLE = re.compile(
    r"<title[^>]{0,200}>\s*(?:just a moment|attention required|access denied|checking your browser|please wait|one moment, please"
    r"|ddos-guard|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|security check|robot check|bot verification"
    r"|pardon our interruption|لحظة من فضلك|جارٍ? التحقق|التحقق من المتصفح|يرجى الانتظار)",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"_cf_chl_opt|cf-chl-|cf_chl_prog|/cdn-cgi/challenge-platform/h/[bg]/orchestrate|sucuri_cloudproxy_js|_Incapsula_Resource"
    r"|captcha-delivery\.com|px-captcha|awsWafCookieDomainList|aws-waf-token|challenge-container|ddos-guard/js-challenge"
    r"|g-recaptcha|h-captcha|cf-turnstile|enable (?:javascript and )?cookies to continue|checking your browser before"
    r"|verify (?:that )?you are (?:not a robot|human)",
    re.IGNORECASE,
)
_NO_TEXT = re.compile(
    r"<(script|style|noscript|svg|template)\b.*?(?:</\1>|\Z)|<!--.*?-->|<[^>]*>", re.IGNORECASE | re.DOTALL
)
HEAD = 60_000
"""letters looked at: a challenge page is small"""
TEXT = 1500
"""letters of text beyond which a page says something of its own"""


def challenge(status: int, headers: Mapping[str, str], html: str) -> str | None:
    """Which sign shows that this answer is a challenge, or None."""
    lowered = {name.lower(): value.lower() for name, value in headers.items()}
    if lowered.get("cf-mitigated") == "challenge":
        return "cf-mitigated"
    if lowered.get("x-amzn-waf-action") in ("challenge", "captcha"):
        return "x-amzn-waf-action"
    if len(html) > 4 * HEAD:
        return None
    head = html[:HEAD]
    sign = _TITLE.search(head) or _BODY.search(head)
    if sign is None or len(_NO_TEXT.sub(" ", html).split()) > TEXT // 6:
        return None
    return " ".join(sign[0].split())[:60]
