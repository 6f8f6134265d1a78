"""Urls as identities: one spelling for one document.

The canonical url says which document is meant; it is not the address to ask (that is the url as it
was found: a host may answer only to `www.` or only over http). What is folded:

- scheme: always `https`; ports 80 and 443, user names, passwords and fragments go
- host: lower case, IDN as punycode, and `www.`, `m.`, `mobile.`, `amp.` as first label go where a
  registrable domain remains (`m.co.uk` and `www.com` stay)
- path: case kept, percent-encoding in upper case (`%d8` = `%D8` = the letter itself), dot segments
  resolved, no trailing slash; `amp` as first or last segment and the endings `.amp`, `.amp.html`
- query: sorted by name, tracking parameters and AMP switches go, the rest stays, empty values too
- archives and caches: a replay url of the Wayback Machine or an AMP cache is its inner url

Encoding is never undone twice: `/http%253A%252F%252Fdoc.afp.com…` is a path of its own.
Mechanics (RFC 3986, WHATWG) are w3lib's; public suffixes are tldextract's snapshot.
"""

from __future__ import annotations

import ipaddress
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

import idna
from w3lib.url import canonicalize_url

from dalil.errors import InputError
from dalil.ids import make_id

if TYPE_CHECKING:
    from tldextract import TLDExtract

# fmt: off
_TRACKING = frozenset((
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid",
    "igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_ga", "_gl", "_hsenc", "_hsmi",
    "ref_src", "ref_url", "cmpid", "ocid", "xtor", "s_cid", "smid", "smtyp", "usqp", "amp_js_v", "amp_gsa",
    "amp_ct", "guccounter", "fb_action_ids", "fb_action_types", "fb_source", "fb_ref",
    "__twitter_impression", "__tn__", "traffic_source", "ito",
))
_TRACKING_PREFIXES = (
    "utm_", "mtm_", "hsa_", "at_custom", "at_campaign", "at_medium", "at_link", "at_ptr", "at_bbc",
    "at_format", "ns_mchannel", "ns_source", "ns_campaign", "ns_linkname", "ns_fee", "guce_", "__cft__",
)
# fmt: on
_HOST_TRACKING = {"reuters.com": frozenset(("sp", "feedtype", "feedname", "rpc", "virtualbrandchannel"))}
"""Parameters that say nothing on the hosts of one registrable domain."""

_AMP_SWITCHES = {
    "amp": frozenset(("", "1", "true", "amp")),
    "outputtype": frozenset(("amp", "amp-type")),
    "output": frozenset(("amp",)),
}

