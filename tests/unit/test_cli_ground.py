"""init, status, dump, load, doctor as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import toycorpus
from toycorpus import Ask, Upper

from dalil.cli import main
from dalil.corpus import Corpus
from dalil.progress import Silent
from dalil.runner import Tally, run_stage


def dalil(*words: object) -> int:
    with pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    return int(stop.value.code or 0)


@pytest.mark.parametrize("template", ["arastance", "scrum9"])
def test_init_makes_a_corpus_that_the_doctor_likes(
    tmp_path: Path, template: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    assert dalil("init", "--template", template, folder) == 0
    assert "dalil run" in capsys.readouterr().out
    assert dalil("doctor", "--json", folder) == 0
    checks = {check["name"]: check["state"] for check in json.loads(capsys.readouterr().out)}
    assert checks["corpus.toml"] == checks["corpus.db"] == "ok"
    with Corpus.open(folder) as corpus:
        assert corpus.config.corpus.name == "mine"


def test_init_does_not_overwrite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dalil("init", tmp_path / "mine") == 0
    assert dalil("init", tmp_path / "mine") == 2
    assert "there is a corpus here already" in capsys.readouterr().err


def test_status_tells_rows_drops_requests_and_kills(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1, ""), toycorpus.claim(2))
        run_stage(corpus, Upper(corpus), Silent())
        run_stage(corpus, Ask(corpus), Silent())
    assert dalil("status", "--json", tmp_path / "c") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["rows"]["claims"] == 2
    assert report["rows"]["cleaned claims"] == 1
    assert report["dropped"] == {"clean": {"no_text": 1}}
    assert report["requests"] == {"toy": {"answered": 3}}
    assert report["cost"] == 1.5
    assert dalil("status", tmp_path / "c") == 0
    printed = capsys.readouterr().out
    assert "clean: no_text" in printed
    assert "cost so far: $1.50" in printed


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("mycorpus", "mycorpus"),
        (".", "mycorpus"),
        ("{}/mycorpus", "mycorpus  {}/mycorpus"),
        ("other", "mycorpus  other"),
    ],
)
def test_a_status_is_headed_by_its_name_once(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    heading: str,
) -> None:
    assert dalil("init", tmp_path / "mycorpus") == 0
    (tmp_path / "other").symlink_to(tmp_path / "mycorpus")
    monkeypatch.chdir(tmp_path / "mycorpus" if words == "." else tmp_path)
    capsys.readouterr()
    assert dalil("status", words.format(tmp_path)) == 0
    assert capsys.readouterr().out.split("\n")[0].strip() == heading.format(tmp_path)


def test_stages_without_anything_to_do_are_not_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))
    assert dalil("run", tmp_path / "c") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if " done, " in line]
    assert {"clean: 1 done, 0 unchanged, 1 record"} < set(lines)
    assert not [line for line in lines if "0 done, 0 unchanged" in line]
    with toycorpus.make(tmp_path / "empty"):
        pass
    assert dalil("clean", tmp_path / "empty") == 0  # but silence would leave one wondering
    assert capsys.readouterr().err == "clean: nothing to do\n"
    assert dalil("run", tmp_path / "empty") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "run: nothing to do"
    assert not [line for line in lines if " done, " in line]


def test_a_stage_with_many_notes_leaves_the_others_their_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tallies = [Tally("fetch", notes=[f"host-{n} is down" for n in range(9)]), Tally("pair", notes=["kept"])]
    monkeypatch.setattr("dalil.runner.run", lambda *_, **__: tallies)
    assert dalil("init", tmp_path / "c") == 0
    assert dalil("clean", tmp_path / "c") == 0
    told = capsys.readouterr().err.splitlines()
    assert told[-2:] == ["… and 4 more of fetch: see dalil status", "note: kept"]
    assert told[:-2] == [f"note: host-{n} is down" for n in range(5)]


def test_the_doctor_finds_a_bad_key_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dalil("init", tmp_path / "c") == 0
    (tmp_path / "c" / "corpus.toml").write_text("[pair]\nkep = 3\n", "utf-8")
    capsys.readouterr()
    assert dalil("doctor", "--json", tmp_path / "c") == 1
    captured = capsys.readouterr()
    notes = {check["name"]: check["note"] for check in json.loads(captured.out)}
    assert "unknown key pair.kep" in notes["corpus.toml"]
    assert captured.err.startswith("dalil: broken: corpus.toml; ")


@pytest.mark.parametrize(
    ("toml", "where", "what", "todo"),
    [
        (
            '[sites]\nnames = ["haqiqa", "mysite"]',
            "sites.names",
            "unknown site 'mysite'",
            "one of afp_arabic",
        ),
        ('[search]\nengines = ["gogle"]', "search.engines", "unknown engine 'gogle'", "one of collection"),
        (
            '[search]\nretired = ["brave", "gogle"]',  # what is not asked needs no key
            "search.retired",
            "unknown engine 'gogle'",
            "one of collection",
        ),
        ('[search]\nanalyzer = "stanca"', "search.analyzer", "no analyzer is called 'stanca'", "one of"),
        (
            '[search]\nengines = ["brave"]',
            "search.engines",
            "BRAVE_API_KEY is not set",
            "export BRAVE_API_KEY",
        ),
        ('[clean]\noff = ["prefix:no"]', "clean.off", "no cleaning rule is called", "rules.toml"),
        ('[pair]\noutlets = ["mine.txt"]', "mine.txt", "cannot be read", "check the path"),
        ('[annotate]\nscheme = "arastanse"', "annotate.scheme", "no scheme 'arastanse'", "schemes are"),
        ('[annotate]\nscheme = "my.toml"', "annotate.scheme", "no such scheme file", "check the path"),
        ('[annotate]\ninformation = "i.toml"', "annotate.information", "there is no file", "check the path"),
        ('[release]\nmanifest = "m.csv"', "release.manifest", "there is no file 'm.csv'", "check the path"),
        ('[gold]\nscheme = "my.toml"', "gold.scheme", "no such scheme file", "check the path"),
        ('[gold]\nmethod = "mw"', "gold.method", "no method is called 'mw'", "one of mv"),
    ],
)
def test_the_doctor_finds_what_a_name_in_corpus_toml_does_not_lead_to(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    toml: str,
    where: str,
    what: str,
    todo: str,
) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    assert dalil("init", tmp_path / "c") == 0
    (tmp_path / "c" / "corpus.toml").write_text(f'[corpus]\ncontact = "a@b.example"\n{toml}\n', "utf-8")
    capsys.readouterr()
    assert dalil("doctor", "--json", tmp_path / "c") == 1
    captured = capsys.readouterr()
    (found,) = (check for check in json.loads(captured.out) if check["state"] == "broken")
    assert found["name"] == "names in corpus.toml"
    for said in (where, what, todo):
        assert said in found["note"]
    assert "names in corpus.toml" in captured.err


@pytest.mark.parametrize("section", ["annotate", "gold"])
def test_the_doctor_looks_for_schemes_beside_the_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], section: str
) -> None:
    assert dalil("init", tmp_path / "c") == 0
    (tmp_path / "c" / "corpus.toml").write_text(f'[{section}]\nscheme = "my.toml"\n', "utf-8")
    (tmp_path / "c" / "my.toml").write_text('[[labels]]\nname = "a"\n[[labels]]\nname = "b"\n', "utf-8")
    capsys.readouterr()
    dalil("doctor", "--json", tmp_path / "c")
    found = {check["name"]: check for check in json.loads(capsys.readouterr().out)}["names in corpus.toml"]
    assert "scheme" not in (found["note"] or ""), found


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ('[search]\nengines = ["collection"]', "engines.collection.path"),
        ('[true_claims]\ncollection = "reuters"', "true_claims.collection"),
    ],
)
def test_what_is_not_made_yet_is_worth_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], toml: str, key: str
) -> None:
    assert dalil("init", tmp_path / "c") == 0
    (tmp_path / "c" / "corpus.toml").write_text(toml, "utf-8")
    capsys.readouterr()
    assert dalil("doctor", "--json", tmp_path / "c") == 0
    found = {check["name"]: check for check in json.loads(capsys.readouterr().out)}["names in corpus.toml"]
    assert found["state"] == "note"
    assert key in found["note"]
    assert "make it: dalil index FILE --out" in found["note"]


@pytest.mark.parametrize("contact", ["", 'contact = ""', 'contact = "باحث@جامعة.مثال"'])
def test_the_doctor_asks_for_a_contact_that_can_be_sent_where_sites_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, contact: str
) -> None:
    monkeypatch.delenv("DALIL_LOCAL_WEB", raising=False)
    assert dalil("init", tmp_path / "c") == 0
    written = f'[corpus]\n{contact}\n[sites]\nnames = ["fatabyyano"]\n'
    (tmp_path / "c" / "corpus.toml").write_text(written, "utf-8")
    capsys.readouterr()
    assert dalil("doctor", "--json", tmp_path / "c") == 1
    found = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert found["contact"]["state"] == "broken"
    assert "corpus.toml: corpus.contact" in found["contact"]["note"]
    assert 'contact = "you@' in found["contact"]["note"]
    (tmp_path / "c" / "corpus.toml").write_text(contact and f"[corpus]\n{contact}\n", "utf-8")
    assert dalil("doctor", "--json", tmp_path / "c") == 0  # where nothing is crawled, nothing is missing
    demo = '[sites]\nnames = ["haqiqa"]\n'  # its host is one that nobody can own
    (tmp_path / "c" / "corpus.toml").write_text(contact and f"[corpus]\n{contact}\n{demo}", "utf-8")
    assert dalil("doctor", "--json", tmp_path / "c") == 0


def test_the_doctor_never_prints_a_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza-very-secret")
    dalil("doctor", "--json")
    assert "very-secret" not in capsys.readouterr().out


def test_dump_and_load_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with toycorpus.make(tmp_path / "c") as corpus:
        toycorpus.add(corpus, toycorpus.claim(1))
    assert dalil("dump", tmp_path / "d", tmp_path / "c") == 0
    assert dalil("load", tmp_path / "d", tmp_path / "again") == 0
    assert "private" in capsys.readouterr().out
    with Corpus.open(tmp_path / "again") as corpus:
        assert [claim.id for claim in corpus.store.all(toycorpus.Claim)] == ["claim-001"]


def test_a_slip_in_any_section_stops_a_run_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dalil("init", tmp_path / "c") == 0
    with (tmp_path / "c" / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write("\n[release]\nlicense = 'MIT'\n")
    capsys.readouterr()
    assert dalil("clean", tmp_path / "c") == 2
    said = capsys.readouterr().err
    assert "unknown key release.license" in said
    assert "clean:" not in said


def test_a_run_without_claims_says_how_to_bring_some_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dalil("init", tmp_path / "c") == 0
    assert dalil("collect", tmp_path / "c") == 0
    assert "there are no claims yet: name sites" in capsys.readouterr().err
