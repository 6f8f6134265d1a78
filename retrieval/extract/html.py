"""The adapter around lxml and trafilatura: a tree from text, text from a tree. Nothing else imports them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from copy import copy, deepcopy
from datetime import date
from typing import Any

import lxml.etree
import lxml.html
import trafilatura
from lxml.html import HtmlElement

for _name in ("trafilatura", "htmldate"):  # they log an error for a page without text: we keep a reason
    logging.getLogger(_name).setLevel(logging.CRITICAL)

_NO_TEXT = (
    "script",
    "style",
    "noscript",
    "template",
    "iframe",
    "svg",
    "select",
    "textarea",
    "button",
    "head",
)
_AROUND = ("nav", "footer", "aside", "header", "menu")
_BLOCKS = frozenset((
    "p", "div", "td", "li", "br", "h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "blockquote",
    "tr", "table", "ul", "ol", "main", "pre", "dd", "dt", "figcaption", "hr", "center",
))  # fmt: skip
_CODE_LINE = re.compile(
    r"</?script|function\s*\w*\(|googletag\.|document\.(?:write|getElement)|\bvar \w+\s*=|@media|"
    r"\{\{.{0,80}\}\}|!important"
)
_ENDS = re.compile(rb"</(?:body|html)\s*>", re.I)
_SPACE = re.compile(r"[^\S\n]+")

ParserError = (lxml.etree.LxmlError, ValueError)


class TooDeep(Exception):
    """The page nests deeper than the parser goes (2,048 elements): its text is not reached."""


def parse(text: str) -> HtmlElement | None:
    """The tree of a page, or None where there is none. Comments and processing instructions are left out.

    Ends of body and html are taken out first: libxml2 drops what stands behind them, and a browser
    does not. Many pages end twice. Raises TooDeep.
    """
    parser = lxml.html.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        default_doctype=False,
    )
    data = _ENDS.sub(b"", text.replace("\x00", "").encode("utf-8", "replace"))
    if not data.strip():
        return None
    try:
        tree = lxml.html.document_fromstring(data, parser=parser)
    except ParserError:
        return None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise TooDeep
    return tree


def main_text(tree: HtmlElement, *, recall: bool = False) -> str:
    """The running text of an article, paragraphs on lines of their own; "" where none is found."""
    found: Any = trafilatura.bare_extraction(
        copy(tree), include_comments=False, include_tables=True, favor_recall=recall, with_metadata=False
    )
    return without_code(tidy(found.text or "")) if found is not None else ""


def visible_text(tree: HtmlElement) -> str:
    """All text that a reader could see, block by block: menus and all."""
    body = tree.find("body")
    return tidy("".join(_pieces(tree if body is None else body, _NO_TEXT)))


def block_text(element: HtmlElement) -> str:
    """The text of one element, without navigation and forms inside it."""
    return tidy("".join(_pieces(element, (*_NO_TEXT, *_AROUND))))


def text_of(element: HtmlElement) -> str:
    """An element's text on one line."""
    return " ".join("".join(element.itertext()).split())


def find(tree: HtmlElement, path: str) -> list[Any]:
    """Elements (or attribute values) at an XPath, in the order of the page."""
    return list(tree.xpath(path))


def metas(tree: HtmlElement) -> dict[str, list[str]]:
    """name, property or itemprop of meta elements (lower case) → contents, in the order of the page."""
    found: dict[str, list[str]] = {}
    for element in tree.iter("meta"):
        content = (element.get("content") or "").strip()
        for attribute in ("property", "name", "itemprop"):
            name = (element.get(attribute) or "").strip().lower()
            if name and content:
                found.setdefault(name, []).append(content)
    return found


def tidy(text: str) -> str:
    """Lines without needless space, no empty lines."""
    lines = (_SPACE.sub(" ", line).strip(" |\ufeff\u200b") for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def without_code(text: str) -> str:
    """Text without the lines of script that some pages print as text."""
    return "\n".join(line for line in text.split("\n") if not _CODE_LINE.search(line))


def _pieces(element: HtmlElement, without: tuple[str, ...]) -> Iterator[str]:
    """Text in order, with a line break at block borders. Not recursive: hostile pages nest deep."""
    stack: list[Any] = [element]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
            continue
        block = item.tag in _BLOCKS
        tail = (item.tail or "") if item is not element else ""
        if not isinstance(item.tag, str) or item.tag in without:
            yield tail
            continue
        if block:
            yield "\n"
        after: list[Any] = ["\n" + tail if block else tail]
        stack.extend(after)
        stack.extend(reversed(list(item)))
        if item.text:
            yield " ".join(item.text.split("\n")) if item.tag != "pre" else item.text


def largest_block(tree: HtmlElement) -> str:
    """The text of the element that holds most running text and few links: for pages whose markup
    hides the article from the extractor."""
    best: tuple[float, HtmlElement | None] = (0.0, None)
    weights: dict[HtmlElement, float] = {}
    for element in tree.iter("p", "br", "div", "td", "span", "section", "article"):
        own = (element.text or "") + " ".join(child.tail or "" for child in element)
        length = len(own.split())
        if length < 8 or any(parent.tag in (*_NO_TEXT, *_AROUND, "a") for parent in element.iterancestors()):
            continue
        holder = element.getparent() if element.tag in ("p", "br", "span") else element
        for depth, parent in enumerate((holder, holder.getparent() if holder is not None else None)):
            if parent is not None:
                weights[parent] = weights.get(parent, 0.0) + length / (1 + depth)
    for element, weight in weights.items():
        links = sum(len(text_of(link)) for link in element.iter("a"))
        score = weight * (1 - min(1.0, links / max(1, len(text_of(element)))))
        if score > best[0]:
            best = (score, element)
    return without_code(block_text(best[1])) if best[1] is not None else ""


def guess_date(tree: HtmlElement, url: str, *, latest: date | None = None) -> str | None:
    """htmldate's guess at the original date, as YYYY-MM-DD, or None. A bare year comes as 1 January."""
    import htmldate

    try:
        found = htmldate.find_date(
            deepcopy(tree),
            url=url,
            original_date=True,
            extensive_search=False,
            max_date=latest.isoformat() if latest else None,
        )
    except (*ParserError, TypeError, AttributeError, OverflowError):  # seen on odd pages: no guess then
        return None
    return str(found) if found else None
