"""From tags to entities: spans, the lists' verdicts, clitics taken off names."""

import pytest

from retrieval.analyzers.entities import Span, entity, settle, spans
from retrieval.analyzers.names import Names, bare
from retrieval.analyzers.words import split, words


class TestSpans:
    @pytest.mark.parametrize(
        ("tags", "expected"),
        [
            ("B-LOC O B-PERS I-PERS", [Span(0, 1, "LOC"), Span(2, 4, "PERS")]),
            ("B-LOC B-LOC", [Span(0, 1, "LOC"), Span(1, 2, "LOC")]),
            ("B-PERS I-ORG I-ORG", [Span(0, 1, "PERS"), Span(1, 3, "ORG")]),
            ("O I-LOC O", [Span(1, 2, "LOC")]),
            ("O", []),
            ("", []),
        ],
    )
    def test_examples(self, tags, expected):
        assert spans(tags.split()) == expected


@pytest.fixture
def lists():
    found = Names()
    found.add("وكالة ناسا", "organizations")
    found.add("ناسا", "organizations")
    found.add("المريخ", "space")
    found.add("دمشق", "city")
    found.add("بيروت", "big_city")
    found.add("السعودية", "territory")
    found.stopped = {bare("الدولار")}
    return found


class TestVerdicts:
    def settled(self, text, found, lists):
        return settle(found, [bare(word) for word in text.split()], lists)

    def test_a_listed_name_that_was_missed_is_added(self, lists):
        assert self.settled("صور المريخ", [], lists) == [Span(1, 2, "LOC")]

    def test_places_and_first_names_are_evidence_only(self, lists):
        assert self.settled("أهل دمشق", [], lists) == []

    @pytest.mark.parametrize(
        ("text", "span"),
        [
            ("وكالة ناسا تحذر", Span(1, 2, "PERS")),
            ("وكالة ناسا الأمريكية", Span(0, 3, "ORG")),
            ("المريخ", Span(0, 1, "MISC")),
        ],
    )
    def test_what_the_model_found_stays_as_it_is(self, lists, text, span):
        assert self.settled(text, [span], lists) == [span]

    def test_two_listed_names_do_not_overlap(self, lists):
        lists.add("ناسا المريخ", "teams")
        assert self.settled("وكالة ناسا المريخ", [], lists) == [Span(0, 2, "ORG"), Span(2, 3, "LOC")]

    def test_what_is_stopped_goes(self, lists):
        assert self.settled("بالدولار في دمشق", [Span(0, 1, "MISC"), Span(2, 3, "LOC")], lists) == [
            Span(2, 3, "LOC")
        ]


class TestNames:
    def named(self, text, tags, span, lists):
        written = words(text)
        pieces = [split(word, tag) for word, tag in zip(written, tags.split(), strict=True)]
        return entity(text, span, written, pieces, lists)

    @pytest.mark.parametrize(
        ("text", "tag", "name"),
        [
            ("ولندن", "CCONJ+PROPN", "لندن"),
            ("لأوباما", "ADP+PROPN", "أوباما"),
            ("بيروت", "ADP+PROPN", "بيروت"),  # the tagger is wrong: the whole word is listed
            ("وبيروت", "PROPN", "بيروت"),  # and here: the rest is
            ("للسعودية", "ADP+PROPN", "السعودية"),
            ("للسعودية", "PROPN", "السعودية"),
            ("وللسعودية", "PROPN", "السعودية"),
            ("للقدس", "ADP+PROPN", "القدس"),
            ("وليد", "PROPN", "وليد"),
        ],
    )
    def test_clitics_go(self, lists, text, tag, name):
        found = self.named(text, tag, Span(0, 1, "LOC"), lists)
        assert found.text == name
        assert text[found.start : found.end] == (name[1:] if text.find("لل") >= 0 else name)

    def test_marks_at_the_edges_go(self, lists):
        found = self.named("« بيروت »", "PUNCT PROPN PUNCT", Span(0, 3, "LOC"), lists)
        assert (found.text, found.start, found.end) == ("بيروت", 2, 7)

    def test_marks_alone_are_no_entity(self, lists):
        assert self.named("« »", "PUNCT PUNCT", Span(0, 2, "LOC"), lists) is None
