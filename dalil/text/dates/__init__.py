"""Dates as Arabic pages write them, and which of a page's dates to trust.

`parse_date` reads a text, `url_date` a url, `best_date` chooses among candidates and says why.
Unknown is unknown: nothing here ever answers with today, or with 1 January for a bare year.
"""

from dalil.text.dates.choice import ORDER_OF_TRUST, BestDate, Candidate, Refused, best_date, url_date
from dalil.text.dates.parse import Found, parse_date

__all__ = [
    "ORDER_OF_TRUST",
    "BestDate",
    "Candidate",
    "Found",
    "Refused",
    "best_date",
    "parse_date",
    "url_date",
]
