"""The truncation rule: one function for tags, trees and constituents, and its guards."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.analyzers.base import Analysis, Constituent, Entity, Token
from retrieval.analyzers.truncate import truncate


def tagged(line, **more):
    """An analysis from `word/TAG` pairs; `=` before a word: written together with the last one.

    A tag may carry a tree: `word/VERB/head/deprel`, heads counted from 1, 0 the root.
    """
    text, tokens = "", []
    for item in line.split():
        glued = item.startswith("=")
        word, upos, *tree = item.removeprefix("=").split("/")
        if text and not glued:
            text += " "
        head, deprel = (int(tree[0]) - 1, tree[1]) if tree else (None, None)
        tokens.append(Token(word, len(text), len(text) + len(word), upos, head, deprel))
        text += word
    return Analysis(text, tuple(tokens), **more)


class TestStops:
    def test_the_cut_goes_to_the_comma(self):
        cut = truncate(
            tagged("طفلة/NOUN تظهر/VERB بنصف/NOUN جسم/NOUN بشري/ADJ =،/PUNCT النصف/NOUN الاخر/ADJ")
        )
        assert cut.text == "طفلة تظهر بنصف جسم بشري"
        assert (cut.rule, cut.stop, cut.verb, cut.fallback) == ("tags", "،", 1, None)

    def test_the_cut_goes_to_the_free_coordinator(self):
        cut = truncate(tagged("يتم/VERB تنظيف/NOUN الرئتين/NOUN من/ADP شم/NOUN بخار/NOUN و/CCONJ الماء/NOUN"))
        assert cut.text == "يتم تنظيف الرئتين من شم بخار"

    @pytest.mark.parametrize("mark", ["،", ",", "؛", ";", ":", ".", "!", "؟", "?", "..."])
    def test_clause_punctuation_stops(self, mark):
        cut = truncate(tagged(f"الرجل/NOUN باع/VERB بيته/NOUN القديم/ADJ ={mark}/PUNCT ثم/X سافر/VERB"))
        assert cut.text == "الرجل باع بيته القديم"

    @pytest.mark.parametrize("word", ["و", "أو", "ثم", "لكن", "بل"])
    def test_a_free_coordinator_stops(self, word):
        assert truncate(tagged(f"باع/VERB الرجل/NOUN بيته/NOUN {word}/CCONJ سافر/VERB")).stop == word

    @pytest.mark.parametrize("clitic", ["و", "ف"])
    def test_a_clitic_on_a_verb_stops(self, clitic):
        cut = truncate(tagged(f"باع/VERB الرجل/NOUN بيته/NOUN {clitic}/CCONJ =سافر/VERB بعيدا/ADV"))
        assert cut.text == "باع الرجل بيته"

    def test_a_clitic_on_a_verb_with_its_particle_stops(self):
        cut = truncate(tagged("باع/VERB الرجل/NOUN بيته/NOUN و/CCONJ =لم/PART يسافر/VERB"))
        assert cut.text == "باع الرجل بيته"

    def test_a_clitic_on_a_noun_does_not_stop(self):
        cut = truncate(tagged("باع/VERB الرجل/NOUN بيته/NOUN و/CCONJ =سيارته/NOUN أمس/ADV"))
        assert (cut.text, cut.stop) == ("باع الرجل بيته وسيارته أمس", "end")

    @pytest.mark.parametrize("mark", ['"', "«", "»", "(", ")", "-"])
    def test_quotes_and_brackets_are_no_boundaries(self, mark):
        assert truncate(tagged(f"باع/VERB الرجل/NOUN {mark}/PUNCT بيته/NOUN القديم/ADJ")).stop == "end"

    def test_what_precedes_the_verb_is_kept_stops_and_all(self):
        cut = truncate(
            tagged("مصر/PROPN =،/PUNCT بلد/NOUN كبير/ADJ =،/PUNCT تبيع/VERB القطن/NOUN =،/PUNCT أمس/ADV")
        )
        assert cut.text == "مصر، بلد كبير، تبيع القطن"


class TestGuards:
    def test_a_colon_among_the_first_four_tokens_is_no_stop(self):
        line = "صرح/VERB وزير/NOUN الصحة/NOUN =:/PUNCT لا/PART دواء/NOUN هنا/ADV =:/PUNCT أبدا/ADV"
        assert truncate(tagged(line)).text == "صرح وزير الصحة: لا دواء هنا"

    def test_a_stop_that_leaves_fewer_than_three_words_is_none(self):
        assert truncate(tagged("مات/VERB =،/PUNCT نعم/X مات/VERB =،/PUNCT أمس/ADV")).text == "مات، نعم مات"

    def test_a_name_is_no_verb(self):
        line = "يزيد/VERB من/ADP مصر/PROPN يبيع/VERB بيته/NOUN =،/PUNCT نعم/X"
        assert truncate(tagged(line)).verb == 0
        assert truncate(tagged(line, entities=(Entity(0, 4, "PERS", "يزيد"),))).verb == 3

    def test_without_a_verb_the_whole_claim_is_kept_and_it_says_so(self):
        cut = truncate(tagged("صورة/NOUN نادرة/ADJ =،/PUNCT من/ADP البحر/NOUN"))
        assert (cut.text, cut.fallback, cut.verb) == ("صورة نادرة، من البحر", "no_verb", None)

    def test_no_tokens_at_all(self):
        assert truncate(Analysis("  ", ())).text == ""


class TestTrees:
    def test_the_cut_goes_to_the_end_of_the_subtree(self):
        line = "الرجل/NOUN/2/nsubj باع/VERB/0/root بيته/NOUN/2/obj خبر/NOUN/2/parataxis جديد/ADJ/4/amod"
        cut = truncate(tagged(line))
        assert (cut.text, cut.rule, cut.stop) == ("الرجل باع بيته", "tree", "phrase")

    @pytest.mark.parametrize(
        "relation", ["conj", "advcl", "parataxis", "discourse", "vocative", "dislocated"]
    )
    def test_what_trails_is_left_out(self, relation):
        line = f"باع/VERB/0/root الرجل/NOUN/1/nsubj بيته/NOUN/1/obj هاربا/ADJ/1/{relation} منهم/PRON/4/obl"
        assert truncate(tagged(line)).text == "باع الرجل بيته"

    def test_a_nominal_conj_inside_stays_and_a_verbal_one_goes(self):
        line = "باع/VERB/0/root بيت/NOUN/1/obj رجل/NOUN/2/nmod و/CCONJ/5/cc =أخيه/NOUN/3/conj {}"
        assert truncate(tagged(line.format("مات/NOUN/3/conj"))).text == "باع بيت رجل وأخيه مات"
        assert truncate(tagged(line.format("مات/VERB/3/conj"))).text == "باع بيت رجل وأخيه"

    def test_subtypes_of_relations_count(self):
        line = "باع/VERB/0/root الرجل/NOUN/1/nsubj بيته/NOUN/1/obj هاربا/VERB/1/advcl:cond"
        assert truncate(tagged(line)).text == "باع الرجل بيته"

    def test_a_piece_left_out_in_the_middle_stays(self):
        line = "باع/VERB/0/root يا/INTJ/3/case صاح/NOUN/1/vocative الرجل/NOUN/1/nsubj بيته/NOUN/1/obj"
        assert truncate(tagged(line)).text == "باع يا صاح الرجل بيته"

    def test_stops_hold_inside_a_subtree(self):
        line = "باع/VERB/0/root الرجل/NOUN/1/nsubj بيته/NOUN/1/obj =،/PUNCT/5/punct سيارته/NOUN/3/conj"
        assert truncate(tagged(line)).text == "باع الرجل بيته"

    def test_a_tree_that_bites_its_tail_ends(self):
        line = "باع/VERB/2/root الرجل/NOUN/1/nsubj بيته/NOUN/2/obj"
        assert truncate(tagged(line)).text == "باع الرجل بيته"


class TestConstituents:
    LINE = "الرجل/NOUN باع/VERB بيته/NOUN القديم/ADJ أمس/ADV فرحا/ADV"

    def test_the_first_vp_in_pre_order_ends_the_cut(self):
        phrases = (Constituent("S", 0, 6), Constituent("VP", 1, 4), Constituent("VP", 1, 2))
        cut = truncate(tagged(self.LINE, constituents=phrases))
        assert (cut.text, cut.rule, cut.stop) == ("الرجل باع بيته القديم", "constituents", "phrase")

    def test_stops_hold_inside_it(self):
        line = "باع/VERB الرجل/NOUN بيته/NOUN =،/PUNCT أمس/ADV"
        assert truncate(tagged(line, constituents=(Constituent("VP", 0, 5),))).text == "باع الرجل بيته"

    def test_functions_on_labels_are_looked_past(self):
        phrases = (Constituent("S", 0, 6), Constituent("VP-PRD", 1, 3))
        assert truncate(tagged(self.LINE, constituents=phrases)).text == "الرجل باع بيته"

    def test_no_vp_is_no_verb(self):
        assert truncate(tagged(self.LINE, constituents=(Constituent("NP", 0, 6),))).fallback == "no_verb"


words = st.lists(
    st.tuples(
        st.sampled_from(["رجل", "و", "باع", "،", ":", "ف", "لا", "بيت"]),
        st.sampled_from(["VERB", "NOUN", "CCONJ"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@settings(deadline=None)
@given(words, st.sampled_from(["", " ", "\n"]))
def test_a_cut_is_a_prefix_that_holds_the_verb(drawn, before):
    line = " ".join(f"{'=' if glued else ''}{word}/{upos}" for word, upos, glued in drawn)
    plain = tagged(line)
    shifted = tuple(Token(t.text, t.start + len(before), t.end + len(before), t.upos) for t in plain.tokens)
    analysis = Analysis(before + plain.text + before, shifted)
    cut = truncate(analysis)
    assert analysis.text.startswith(cut.text)
    assert cut.end == len(cut.text)
    if cut.verb is not None:
        assert cut.end >= shifted[cut.verb].end
        assert cut.stop == "end" or len(re.findall(r"\S+", cut.text)) >= 3
    else:
        assert cut.text == analysis.text.rstrip()
