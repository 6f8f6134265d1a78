"""Name lists: look-up with clitics, the stop list, and the shipped lists themselves."""

import gzip

import pytest

from dalil.errors import InputError
from dalil.resources import data
from retrieval.analyzers import names
from retrieval.analyzers.names import Match, Names, bare, without_clitics


@pytest.fixture
def listed():
    found = Names()
    found.add("الأمم المتحدة", "organizations")
    found.add("ناسا", "organizations")
    found.add("السعودية", "territory")
    found.stopped = {bare("كورونا")}
    return found


def folded(text):
    return [bare(word) for word in text.split()]


class TestLookUp:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("قالت ناسا", [Match(1, 2, ("organizations",))]),
            ("قرار الامم المتحده اليوم", [Match(1, 3, ("organizations",))]),
            ("وللسعودية", [Match(0, 1, ("territory",))]),
            ("بالسعودية", [Match(0, 1, ("territory",))]),
            ("ولناسا", [Match(0, 1, ("organizations",))]),
            ("«ناسا»،", [Match(0, 1, ("organizations",))]),
            ("الأمم", []),
            ("", []),
        ],
    )
    def test_matches(self, listed, text, expected):
        assert listed.matches(folded(text)) == expected

    def test_the_longest_name_wins(self, listed):
        listed.add("وكالة ناسا", "organizations")
        assert listed.matches(folded("وكالة ناسا"))[0] == Match(0, 2, ("organizations",))

    def test_stop_list_looks_past_clitics(self, listed):
        assert listed.is_stopped(folded("كورونا"))
        assert listed.is_stopped(folded("وكورونا"))
        assert not listed.is_stopped(folded("ناسا"))
        assert listed.is_stopped([])

    def test_short_words_keep_their_letters(self):
        assert list(without_clitics("ولد")) == ["ولد"]


class TestFiles:
    def write(self, folder, **files):
        for name in names.FILES:
            text = 'diseases = ["كورونا"]\n' if name.endswith(".toml") else "# names\nاسم\n"
            (folder / name).write_text(files.get(name.partition(".")[0], text), encoding="utf-8")
        names.write_places(folder / names.PLACES, [("city", "دمشق")])

    def test_lists_are_read_without_remarks(self, tmp_path):
        self.write(tmp_path, space="# كواكب\n\n  المريخ \n", first_names="علي عمر\nزيد\n")
        found = names.load(tmp_path, tmp_path / names.PLACES)
        assert found.kinds[("المريخ",)] == {"space"}
        assert found.kinds[("دمشق",)] == {"city"}
        assert found.first_names == {"علي", "عمر", "زيد"}
        assert found.stopped == {"كورونا"}

    def test_a_list_that_is_missing_is_named(self, tmp_path):
        self.write(tmp_path)
        (tmp_path / "teams.txt").unlink()
        with pytest.raises(InputError, match=r"teams\.txt"):
            names.load(tmp_path, tmp_path / names.PLACES)

    @pytest.mark.parametrize("text", ["diseases = كورونا", "diseases = 3", "diseases = [1]"])
    def test_a_stop_list_that_is_none_is_named(self, tmp_path, text):
        self.write(tmp_path, stop=text)
        with pytest.raises(InputError, match=r"stop\.toml"):
            names.load(tmp_path, tmp_path / names.PLACES)

    def test_places_are_the_same_bytes_each_time(self, tmp_path):
        for name in ("a", "b"):
            names.write_places(tmp_path / name, [("city", "دمشق"), ("territory", "مصر")])
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
        assert gzip.decompress((tmp_path / "a").read_bytes()).decode() == "city\tدمشق\nterritory\tمصر\n"


class TestShippedLists:
    def read(self, name):
        lines = data("names", name).read_text(encoding="utf-8").split("\n")
        return [line for line in lines if line and not line.startswith("#")]

    @pytest.mark.parametrize("name", [f"{kind}.txt" for kind in names.VERDICTS])
    def test_no_name_stands_twice_in_a_list(self, name):
        spelled = self.read(name)
        assert len(spelled) > 20
        assert sorted(set(spelled)) == sorted(spelled)

    def test_no_listed_name_is_stopped(self):
        found = names.load(data("names"), data("analyzers", "embedded", names.PLACES))
        for key, kinds in found.kinds.items():
            if kinds & set(names.VERDICTS):
                assert not found.is_stopped(key), key

    def test_each_list_says_what_it_is(self):
        for name in names.FILES:
            assert data("names", name).read_text(encoding="utf-8").startswith("# ")
