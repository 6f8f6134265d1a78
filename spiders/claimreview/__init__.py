"""ClaimReview (schema.org): read as it is found in the wild, written as it should be.

`read_reviews` reads a page's JSON-LD, script tag by script tag, and its microdata; `claim_review`
writes one review, `data_feed` many. Google shows ClaimReview no more since June 2025 and the
markup is declining: it is one way to a claim and never the only one.
"""

from spiders.claimreview.read import Found, Review, read_reviews
from spiders.claimreview.write import claim_review, data_feed, script_tag

__all__ = ["Found", "Review", "claim_review", "data_feed", "read_reviews", "script_tag"]
