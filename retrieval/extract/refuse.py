"""Pages that stand in an article's place: bot checks, consent walls, "no such page", menus alone.

A marker counts only where the page has little text of its own, or where its script can be nothing
else: an article about Cloudflare, or about error 404, is an article.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from retrieval.extract.page import Page, Refused

LITTLE = 1500
"""characters of visible text below which a page may be a stand-in"""


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


_CHALLENGE_CODE = _any(
    "_cf_chl_opt", "/cdn-cgi/challenge-platform/h/", "cf-browser-verification", "jschl[-_]answer",
    "id=[\"']challenge-form", "_Incapsula_Resource", "sucuri_cloudproxy_js", "/_sec/cp_challenge",
    r"captcha-delivery\.com", "px-captcha", r"ddos-guard\.net/", r"/\.well-known/sgcaptcha",
    r"slowAES\.decrypt",
    r"\btoNumbers\(", r"__ddg\d_", "aws-waf-token", r"awswaf\.com/", "/distil_r_", r"censor\.qa/",
)  # fmt: skip
_CHALLENGE_WORDS = _any(
    "just a moment", "attention required", "checking (?:if the site|your browser)",
    "verify(?:ing)? (?:that )?you are (?:a )?human", "are you a robot", "please enable javascript",
    "enable js and disable any ad", "you are being redirected", "ddos protection", "access denied",
    "request unsuccessful", "security check", "unusual traffic",
    "التحقق من (?:أنك|انك|المتصفح)", "لست روبوت", "جار[يٍ]? التحقق", "يرجى تفعيل جافا", "لحظة من فضلك",
    "تم حظر الوصول", r"لحظ[ةه]\.{3}",
)  # fmt: skip
_MISSING = _any(
    r"\b404\b", "page (?:was |could )?not (?:be )?found",
    "(?:page|article|post|file|story) (?:does not|doesn't|no longer) exist", "nothing (?:was )?found",
    "no longer available", "account (?:has been )?suspended", "domain (?:name )?(?:has )?expired",
    "domain (?:is|may be) for sale", "site (?:is )?(?:not found|unavailable|under maintenance)",
    r"الصفحة (?:المطلوبة |التي \w+ ?\w* )?(?:غير موجود|لم تعد|لا يمكن|محذوف)",
    "(?:الصفحة|المقال|الخبر|الموضوع|المحتوى|الرابط) (?:المطلوب[ةه]? )?غير (?:موجود|متوفر|متاح|صحيح)",
    "لم (?:يتم|نتمكن من) (?:العثور|إيجاد)", "لا (?:يوجد|توجد) (?:صفحة|نتائج)",
    r"عفو(?:ا|اً|ًا)[^\n]{0,40}(?:غير|لم|لا)", "خطأ 404",
    "تم (?:حذف|إيقاف|ايقاف) (?:الصفحة|المقال|الخبر|الموضوع|الحساب|الموقع)",
    "(?:الموقع|الحساب) (?:موقوف|مغلق|تحت الصيانة)",
)  # fmt: skip
_CONSENT_HOSTS = _any(r"(?:^|\.)(?:consent|guce|privacy-mgmt|cmp)\.", r"(?:^|\.)accounts\.google\.com$")
_CONSENT_WORDS = _any(
    "before you continue", "we (?:and our partners )?(?:use|value) (?:cookies|your privacy)",
    "accept (?:all )?cookies", "manage (?:your )?(?:cookies|consent|privacy)",
    "cookie (?:policy|settings|consent)", "قبل المتابعة إلى", "ملفات تعريف الارتباط", "ملفات الارتباط",
    "(?:قبول|أوافق على|موافقة على) (?:الكل|جميع|كل|ملفات|سياسة)", "سياسة الخصوصية وملفات",
    "إعدادات الخصوصية", "شركاؤنا",
)  # fmt: skip
_SIGN_IN = _any(
    "sign in to continue", "log in to continue", "(?:سج[ّ]?ل|تسجيل) (?:ال)?دخولك? باستخدام",
    "يجب (?:عليك )?(?:تسجيل الدخول|أن تكون عضو)", "ليس لديك صلاحية", "هذا المحتوى للمشتركين",
    "(?:يرجى|الرجاء) تسجيل الدخول", "حساب واحد لكل منتجات",
)  # fmt: skip
_SENTENCE_WORDS = 8


def by_code(markup: str, seen: str) -> Refused | None:
    """A bot check that its own script gives away (`seen` is the visible text)."""
    found = _CHALLENGE_CODE.search(markup) if len(seen) < LITTLE else None
    if found:
        return Refused("challenge_page", found[0])
    return None


def by_words(page: Page, title: str, heading: str, seen: str) -> Refused | None:
    """A stand-in that its title, its heading or its few words give away."""
    host = urlsplit(page.final_url or page.url).hostname or ""
    if _CONSENT_HOSTS.search(host) and host != urlsplit(page.url).hostname:
        return Refused("consent_wall", host)
    little = len(seen) < LITTLE
    top = f"{title}\n{heading}"
    for reason, pattern in (
        ("challenge_page", _CHALLENGE_WORDS),
        ("soft_404", _MISSING),
        ("consent_wall", _CONSENT_WORDS),
    ):
        found = pattern.search(top) or (pattern.search(seen) if little and len(seen) < LITTLE / 3 else None)
        if found and (little or (reason == "soft_404" and _is_whole_title(found[0], title))):
            return Refused(reason, found[0])
    if little and (found := _SIGN_IN.search(seen)):
        return Refused("consent_wall", f"sign-in: {found[0]}")
    if _sent_to_front(page):
        return Refused("soft_404", "sent to the front page")
    return None


def by_text(text: str, title: str, min_chars: int) -> Refused | None:
    """What was extracted is no article: lost letters, a notice, menus, too little."""
    lost = text.count("\ufffd")
    if lost * 20 > sum(character.isalpha() for character in text) + lost:
        return Refused("broken_encoding", f"{lost} letters are lost")
    for reason, pattern in (
        ("soft_404", _MISSING),
        ("consent_wall", _CONSENT_WORDS),
        ("consent_wall", _SIGN_IN),
    ):
        if len(text) < 400 and (found := pattern.search(text)) and len(found[0]) * 12 > len(text):
            return Refused(reason, found[0])
    running = sum(len(line) for line in text.split("\n") if is_running(line))
    if len(text) >= min_chars and running < min(min_chars, 100):
        return Refused("boilerplate", f"{running} of {len(text)} characters are running text")
    if len(text) < min_chars:
        menus = running == 0 and text.count("\n") >= 3
        return Refused("boilerplate" if menus else "too_short", f"{len(text)} characters")
    return None


def is_running(line: str) -> bool:
    """Whether a line reads as running text: eight words at least, most of them more than a letter."""
    words = line.split()
    return len(words) >= _SENTENCE_WORDS and "|" not in line[:40]


def _is_whole_title(found: str, title: str) -> bool:
    return len(found) * 2 > len(title.strip())


def _sent_to_front(page: Page) -> bool:
    if not page.final_url:
        return False
    asked, answered = urlsplit(page.url), urlsplit(page.final_url)
    deep = len(unquote(asked.path).strip("/")) > 3 or bool(asked.query)
    return (
        deep
        and answered.path in ("", "/", "/index.html", "/index.php")
        and not answered.query
        and asked.path != answered.path
    )