_WAYBACK = re.compile(
    r"(?:https?:)?//(?:www\.|web\.)?archive\.org(?::\d+)?/(?:web/)?(\d{4,14})(?:[a-z]{2}_)*/(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_INNER_SCHEME = re.compile(r"(https?)(?::|%3A)(?:/|%2F){1,2}", re.IGNORECASE)
_AMP_CACHE = re.compile(r"/(?:[a-z]{1,3}/)?(s/)?([^/]+\.[^/]+(?:/.*)?)", re.DOTALL)
_AMP_VIEWER = re.compile(r"/amp/(s/)?([^/]+\.[^/]+(?:/.*)?)", re.DOTALL)
_GOOGLE = re.compile(r"(?:www\.)?google(?:\.[a-z]{2,3}){1,2}")

_VARIANT = re.compile(r"www\d?|m|mobile|amp")
_LABELS = re.compile(
    r"(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*"
)
_AROUND = re.compile(r"^[\s\x00-\x20\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]+|"
                     r"[\s\x00-\x20\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]+$")  # fmt: skip
_BYTE = re.compile("[\udc80-\udcff]")
"""A byte of another encoding than UTF-8, as `surrogateescape` decodes it."""
_SEVERAL = re.compile(r"\s(?:and\s+)?https?://", re.IGNORECASE)
_WHOLE = "give the whole url, with http:// or https://"


@lru_cache(maxsize=65536)
def canonical_url(url: str) -> str:
    """The identity of the document at `url` (the module says what is folded).

    Raises InputError for what is no http(s) url with a possible host. Canonical urls are their
    own canonical form.
    """
    folded = _folded(url)
    while (again := _folded(folded)) != folded:  # folding can bare another variant: `/x/;/amp`
        folded = again
    return folded


def _folded(url: str) -> str:
    parts, name = _parts(_unwrapped(url))
    name = _without_variant(name)
    plain = canonicalize_url(f"https://{name}{_port(parts, url)}{_path(parts)}{_question(parts)}")
    parts = urlsplit(plain)
    path = _without_amp(parts.path)
    kept = [pair for pair in parts.query.split("&") if pair and not _says_nothing(pair, name)]
    return f"https://{parts.netloc}{path}" + (f"?{'&'.join(kept)}" if kept else "")


def document_id(url: str) -> str:
    """The id of the Document at `url`: the same for every spelling of it. Raises InputError."""
    return make_id("document", canonical_url(url))


def host(url: str) -> str:
    """The host that `url` itself names: lower case, punycode, no port. Raises InputError.

    It is the host to be polite to: `www.` stays, and a replay url belongs to its archive.
    """
    return _parts(url)[1]


def outlet(url: str) -> str:
    """The outlet that published `url`: host of the document, without `www.`, `m.`, `amp.`.

    The outlet of a replay url is that of the page replayed. Raises InputError.
    """
    return _without_variant(_parts(_unwrapped(url))[1])


def wayback(url: str) -> tuple[str, str] | None:
    """Timestamp and original url of a Wayback Machine replay url, or None for any other.

    `https://web.archive.org/web/20190607120000id_/http://a.example/x` →
    `("20190607120000", "http://a.example/x")`. The original is as the archive spells it, with a
    scheme; the timestamp has 4 to 14 digits (YYYYMMDDhhmmss, UTC) and is the time of the capture,
    never that of the article.
    """
    match = _WAYBACK.fullmatch(_AROUND.sub("", url)) if isinstance(url, str) else None
    if not match:
        return None
    stamp, inner = match.groups()
    scheme = _INNER_SCHEME.match(inner)
    if not scheme:
        return stamp, "http://" + inner.lstrip("/")
    rest = inner[scheme.end() :]
    if "%2F" in scheme.group().upper():  # the whole inner url was encoded, once: undo it once
        rest = _BYTE.sub(
            lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", unquote(rest, errors="surrogateescape")
        )
    return stamp, f"{scheme.group(1).lower()}://{rest}"


def _unwrapped(url: str) -> str:
    """The url inside archives and AMP caches, however deep."""
    while True:
        replay = wayback(url)
        inner = replay[1] if replay else _amp_cached(url)
        if inner is None:
            return url
        url = inner


def _amp_cached(url: str) -> str | None:
    parts, name = _parts(url)
    if name.endswith(".cdn.ampproject.org"):
        match = _AMP_CACHE.fullmatch(parts.path)
    elif _GOOGLE.fullmatch(name):
        match = _AMP_VIEWER.fullmatch(parts.path)
    else:
        return None
    if not match:
        return None
    return f"{'https' if match[1] else 'http'}://{match[2]}{_question(parts)}"


def _parts(url: str) -> tuple[SplitResult, str]:
    """The parts of a url and its host in canonical spelling; InputError where it is none."""
    if not isinstance(url, str) or not (text := _AROUND.sub("", url)):
        raise InputError("not a url: empty" if isinstance(url, str) else "not a url", todo=_WHOLE)
    text = re.sub(r"[\t\r\n]", "", text).replace("&amp;", "&")
    if _SEVERAL.search(text):
        raise InputError(f"several urls in one: {_shown(text)}", todo="split them")
    try:
        parts = urlsplit(f"https:{text}" if text.startswith("//") else text)
        written = parts.hostname or ""
        text.encode()
    except ValueError as error:  # a UnicodeError is one
        raise InputError(f"not a url: {_shown(text)} ({_reason(error)})", todo=_WHOLE) from None
    if parts.scheme.lower() not in ("http", "https") or not written:
        raise InputError(f"not a url: {_shown(text)}", todo=_WHOLE)
    return parts, _host(written, text)


def _host(written: str, url: str) -> str:
    name = unquote(written).strip().rstrip(".").lower()
    try:
        return f"[{ipaddress.IPv6Address(name)}]"
    except ValueError:
        pass
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError) as error:
            raise InputError(
                f"no such host can be: {_shown(url)} ({error})", todo="correct the url"
            ) from None
    if not _LABELS.fullmatch(name) or name.endswith("undefined") or ("." not in name and name != "localhost"):
        raise InputError(f"no such host can be: {_shown(url)}", todo="correct the url")
    return name


def _reason(error: ValueError) -> str:
    return error.reason if isinstance(error, UnicodeEncodeError) else str(error)


def _shown(url: str) -> str:
    text = url.encode("utf-8", "backslashreplace").decode("utf-8")
    return repr(text if len(text) <= 120 else text[:119] + "…")


def _without_variant(name: str) -> str:
    """The host without first labels that name a variant of the same site."""
    while True:
        first, _, rest = name.partition(".")
        if not _VARIANT.fullmatch(first) or "." not in rest or not _is_registered(rest):
            return name
        name = rest


@lru_cache(maxsize=4096)
def _is_registered(name: str) -> bool:
    """Whether a host is a registrable domain or lies below one (`co.uk` is not, `bbc.co.uk` is)."""
    found = _suffixes()(name)
    return bool(found.domain) and found.domain != name


@cache
def _suffixes() -> TLDExtract:
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=())  # the snapshot: no network, no cache files


def _port(parts: SplitResult, url: str) -> str:
    try:
        port = parts.port
    except ValueError as error:
        raise InputError(f"not a url: {_shown(url)} ({error})", todo="correct the port") from None
    return "" if port in (None, 80, 443) else f":{port}"


def _path(parts: SplitResult) -> str:
    return parts.path if parts.path.startswith("/") else f"/{parts.path}"


def _question(parts: SplitResult) -> str:
    return f"?{parts.query}" if parts.query else ""


def _without_amp(path: str) -> str:
    """The path without AMP segments and endings, and without trailing slashes."""
    while True:
        before = path
        path = path.rstrip("/")
        path = re.sub(r"\.amp(?=(?:\.html?)?$)", "", path)
        path = re.sub(r"/amp$", "", path)
        path = re.sub(r"^/amp(?=/)", "", path)
        if path == before.rstrip("/"):
            return path or "/"


def _says_nothing(pair: str, name: str) -> bool:
    """Whether a query pair is a tracking parameter or asks for the AMP form."""
    key, _, value = pair.partition("=")
    key = unquote(key).lower()
    if key in _TRACKING or key.startswith(_TRACKING_PREFIXES):
        return True
    if unquote(value).lower() in _AMP_SWITCHES.get(key, ()):
        return True
    return any(
        key in nothing and (name == domain or name.endswith(f".{domain}"))
        for domain, nothing in _HOST_TRACKING.items()
    )
