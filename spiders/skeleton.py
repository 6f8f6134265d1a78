"""The skeleton of a site's definition, with a fixture that expects nothing yet: its check fails."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from dalil.errors import UsageError

_TOML = """# {name}: who they are, since when, what is known of their pages.
title = "{name}"
{way}verified = false          # true when a living or archived page was checked
hosts = ["{host}"]
handles = []              # their own handles on X
start = ["{start}"]
page_pattern = '{pattern}'
# country = "EG"
language = "ar"

[selectors]               # several layouts: [[layouts]] with a name and a probe each
links = "article h2 a::attr(href)"
next = "a[rel=next]::attr(href)"
title = "h1"
# claim = "blockquote.claim"
# verdict = ".rating"
# category = "a[rel~=tag]"
# date_attribute = "time::attr(datetime)"
# body = "article p"
# drop = [".related"]     # other claims on the page, with verdicts of their own

# [verdicts]              # beside those of data/sites/common/verdicts.toml
# "مضروب" = "false"

# [domains]
# "صحة" = "health"
"""
_PAGE = """<!DOCTYPE html>
<html lang="ar" dir="rtl">
<head><meta charset="utf-8"><title>imitate a page of the site here; copy none of its text</title></head>
<body></body>
</html>
"""


def write_skeleton(name: str, home: tuple[Path, Path], *, start: str, way: str = "template") -> list[Path]:
    """Write it. Returns the files. Raises UsageError for a name that cannot be, or a site that is there."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9_]{0,40}", name):
        raise UsageError(
            f"no site can be called {name!r}", where="NAME", todo="use small letters, digits and _"
        )
    definitions, fixtures = home
    toml = definitions / f"{name}.toml"
    if toml.exists():
        raise UsageError("this site is there already", where=toml, todo="choose another name")
    start = start.replace("NAME", name.replace("_", "-"))
    host = urlsplit(start).hostname
    if not host:
        raise UsageError(
            f"not an address: {start!r}", where="--start", todo="give it with http:// or https://"
        )
    folder = fixtures / name
    folder.mkdir(parents=True, exist_ok=True)
    definitions.mkdir(parents=True, exist_ok=True)
    pattern = f"^https?://(?:www\\.)?{re.escape(host.removeprefix('www.'))}/(?!category|tag|page|$)[^?]+"
    line = f'way = "{way}"\n' if way != "template" else ""
    toml.write_text(
        _TOML.format(name=name, way=line, host=host.removeprefix("www."), start=start, pattern=pattern),
        "utf-8",
    )
    (folder / "only.html").write_text(_PAGE, "utf-8")
    address = f"{urlsplit(start).scheme}://{host}/a-claim"
    (folder / "only.json").write_text(json.dumps({"url": address}, indent=1) + "\n", "utf-8")
    return [toml, folder / "only.html", folder / "only.json"]
