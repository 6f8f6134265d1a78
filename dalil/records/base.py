"""What every record is: frozen, plain, of text that is fit to be kept."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

VOLATILE: dict[str, Any] = {"volatile": True}
_UNFIT = {0: None} | dict.fromkeys(range(55296, 57344))


def fit_text(text: str) -> str:
    """Text fit to be kept: NFC, without NUL and lone surrogates."""
    # most texts need nothing, and finding that out costs a hundredth of doing it
    if "\0" not in text and unicodedata.is_normalized("NFC", text):
        try:
            text.encode("utf-16-le")
        except UnicodeEncodeError:
            pass
        else:
            return text
    return unicodedata.normalize("NFC", text.translate(_UNFIT))


def fit_value(value: Any) -> Any:
    """`fit_text` over every string inside a value."""
    if isinstance(value, str):
        return fit_text(value)
    if isinstance(value, dict):
        return {fit_value(key): fit_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(fit_value(item) for item in value)
    return value


def utc_now() -> str:
    """Now, as UTC ISO time with seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


Words = Annotated[tuple[str, ...], BeforeValidator(fit_value)]
Mapping = Annotated[dict[str, Any], BeforeValidator(fit_value)]
Maps = Annotated[tuple[dict[str, Any], ...], BeforeValidator(fit_value)]
Text = Annotated[str, BeforeValidator(fit_value)]


class Record(BaseModel):
    """One row of the store. `TABLE` is its table; `id` its key; `INDEX` what is looked up by."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    TABLE: ClassVar[str]
    INDEX: ClassVar[tuple[str, ...]] = ()
    id: str

    @classmethod
    def volatile(cls) -> frozenset[str]:
        """Names of the fields that a stable dump leaves out."""
        return frozenset(
            name
            for name, field in cls.model_fields.items()
            if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("volatile")
        )
