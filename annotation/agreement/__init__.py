"""How far annotators agree: coefficients, pairs of raters, adjudication, languages, one report.

Every coefficient takes `FirstRatings` (see `annotation.ratings_views`), so that ratings given because
others disagreed cannot enter one, and gives a `Figure`: a value, or the reason why there is none.
"""
