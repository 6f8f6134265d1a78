"""Names never leave a corpus unasked: pseudonyms are keyed, and the same everywhere."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path

import annotationkit as kit
import exchangekit as exchange
import pytest
from click.testing import CliRunner

from annotation.annotate_commands import annotate
from annotation.exchange import FORMATS
from annotation.exchange.votes import Vote
from annotation.release.pseudonyms import FILE, LETTERS, Pseudonyms
from annotation.release.write import release
from dalil.corpus import Corpus
from dalil.records import Annotation, Assignment, Consent, Decision, Gold, Pair, Person, Skip, Work

AMAL, BASHIR, SALMA = "amal.haddad@example.org", "بشير الحداد", "Salma Nur"
TOLD = ("هاتفي ٥٥٥١٢٣٤", "اسأل سلمى", "تركتها لبشير", "رأي أمل")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    """People with addresses and links; notes and free answers that name them; gold labels."""
    folder = tmp_path_factory.mktemp("names") / "c"
    with exchange.empty(folder, 12, exchange.TOML + "[release]\napart = []\n") as opened:
        secrets = kit.people(opened, (AMAL, BASHIR))
        dealer = kit.dealer(opened)
        dealer.write(dealer.main(None))
        for one in opened.store.all(Assignment, annotator=AMAL):
            exchange.say(opened, one, "agree", 5, note=TOLD[0], answers={"remark": TOLD[1]})
        for place, one in enumerate(opened.store.all(Assignment, annotator=BASHIR)):
            if place:
                exchange.say(opened, one, "disagree", 5)
            else:
                kit.judging(opened).skip(one, "other", TOLD[2])
        kit.judging(opened).rule("pair-0001", SALMA, "agree", TOLD[3], 0)
        with opened.store.transaction() as writer:
            writer.put([Consent(id="consent", person=AMAL, kind="information", version="1")])
            writer.put(Gold(id=pair, label="agree", how="majority") for pair in opened.store.ids(Pair))
        (folder / "secrets.json").write_text(json.dumps(secrets), "utf-8")
        yield opened


def private(corpus: Corpus) -> dict[str, str]:
    """What must not be found: what it is → how it is spelt."""
    found = {text: text for text in (AMAL, "amal", "haddad", BASHIR, SALMA, "Salma", *TOLD)}
    for name, secret in json.loads((corpus.path / "secrets.json").read_text("utf-8")).items():
        found[f"the link of {name}"] = secret
    for person in corpus.store.all(Person):
        found[f"the hash of the link of {person.id}"] = person.invitation or ""
    for kind in (Annotation, Skip, Assignment, Decision, Work):
        # ids are hashes over names, without a key: whoever has one can try names on it
        found |= {f"{kind.__name__} {key}": key for key in corpus.store.ids(kind)}
    found["the key"] = (corpus.path / FILE).read_text("ascii").strip()
    return {what: text for what, text in found.items() if text}


def leaks(corpus: Corpus, files: list[Path]) -> list[str]:
    return [
        f"{what} in {path.name}"
        for path in files
        for content in [path.read_bytes().lower()]
        for what, text in private(corpus).items()
        if text.lower().encode() in content or json.dumps(text).strip('"').lower().encode() in content
    ]


def run(corpus: Corpus, *words: str) -> str:
    done = CliRunner().invoke(annotate, [*words, str(corpus.path)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_no_export_and_no_release_says_who_anybody_is(corpus: Corpus, tmp_path: Path) -> None:
    files = []
    for name, made in FORMATS.items():
        files.append(tmp_path / f"{name}{made.suffix}")
        said = run(corpus, "export", "--format", name, str(files[-1]))
        assert AMAL not in said
    assert {path.name for path in tmp_path.iterdir()} - {path.name for path in files} == {
        "labelstudio.xml",
        "teamware.config.json",
    }
    release(corpus, tmp_path / "v1")
    files += [path for path in sorted((tmp_path / "v1").rglob("*")) if path.is_file()]
    assert leaks(corpus, files) == []


def test_names_notes_and_free_answers_are_there_when_asked_for(corpus: Corpus, tmp_path: Path) -> None:
    for name, made in FORMATS.items():
        path = tmp_path / f"{name}{made.suffix}"
        run(corpus, "export", "--names", "--format", name, str(path))
        text = path.read_text("utf-8")
        assert AMAL in text
        assert all(told in text for told in TOLD[:2]) == (name != "effiara")
        if name != "effiara":
            assert [
                vote for vote in FORMATS[name].read(path, exchange.scheme(corpus)) if vote.note == TOLD[2]
            ]


def test_somebody_has_one_pseudonym_in_every_export_and_release(corpus: Corpus, tmp_path: Path) -> None:
    called = Pseudonyms.of(corpus.path)
    scheme = exchange.scheme(corpus)
    for name, made in FORMATS.items():
        path = tmp_path / f"{name}{made.suffix}"
        run(corpus, "export", "--format", name, str(path))
        people = {vote.annotator for vote in FORMATS[name].read(path, scheme)}
        assert people - {called(SALMA)} == {called(AMAL), called(BASHIR)}, name
    for number in (1, 2):
        release(corpus, tmp_path / f"v{number}")
        lines = (tmp_path / f"v{number}" / "annotations.jsonl").read_text("utf-8").splitlines()
        assert {json.loads(line)["annotator"] for line in lines} == {
            called(AMAL),
            called(BASHIR),
            called(SALMA),
        }


def test_what_nobody_could_judge_is_released_with_its_reason(corpus: Corpus, tmp_path: Path) -> None:
    release(corpus, tmp_path / "v1")
    [line] = (tmp_path / "v1" / "skips.jsonl").read_text("utf-8").splitlines()
    said = json.loads(line)
    assert (said["annotator"], said["round"]) == (Pseudonyms.of(corpus.path)(BASHIR), "main")
    assert (said["reason"], said["number"], "note" in said) == ("other", 1, False)
    assert "`skips.jsonl`" in (tmp_path / "v1" / "README.md").read_text("utf-8")


def test_a_pseudonym_cannot_be_computed_from_a_name(corpus: Corpus, tmp_path: Path) -> None:
    called = Pseudonyms.of(corpus.path)
    with exchange.empty(tmp_path / "other") as other:
        elsewhere = Pseudonyms.of(other.path)
        names = [AMAL, BASHIR, SALMA]
        assert not {called(name) for name in names} & {elsewhere(name) for name in names}
    import base64

    for name in (AMAL, BASHIR):
        plain = hashlib.sha256(name.encode()).digest()
        empty = hmac.new(b"", name.encode(), hashlib.sha256).digest()
        for guess in (plain, empty):
            assert base64.b32encode(guess).decode().lower()[:LETTERS] not in called(name)
    assert (corpus.path / FILE).stat().st_mode & 0o077 == 0, "and nobody else reads the key"


def test_a_file_under_pseudonyms_is_of_the_same_people_again_only_with_the_key(
    corpus: Corpus, tmp_path: Path
) -> None:
    path = tmp_path / "x.csv"
    run(corpus, "export", "--format", "csv", str(path))
    before = exchange.rows(corpus, without=())
    assert run(corpus, "import", "--format", "csv", str(path)).startswith("0 new judgements, 0 revisions")
    assert exchange.rows(corpus, without=()) == before
    with exchange.empty(tmp_path / "other", 12) as other:
        exchange.come_in(other, path, "csv")
        called = Pseudonyms.of(corpus.path)
        assert {one.annotator for one in other.store.all(Annotation)} == {called(AMAL), called(BASHIR)}


def test_a_name_that_looks_like_a_pseudonym_is_only_itself(tmp_path: Path) -> None:
    with exchange.empty(tmp_path / "c") as corpus:
        Pseudonyms.of(corpus.path)
        exchange.take(corpus, [Vote("pair-0000", "annotator-aaaaaaaa", "main", "agree", 5)])
        assert [one.annotator for one in corpus.store.all(Annotation)] == ["annotator-aaaaaaaa"]
