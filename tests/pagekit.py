"""Walking through the annotators' page as a browser without a script does: pages, forms, cookies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import lxml.html
from fastapi.testclient import TestClient

Fields = dict[str, str]


class Page:
    """An answer of the server, parsed."""

    def __init__(self, status: int, text: str, url: str):
        self.status = status
        self.text = text
        self.url = url
        self.tree = lxml.html.fromstring(text)

    def fields(self, action: str) -> Fields:
        """The hidden fields of the form with this action (or one that begins so)."""
        [form] = [form for form in self.tree.forms if (form.action or "").startswith(action)][:1]
        return {node.name: node.value or "" for node in form.xpath(".//input[@type='hidden']")}

    def form_of(self, element_id: str) -> tuple[str, Fields]:
        """Address and hidden fields of the form with an id."""
        [form] = [form for form in self.tree.forms if form.get("id") == element_id]
        return form.action, {node.name: node.value or "" for node in form.xpath(".//input[@type='hidden']")}

    def words(self) -> str:
        """All text of the page."""
        return " ".join(self.tree.text_content().split())

    def has(self, xpath: str) -> bool:
        return bool(self.tree.xpath(xpath))


class Walker:
    """Somebody with a browser."""

    def __init__(self, app: Any, secret: str | None = None, language: str | None = None):
        self.client = TestClient(app, raise_server_exceptions=False)
        if language:
            self.client.cookies.set("dalil_language", language)
        if secret:
            self.post("/join", {"secret": secret})

    def get(self, path: str, **headers: str) -> Page:
        answer = self.client.get(path, headers=headers)
        return Page(answer.status_code, answer.text, str(answer.url))

    def post(self, path: str, fields: Mapping[str, Any], **headers: str) -> Page:
        answer = self.client.post(path, data=dict(fields), headers=headers)
        return Page(answer.status_code, answer.text, str(answer.url))

    def accept_notices(self) -> Page:
        """Read what has to be read."""
        page = self.get("/work")
        while "/notice/" in page.url:
            page = self.post(page.url, page.fields("/notice/"))
        return page

    def judge(self, page: Page, **answers: Any) -> Page:
        """Send the form of an item."""
        action, fields = page.form_of("answer")
        return self.post(action, {**fields, **answers})
