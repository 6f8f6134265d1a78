"""Objects of a page's structured data: JSON-LD and microdata in one form, `@type` and properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spiders.claimreview.repair import parse

Node = dict[str, Any]
DEEPEST = 60
"""levels of nesting that are followed"""


def json_ld(tree: Any) -> tuple[list[Node], list[str]]:
    """Every typed object in the JSON-LD of a page, nested ones too, and what was wrong with which script."""
    found: list[Node] = []
    problems: list[str] = []
    scripts = [s for s in tree.iter("script") if "ld+json" in (s.get("type") or "").lower()]
    for number, script in enumerate(scripts, 1):
        parsed = parse(script.text_content() or "")
        if not parsed.complete:
            kept = f"{len(parsed.values)} objects kept" if parsed.values else "nothing kept"
            problems.append(f"JSON-LD script {number}: not JSON ({kept})")
        for value in parsed.values:
            found.extend(typed(value))
    return found, problems


def microdata(markup: str) -> list[Node]:
    """Every typed item in the microdata of a page."""
    if "itemtype" not in markup or "Review" not in markup:
        return []
    from extruct.w3cmicrodata import MicrodataExtractor

    try:
        items = MicrodataExtractor(nested=True).extract(markup)
    except (
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # broken trees: there is no microdata then
        return []
    return [node for item in items for node in typed(item)]


def typed(value: Any) -> Iterator[Node]:
    """The objects with a type inside a value, itself first, in order."""
    stack: list[tuple[Any, int]] = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        if depth > DEEPEST:
            continue
        if isinstance(item, dict):
            node = flat(item)
            if "@type" in node:
                yield node
            stack.extend((each, depth + 1) for each in reversed(list(node.values())))
        elif isinstance(item, list):
            stack.extend((each, depth + 1) for each in reversed(item))


def flat(item: Node) -> Node:
    """An object whose properties lie under `properties` (microdata), with them beside its type."""
    properties = item.get("properties")
    if not isinstance(properties, dict):
        return item
    kind = item.get("@type", item.get("type"))
    return ({"@type": kind} if kind else {}) | properties


def types(node: Node) -> frozenset[str]:
    """Lower-case names of an object's types, without the vocabulary's address."""
    given = node.get("@type")
    names = given if isinstance(given, list) else [given]
    return frozenset(
        name.strip().rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].rsplit("#", 1)[-1].lower()
        for name in names
        if isinstance(name, str)
    )
