"""Tables in the shape of SCRum-9's 2 and 4, against the paper's own figures."""

from __future__ import annotations

import pytest

from annotation.dataset.rows import DataSet, Row
from annotation.dataset.tables import language_table, stage_table, table_by, tables_of

LABELS = ("confirming", "rejecting", "questioning", "comment")
# SCRum-9, Table 4: counts and shares of the language, its total and its share of the whole
TABLE_4 = {
    "CS": (127, 16.3, 296, 37.9, 36, 4.6, 321, 41.2, 780, 10.4),
    "DE": (119, 17.3, 275, 40.0, 53, 7.7, 241, 35.0, 688, 9.2),
    "EN": (297, 27.9, 379, 35.6, 43, 4.0, 345, 32.4, 1064, 14.2),
    "ES": (332, 27.3, 448, 36.8, 45, 3.7, 393, 32.3, 1218, 16.2),
    "FR": (227, 32.8, 267, 38.5, 34, 4.9, 165, 23.8, 693, 9.2),
    "HI": (396, 41.0, 268, 27.7, 40, 4.1, 262, 27.1, 966, 12.9),
    "PL": (107, 15.7, 235, 34.4, 30, 4.4, 311, 45.5, 683, 9.1),
    "PT": (316, 32.3, 255, 26.1, 37, 3.8, 370, 37.8, 978, 13.0),
    "RU": (32, 7.2, 173, 38.8, 29, 6.5, 212, 47.5, 446, 5.9),
    "All": (1953, 26.0, 2596, 34.5, 347, 4.6, 2620, 34.9, 7516, 100.0),
}


def reply(number: int, language: str, label: str, source: str = "s", cluster: str | None = None) -> Row:
    return Row(
        id=str(number),
        claim_id=source,
        claim="x",
        label=label,
        article_hash=str(number),
        language=language,
        cluster=cluster,
    )


def test_the_labels_of_table_4_and_their_shares() -> None:
    rows = [
        reply(number, language.lower(), label)
        for language, cells in TABLE_4.items()
        if language != "All"
        for label, count in zip(LABELS, cells[::2], strict=False)
        for number in range(int(count))
    ]
    table = language_table(rows, LABELS)
    assert {str(line[0]): line[1:] for line in table.rows} == TABLE_4


def test_the_stages_of_table_2_count_sources_replies_and_claims() -> None:
    collected = [reply(n, "cs", "comment", source=f"s{n // 3}", cluster=f"k{n // 6}") for n in range(12)]
    collected += [reply(n, "pl", "comment", source=f"p{n}") for n in range(2)]
    table = stage_table({"collected": collected, "annotated": collected[:4]})
    assert table.columns[:4] == ("Lang", "collected sources", "collected replies", "collected claims")
    assert table.rows == (("CS", 4, 12, 2, 2, 4, 1), ("PL", 2, 2, 2, 0, 0, 0), ("All", 6, 14, 4, 2, 4, 1))


def test_the_papers_own_sum_shows_that_poland_has_24_annotated_claims() -> None:
    # Table 2 prints 224 for PL; with 24 the column sums to the printed 2,156
    claims = {"CS": 14, "DE": 19, "EN": 1169, "ES": 419, "FR": 122, "HI": 227, "PL": 24, "PT": 133, "RU": 29}
    rows = [
        reply(n, lang.lower(), "comment", cluster=f"{lang}{n}")
        for lang, count in claims.items()
        for n in range(count)
    ]
    assert stage_table({"annotated": rows}).rows[-1][3] == 2156


def test_by_country_and_domain_where_the_rows_have_them() -> None:
    rows = [
        Row(
            id="1",
            claim_id="a",
            claim="x",
            label="agree",
            article_hash="1",
            country="EG",
            domain="health",
            site="s",
            veracity="true",
        ),
        Row(
            id="2",
            claim_id="a",
            claim="x",
            label="discuss",
            article_hash="2",
            country="EG",
            domain="health",
            site="s",
            veracity="true",
        ),
        Row(
            id="3",
            claim_id="b",
            claim="y",
            label="agree",
            article_hash="3",
            country="SA",
            site="s",
            veracity="false",
        ),
    ]
    table = table_by(rows, ("agree", "discuss"), "country")
    assert table is not None
    assert table.rows == (("EG", 1, 2, 1, 1), ("SA", 1, 1, 1, 0), ("Total", 2, 3, 2, 1))
    assert table_by(rows, ("agree", "discuss"), "language") is None
    titles = [found.title for found in tables_of(DataSet("d", "rows", tuple(rows), ("agree", "discuss")))]
    assert titles == [
        "Claims, articles and stances by source",
        "Claims, articles and stances by country",
        "Claims, articles and stances by domain",
    ]


@pytest.mark.parametrize("cell", ["a|b", "x"])
def test_markdown_escapes_what_would_end_a_cell(cell: str) -> None:
    rows = [Row(id="1", claim_id="a", claim="x", label="agree", article_hash="1", country=cell)]
    table = table_by(rows, ("agree",), "country")
    assert table is not None
    assert cell.replace("|", "\\|") in table.markdown()
    assert all(line.count("|") - line.count("\\|") == 5 for line in table.markdown().split("\n"))
