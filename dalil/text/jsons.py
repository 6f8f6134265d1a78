"""JSON from files of others, and what is wrong with it in words: one reading for every reader of files."""

from __future__ import annotations

import json
from typing import Any


class NotJson(ValueError):
    """Bytes that are no JSON: `what` in words, the line it is on (from 1), and why (not_json, not_utf8)."""

    def __init__(self, what: str, line: int = 1, reason: str = "not_json"):
        self.what = what
        self.line = line
        self.reason = reason
        super().__init__(what)


def parse_json(data: bytes) -> Any:
    """The value of UTF-8 bytes, with or without a mark. Raises NotJson.

    `NaN` and `Infinity`, which tables saved by programs have where nothing stands, are null.
    """
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_nothing)
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}", reason="not_utf8") from error
    except json.JSONDecodeError as error:
        raise NotJson(f"not JSON: {error.msg} at character {error.colno}", error.lineno) from error
    except RecursionError as error:
        raise NotJson("not JSON that can be read: nested too deeply") from error
    except ValueError as error:  # Python refuses numbers of more than 4,300 digits
        raise NotJson("not JSON that can be read: a number of thousands of digits") from error


def _nothing(_: str) -> None:
    return None
