"""The hand edit: out to a spreadsheet, back in, and what it does to the cleaned claims."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dalil.corpus import Corpus
from dalil.errors import InputError, UsageError
from dalil.progress import Silent
from dalil.records import Claim, ClaimEdit, CleanedClaim, Dropped
from dalil.runner import run
from retrieval.claims_commands import claims
from retrieval.clean.handedit import compare, guarded, read_rows, unguarded, write_rows

CLAIMS = (
    Claim(
        id="claim-a", site="s", raw="حقيقة إلغاء بنزين 80",
        body="قالت الوزارة:\n«لا إلغاء»", verdict="زائف", url="https://s.example/1",
    ),
    Claim(id="claim-b", site="s", raw="- بوست منتشر بيقول: \"الحكومة تلغي، اليوم\"\nالدعم", body=None),
    Claim(id="claim-c", site="s", raw="بالصورة"),
)  # fmt: skip


@pytest.fixture
def corpus(tmp_path):
    with Corpus.create(tmp_path / "c", "") as made:
        with made.store.transaction() as writer:
            writer.put(CLAIMS)
        clean(made)
        yield made


def clean(corpus):
    return run(corpus, ["retrieval.clean:Clean"], Silent())[0]


def call(*arguments):
    result = CliRunner().invoke(claims, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def rewrite(path, **edits):
    """Write into the column edit of rows, as a person would."""
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    columns = rows[0]
    for row in rows[1:]:
        if row[0] in edits:
            for name, value in edits[row[0]].items():
                row[columns.index(name)] = value
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    path.write_text("\ufeff" + out.getvalue(), "utf-8", newline="")


def test_edit_goes_round(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    assert "3 claims written" in call("export", file, corpus.path)
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")
    rewrite(
        file,
        **{
            "claim-a": {"edit": "الحكومة تلغي بنزين 80", "note": "من الخبر"},
            "claim-c": {"edit": "الوزير يستقيل من منصبه"},
        },
    )
    assert "2 edits by سلمى" in call("import", "--editor", "سلمى", file, corpus.path)

    assert clean(corpus).worked == 2
    made = {row.id: row for row in corpus.store.all(CleanedClaim)}
    assert made["claim-a"].text == "الحكومة تلغي بنزين 80"
    assert made["claim-a"].raw == "حقيقة إلغاء بنزين 80"
    assert (made["claim-a"].by, made["claim-a"].flags, made["claim-a"].rules) == ("hand", (), ("edit:1",))
    assert made["claim-c"].text == "الوزير يستقيل من منصبه"
    assert corpus.store.count(Dropped) == 0

    edit = corpus.store.get(ClaimEdit, next(e.id for e in corpus.store.all(ClaimEdit, claim_id="claim-a")))
    assert (edit.before, edit.after, edit.note, edit.editor) == (
        "إلغاء بنزين 80",
        "الحكومة تلغي بنزين 80",
        "من الخبر",
        "سلمى",
    )
    assert edit.at


def test_the_highest_number_counts_and_nothing_is_lost(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    for number, text in enumerate(["الحكومة تلغي الدعم", "الحكومة ترفع الدعم", ""], start=1):
        call("export", "--force", file, corpus.path)
        rewrite(file, **{"claim-a": {"edit": text}})
        call("import", "--editor", "E", file, corpus.path)
        clean(corpus)
        assert corpus.store.count(ClaimEdit) == number
        made = corpus.store.get(CleanedClaim, "claim-a")
        assert made.text == (text or "إلغاء بنزين 80")
        assert made.by == ("hand" if text else "rules")


def test_two_exports_at_once_undo_nothing_unawares(corpus, tmp_path):
    hers, his = tmp_path / "hers.csv", tmp_path / "his.csv"
    call("export", hers, corpus.path)
    call("export", his, corpus.path)
    rewrite(hers, **{"claim-a": {"edit": "الحكومة تلغي الدعم"}})
    call("import", "--editor", "سلمى", hers, corpus.path)
    clean(corpus)

    # his file still shows no edit of claim-a: he left it alone, and so does the import
    rewrite(his, **{"claim-c": {"edit": "الوزير يستقيل من منصبه"}})
    report = json.loads(call("import", "--json", "--editor", "عمر", his, corpus.path))
    assert (report["edits"], report["stale"]) == (1, [2])
    clean(corpus)
    assert corpus.store.get(CleanedClaim, "claim-a").text == "الحكومة تلغي الدعم"

    # where both wrote, he is asked
    rewrite(his, **{"claim-a": {"edit": "الحكومة ترفع الدعم"}})
    with pytest.raises(InputError, match="claim-a was edited by سلمى since") as error:
        call("import", "--editor", "عمر", his, corpus.path)
    assert f"{his}:2" in error.value.line()
    rewrite(his, **{"claim-a": {"edit_number": "1"}})
    call("import", "--editor", "عمر", his, corpus.path)
    clean(corpus)
    assert corpus.store.get(CleanedClaim, "claim-a").text == "الحكومة ترفع الدعم"
    assert corpus.store.count(ClaimEdit) == 3


def test_a_file_that_was_imported_already_changes_nothing_even_after_later_edits(corpus, tmp_path):
    first, second = tmp_path / "1.csv", tmp_path / "2.csv"
    call("export", first, corpus.path)
    rewrite(first, **{"claim-a": {"edit": "الحكومة تلغي الدعم"}})
    call("import", "--editor", "E", first, corpus.path)
    call("import", "--editor", "E", first, corpus.path)
    assert corpus.store.count(ClaimEdit) == 1
    call("export", second, corpus.path)
    rewrite(second, **{"claim-a": {"edit": "الحكومة ترفع الدعم"}})
    call("import", "--editor", "E", second, corpus.path)
    with pytest.raises(InputError, match="claim-a was edited by E since"):
        call("import", "--editor", "E", first, corpus.path)
    assert corpus.store.count(ClaimEdit) == 2


@pytest.mark.parametrize("edit", ["😀", "؟!", "\u200f", "...", "()", "0", "٣", "2020-01-05", "10%"])
def test_an_edit_without_a_letter_is_refused(corpus, tmp_path, edit):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-a": {"edit": edit}})
    with pytest.raises(InputError, match="the edit of claim-a has no letter") as error:
        call("import", "--editor", "E", file, corpus.path)
    assert f"{file}:2" in error.value.line()
    assert corpus.store.count(ClaimEdit) == 0


def test_an_edit_shorter_than_a_claim_is_flagged_and_told(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-a": {"edit": "بنزين 80"}, "claim-c": {"edit": "(drop)"}})
    output = call("import", "--editor", "E", file, corpus.path)
    assert "1 edit has fewer than 3 words: flagged needs_edit:too_short and not searched for" in output
    clean(corpus)
    assert corpus.store.get(CleanedClaim, "claim-a").flags == ("needs_edit:too_short",)
    assert {row.id for row in read_rows(exported(file, corpus))} == {"claim-a", "claim-c"}


def exported(file, corpus):
    call("export", "--flagged", "--force", file, corpus.path)
    return file


@pytest.mark.parametrize("mistyped", ["edited", "Edit", "edti", "edits", "تعديل"])
def test_a_mistyped_column_edit_is_named_and_never_one_of_the_export(corpus, tmp_path, mistyped):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    header, rest = file.read_text("utf-8-sig").split("\n", 1)
    columns = [mistyped if name == "edit" else name for name in header.strip().split(",")]
    file.write_text(",".join(columns) + "\n" + rest, "utf-8-sig", newline="")
    with pytest.raises(InputError, match="no column edit;") as error:
        list(read_rows(file))
    near = error.value.todo or ""
    if mistyped == "تعديل":
        assert near == "add a column edit, or export again and edit that file"
    else:
        assert near == f"rename the column '{mistyped}' to edit, or export again and edit that file"


@pytest.mark.parametrize("word", ["(drop)", "(Drop)", " ( DROP ) ", ")drop(", "drop", "\u200f(drop)\u200f"])
def test_drop_by_hand(corpus, tmp_path, word):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-a": {"edit": word, "note": "رأي"}})
    call("import", "--editor", "E", file, corpus.path)
    clean(corpus)
    assert corpus.store.get(CleanedClaim, "claim-a") is None
    (drop,) = corpus.store.all(Dropped, key="claim-a")
    assert (drop.stage, drop.reason, drop.detail) == ("clean", "by_hand", "رأي")


def test_importing_an_export_changes_nothing(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-b": {"edit": "=الحكومة", "note": "-"}})
    call("import", "--editor", "E", file, corpus.path)
    clean(corpus)
    before = list(corpus.store.all(ClaimEdit))
    call("export", "--force", file, corpus.path)
    report = json.loads(call("import", "--json", "--editor", "F", file, corpus.path))
    assert report == {"edits": 0, "too_short": 0, "unchanged": 3, "stale": [], "judged": 0}
    assert list(corpus.store.all(ClaimEdit)) == before


def test_flagged_only(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    report = json.loads(call("export", "--flagged", "--json", file, corpus.path))
    assert (report["claims"], report["needs_edit"], report["dropped"]) == (2, 1, 1)
    assert "1 of them flagged needs_edit, 1 dropped" in call(
        "export", "--flagged", "--force", file, corpus.path
    )
    assert {row.id for row in read_rows(file)} == {"claim-a", "claim-c"}
    assert "dropped:multimedia" in file.read_text("utf-8-sig")


def test_an_export_never_writes_over_edits(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    file.write_text("mine", "utf-8")
    with pytest.raises(UsageError, match="perhaps with edits"):
        call("export", file, corpus.path)
    assert file.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("claim", "changes", "line", "message"),
    [
        ("claim-c", {"id": "claim-z"}, 6, "no claim has the id 'claim-z'"),
        ("claim-c", {"id": "claim-a"}, 6, "claim-a was in line 2 already"),
        ("claim-b", {"raw": "غيره"}, 4, "the raw text of claim-b was changed"),
    ],
)
def test_what_was_not_to_be_changed_is_refused_with_its_true_line(
    corpus, tmp_path, claim, changes, line, message
):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-a": {"edit": "الحكومة تلغي بنزين 80"}, claim: {**changes, "edit": "نص آخر"}})
    with pytest.raises(InputError, match=message) as error:
        call("import", "--editor", "E", file, corpus.path)
    assert f"{file}:{line}" in error.value.line()
    assert corpus.store.count(ClaimEdit) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xc7\xe1\xed\xe6\xe3,raw", "not UTF-8"),
        (
            b"id,raw,cleaned,edit\na,b,c,d\n",
            "no column note; the columns are: id, raw, cleaned, edit; add a column note",
        ),
        (b"id,raw,cleaned,edit,note,edit_number\na,b,c,d,e,x\n", "edit_number is no number: 'x'"),
        (b"", "the file is empty"),
        (b"id,raw,cleaned,edit,note\na,b\n", "the row has 2 cells where the first line has 5"),
        (b'id,raw,cleaned,edit,note\na,"b" c,d,e,f\n', "broken CSV"),
    ],
)
def test_files_that_are_none(corpus, tmp_path, content, message):
    file = tmp_path / "edit.csv"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        call("import", "--editor", "E", file, corpus.path)


def test_other_delimiters_of_spreadsheets(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    text = "id;raw;cleaned;edit;note\r\nclaim-c;بالصورة;;الوزير يستقيل;\r\n"
    file.write_text(text, "utf-8-sig", newline="")
    call("import", "--editor", "E", file, corpus.path)
    assert next(corpus.store.all(ClaimEdit)).after == "الوزير يستقيل"


def test_a_wrong_column_is_told(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-a": {"cleaned": "الحكومة تلغي بنزين 80"}})
    output = call("import", "--editor", "E", file, corpus.path)
    assert "wrong column" in output
    assert "0 edits" in output


def test_an_editor_is_named(corpus, tmp_path):
    with pytest.raises(UsageError, match="--editor is empty"):
        call("import", "--editor", " ", tmp_path / "edit.csv", corpus.path)


# --- laws

_LETTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\x00")
TEXT = st.text(alphabet=st.one_of(_LETTERS, st.sampled_from("=+-@'\",;\n\r\t\u2028\x85حقيقة ")), max_size=30)


@settings(deadline=None)
@given(TEXT)
def test_guarding_is_lossless(cell):
    assert unguarded(guarded(cell)) == cell
    assert guarded(cell)[:1] not in ("=", "+", "-", "@", "\t", "\r")


@settings(deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT), max_size=4))
def test_round_trip_is_lossless(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("edit") / "edit.csv"
    known = {
        f"claim-{n}": Claim(id=f"claim-{n}", site="s", raw=raw, body=body)
        for n, (raw, body, _, _) in enumerate(rows)
    }
    edits = {}
    for n, (_, _, after, note) in enumerate(rows):
        edits[f"claim-{n}"] = ClaimEdit(
            id=f"edit-{n}", claim_id=f"claim-{n}", before="", after=after.strip(), note=note.strip() or None,
            editor="E", number=3, at=None,
        )  # fmt: skip
    path.write_text(write_rows(known.values(), {}, {}, edits), "utf-8", newline="")
    read = list(read_rows(path))
    assert [(row.id, row.raw, row.edit, row.note) for row in read] == [
        (key, claim.raw, edits[key].after, edits[key].note or "") for key, claim in known.items()
    ]
    assert compare(path, read, known, {}, edits, editor="F", at="2020-01-01T00:00:00Z").new == ()


def test_a_note_alone_is_kept_and_leaves_the_claim_to_the_rules(corpus, tmp_path):
    file = tmp_path / "edit.csv"
    call("export", file, corpus.path)
    rewrite(file, **{"claim-a": {"note": "يُسأل عنه"}})
    call("import", "--editor", "E", file, corpus.path)
    clean(corpus)
    assert next(corpus.store.all(ClaimEdit)).note == "يُسأل عنه"
    assert corpus.store.get(CleanedClaim, "claim-a").by == "rules"
