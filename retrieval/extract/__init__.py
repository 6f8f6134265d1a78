"""From fetched pages to articles: text, title, language, published date, or the reason why not."""

from retrieval.extract.core import Rules, extract
from retrieval.extract.page import REASONS, Extracted, Page, Refused
from retrieval.extract.stage import Extract, ExtractSettings

__all__ = ["REASONS", "Extract", "ExtractSettings", "Extracted", "Page", "Refused", "Rules", "extract"]
