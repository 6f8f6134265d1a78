"""Writing a release: all files beside each other, or none."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.dataset.manifest import write_manifest
from annotation.dataset.options import asked
from annotation.dataset.rows import DataSet, label_counts, new_folder, split_name_problem
from annotation.dataset.split_files import from_manifest
from annotation.dataset.splitting import Outcome, split, whole
from annotation.dataset.too_few import TooFewGroups
from annotation.release import ReleaseSettings
from annotation.release import files as made
from annotation.release.card import CardFacts, body, describe, how_counts
from annotation.release.citation import bibtex, citation_cff
from annotation.release.croissant import croissant
from annotation.release.draw import draw_labels
from annotation.release.head import yaml_head
from annotation.release.judgements import CSV_COLUMNS, Judgements, judgements
from annotation.release.label_names import scheme_at_hand
from annotation.release.layouts import write_layouts
from annotation.release.material import ALL_UNRELATED, STAGE, Material, label_order, material
from annotation.release.provenance import hits_of, provenance, short
from annotation.release.pseudonyms import Pseudonyms
from annotation.release.rows import release_rows
from dalil.corpus import Corpus
from dalil.errors import StateError, UsageError
from dalil.progress import Reporter
from dalil.records import Dropped
from dalil.status import status
from dalil.wording import counted, fitting

FORM = 1
"""of release.json"""


@dataclass(frozen=True)
class Summary:
    """What a release holds."""

    pairs: int
    claims: int
    sizes: Mapping[str, int]
    dropped_claims: int
    notes: tuple[str, ...]


def release(corpus: Corpus, out: Path, settings: ReleaseSettings | None = None) -> int:
    """Write a release into a new folder. Returns how many pairs. Raises as `write_release` does."""
    return write_release(corpus, out, settings).pairs


def write_release(
    corpus: Corpus, out: Path, settings: ReleaseSettings | None = None, reporter: Reporter | None = None
) -> Summary:
    """Write a release into a new folder and keep in the corpus which claims were dropped.

    The same corpus (with its key of pseudonyms) gives the same bytes. Raises UsageError when the folder
    is not empty or a split cannot be made as asked, DalilError when no pair has gold, StateError when
    something cannot be written.
    """
    out = new_folder(out)
    own = settings or corpus.section("release", ReleaseSettings)
    found = material(corpus)
    said = judgements(corpus, {one.pair.id for one in found.released}, Pseudonyms.of(corpus.path))
    labels = label_order({one.gold.label for one in found.released}, said.labels)
    title = own.title or corpus.config.corpus.name
    data = DataSet(title, "release", tuple(one.row() for one in found.released), labels, str(corpus.path))
    outcome = _split(corpus, data, own, reporter)
    beside = out.with_name(out.name + ".part")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        _write(beside, corpus, own, title, found, said, data.with_splits(outcome.splits), outcome)
        if out.exists():
            out.rmdir()
        beside.rename(out)
    except OSError as error:
        raise StateError(
            f"the release cannot be written: {error.strerror}", where=out, todo="check disk and path"
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    _keep_drops(corpus, found.dropped)
    sizes = {name: outcome.splits.count(name) for name in outcome.names}
    claims = len({row.claim_id for row in data.rows})
    unrelated = sum(drop.reason == ALL_UNRELATED for drop in found.dropped)
    notes = outcome.notes
    if len(found.dropped) > unrelated:
        notes += (
            f"{counted(len(found.dropped) - unrelated, 'pair')} whose claim or article is gone "
            "(dropped.jsonl)",
        )
    later = sum(bool(one.since_judged) for one in found.released)
    if later:
        notes += (
            f"{counted(later, 'pair')} {fitting(later, 'has its', 'have their')} texts as they were judged, "
            "which a later run changed or lost "
            "(since_judged in provenance.jsonl)",
        )
    return Summary(len(data), claims, sizes, unrelated, notes)


SIZES = frozenset({"shares", "folds", "by", "apart", "near_duplicate"})
"""settings that ask for a split: where one is stated, it is made or refused, never left out"""

SHARES_OF_ONE = "shares = { all = 1 }"


def _split(corpus: Corpus, data: DataSet, own: ReleaseSettings, reporter: Reporter | None) -> Outcome:
    """The split that is asked for. A corpus too small for the usual one, of which nothing is stated, goes
    out in one part, with a note."""
    one = _one_part(own)
    ask = asked(
        shares=None if own.folds or one else own.shares,
        folds_=own.folds,
        by=own.by,
        stratify=own.stratify,
        apart=own.apart,
        threshold=own.near_duplicate,
        undated=own.undated,
        seed=own.seed,
    )
    if own.manifest:
        return from_manifest(corpus.path / own.manifest, data, ask)
    if one is not None:
        return whole(data, ask, one)
    try:
        made = split(data, ask, reporter)
    except TooFewGroups as few:
        ways = [way.lines() for way in few.ways]
        if own.model_fields_set & SIZES:
            one = f"{SHARES_OF_ONE} (no splits{', and no folds' if own.folds else ''})"
            todo = f"write under [release] of corpus.toml: {', or '.join([*ways, one])}"
            raise UsageError(few.what, where=corpus.path, todo=todo) from few
        note = (
            f"without splits: what is kept apart ({', '.join(ask.apart)}) ties the pairs into "
            f"{counted(few.count, 'group')}, too few for {', '.join(ask.shares)}"
        )
        if ways:
            note += f"; to have splits, write under [release] of corpus.toml: {', or '.join(ways)}"
        return whole(data, ask, note=note)
    empty = len(made.names) - len(set(made.splits))
    if empty and not own.model_fields_set & SIZES:
        return whole(data, ask, note=f"without splits, since {counted(empty, 'split')} would have no pair")
    return made


def _one_part(own: ReleaseSettings) -> str | None:
    """The name of the one part that everything is in, where no split is asked for."""
    if own.folds is not None or len(own.shares) != 1:
        return None
    name, share = next(iter(own.shares.items()))
    problem = split_name_problem(name)
    if problem or share != 1:
        what = f"split {name[:40]!r} {problem}" if problem else f"one part with a share of {share:g}"
        raise UsageError(
            what, where="[release] shares", todo=f"for a release without splits: {SHARES_OF_ONE}"
        )
    return name


def _write(
    folder: Path,
    corpus: Corpus,
    own: ReleaseSettings,
    title: str,
    found: Material,
    said: Judgements,
    data: DataSet,
    outcome: Outcome,
) -> None:
    hits = hits_of(corpus.store, found.released)
    rows = release_rows(found.released, outcome.splits, said.soft, short(hits), texts=own.texts)
    flat = made.flat_rows(rows, data.labels)
    made.write_jsonl(folder / "pairs.jsonl", rows)
    made.write_csv(folder / "pairs.csv", flat)
    made.write_parquet(folder / "pairs.parquet", flat)
    write_layouts(folder, rows, data.labels)
    made.write_jsonl(folder / "provenance.jsonl", provenance(corpus.store, found.released, hits, said.lines))
    made.write_jsonl(
        folder / "dropped.jsonl",
        (drop.model_dump(exclude={"id", "about"}) for drop in (*found.undecided, *found.dropped)),
    )
    write_manifest(folder / "manifest.csv", data.rows, outcome.splits)
    if said.lines:
        made.write_jsonl(folder / "annotations.jsonl", said.lines)
        made.write_csv(folder / "annotations.csv", said.latest, CSV_COLUMNS, bom=False)
    if said.skips:
        made.write_jsonl(folder / "skips.jsonl", said.skips)
    draw_labels(data, folder / "figures" / "labels.png")
    facts = _facts(corpus, own, title, found, said, data, outcome)
    sizes = {name: outcome.splits.count(name) for name in data.splits}
    languages = sorted({row.language for row in data.rows if row.language})
    made_by = own.annotations_creators or (("found",) if set(facts.how) == {"imported"} else ())
    head = yaml_head(title, own, languages, data.labels, sizes, texts=own.texts, creators=made_by)
    _text(folder / "README.md", head + "\n" + body(facts))
    cite = bibtex(title, own, facts.day)
    _text(folder / "references.bib", cite)
    _text(folder / "CITATION.cff", citation_cff(title, describe(facts), own, facts.day))
    made.write_json(folder / "release.json", _summary(own, title, data, outcome, facts))
    made.write_json(
        folder / "croissant.json", croissant(folder, title, describe(facts), own, facts.day, flat, cite)
    )
    made.write_sums(folder)


def _facts(
    corpus: Corpus,
    own: ReleaseSettings,
    title: str,
    found: Material,
    said: Judgements,
    data: DataSet,
    outcome: Outcome,
) -> CardFacts:
    funnel = dict(status(corpus).rows) | {"released pairs": len(data)}
    counted = corpus.store.count_by(Dropped, "stage", "reason")
    dropped = {(str(key[0]), str(key[1])): number for key, number in counted.items() if key[0] != STAGE}
    for drop in found.dropped:
        dropped[STAGE, drop.reason] = dropped.get((STAGE, drop.reason), 0) + 1
    sites = sorted({one.claim.site for one in found.released})
    return CardFacts(
        title=title,
        settings=own,
        data=data,
        funnel=funnel,
        dropped=dropped,
        how=how_counts(one.gold.how for one in found.released),
        split=outcome.plain() | {"manifest": own.manifest and Path(own.manifest).name},
        agreement=said.agreement,
        by_annotator=said.by_annotator,
        soft_method=said.soft_method,
        site_terms={site: own.site_terms.get(site) for site in sites},
        day=own.released or said.last_day,
        texts=own.texts,
        scheme=scheme_at_hand(corpus, data.labels),
        figures=("figures/labels.png",),
        absent=[
            *(() if said.lines else ("annotations.jsonl", "annotations.csv")),
            *(() if said.skips else ("skips.jsonl",)),
        ],
    )


def _summary(
    own: ReleaseSettings, title: str, data: DataSet, outcome: Outcome, facts: CardFacts
) -> dict[str, Any]:
    import dalil

    return {
        "form": FORM,
        "dalil": dalil.__version__,
        "title": title,
        "version": own.version,
        "released": facts.day,
        "texts": own.texts,
        "pairs": len(data),
        "claims": len({row.claim_id for row in data.rows}),
        "labels": list(data.labels),
        "splits": {
            name: label_counts((row for row in data.rows if row.split == name), data.labels)
            for name in outcome.names
        },
        "split": dict(facts.split),
        "funnel": dict(facts.funnel),
        "dropped": [
            {"stage": key[0], "reason": key[1], "rows": number} for key, number in facts.dropped.items()
        ],
        "label_from": dict(facts.how),
        "agreement": _coefficients(facts.agreement),
    }


def _coefficients(report: Mapping[str, Any] | None) -> dict[str, Any]:
    """The coefficients alone: pairs of raters would name them."""
    from annotation.agreement.tables import plain

    if report is None:
        return {}
    found = {name: report[name]["coefficients"] for name in ("pilot", "first") if name in report}
    result: dict[str, Any] = plain(found)
    return result


def _keep_drops(corpus: Corpus, dropped: Sequence[Dropped]) -> None:
    """The last release's drops stand in the corpus, for `dalil status` (not where it is open for reading)."""
    if corpus.store.writable:
        with corpus.store.transaction() as writer:
            writer.clear(STAGE, "claims", (Dropped,))
            writer.put(dropped, stage=STAGE, key="claims")


def _text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", newline="\n")
