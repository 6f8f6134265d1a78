"""The data card, in English and Arabic: where the rows came from, in numbers that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.dataset.rows import DataSet
from annotation.dataset.tables import in_cell, in_line, tables_of
from annotation.release import ReleaseSettings
from annotation.release.words import Words, words

NAMES = {
    "raw_agreement": "raw agreement",
    "fleiss_kappa": "Fleiss κ",
    "krippendorff_alpha": "Krippendorff α",
    "gwet_ac1": "Gwet AC1",
}


@dataclass(frozen=True)
class CardFacts:
    """What the card is written from."""

    title: str
    settings: ReleaseSettings
    data: DataSet
    funnel: Mapping[str, int]
    dropped: Mapping[tuple[str, str], int]
    how: Mapping[str, int]
    """how labels came → pairs"""
    split: Mapping[str, Any]
    agreement: Mapping[str, Any] | None
    by_annotator: Mapping[str, int]
    soft_method: str | None
    site_terms: Mapping[str, str | None]
    day: str | None
    texts: bool
    figures: Sequence[str] = field(default=())
    absent: Collection[str] = field(default=())
    """files that this release has no rows for"""


def body(facts: CardFacts) -> str:
    """The whole card below its YAML head."""
    parts = [f"# {in_line(facts.title)}", ""]
    if facts.settings.title_ar:
        parts += [f'<div dir="rtl">\n\n# {in_line(facts.settings.title_ar)}\n\n</div>', ""]
    parts += _half(facts, words("en"))
    parts += ['<div dir="rtl" lang="ar">', "", *_half(facts, words("ar")), "</div>", ""]
    return "\n".join(parts)


def describe(facts: CardFacts) -> str:
    """One sentence that says what the data set is, for metadata that asks for one."""
    return facts.settings.description or _summary(facts, words("en"))


def _half(facts: CardFacts, say: Words) -> list[str]:
    settings = facts.settings
    english = say.language == "en"
    described = settings.description if english else settings.description_ar
    out = [f"## {say.what}", "", described or _summary(facts, say), ""]
    if not facts.texts:
        out += [say.no_texts, ""]
    out += [f"## {say.tables}", ""]
    for table in tables_of(facts.data):
        out += [f"**{say.table_titles.get(table.title, table.title)}**", "", table.markdown(say.term), ""]
    out += [f"![{say.figure}]({name})" for name in facts.figures] + ([""] if facts.figures else [])
    out += _split(facts, say)
    out += [
        f"## {say.funnel}",
        "",
        say.funnel_note,
        "",
        _table((say.step, say.rows), facts.funnel.items(), say),
        "",
    ]
    dropped = [(f"{stage}: {reason}", number) for (stage, reason), number in facts.dropped.items()]
    out += [
        f"**{say.dropped}**",
        "",
        _table((say.why, say.rows), dropped, say) if dropped else say.nothing,
        "",
    ]
    out += [f"## {say.labels}", "", _table((say.how, say.pairs), facts.how.items(), say), ""]
    if facts.soft_method:
        out += [say.soft.format(method=facts.soft_method), ""]
    out += [f"## {say.agreement}", "", *_agreement(facts, say), ""]
    out += [f"## {say.annotators}", "", *_annotators(facts, say), ""]
    out += [f"## {say.licence}", "", settings.licence or say.no_licence, "", say.texts_belong, ""]
    out += [f"## {say.terms}", "", *_terms(facts, say), ""]
    out += [
        f"## {say.ethics}",
        "",
        (settings.ethics if english else settings.ethics_ar) or say.no_ethics,
        "",
    ]
    listed = [f"- `{name}`: {what}" for name, what in say.file_list.items() if name not in facts.absent]
    out += [f"## {say.files}", "", *listed, ""]
    return out


def _summary(facts: CardFacts, say: Words) -> str:
    rows = facts.data.rows
    return say.summary.format(
        pairs=f"{len(rows):,}",
        claims=f"{len({row.claim_id for row in rows}):,}",
        articles=f"{len({row.article_hash for row in rows}):,}",
        labels=_list(facts.data.labels, say),
    )


def _split(facts: CardFacts, say: Words) -> list[str]:
    said = facts.split
    out = [f"## {say.splits}", ""]
    if said.get("manifest"):
        return [*out, say.by_manifest, ""]
    worst = said["largest_difference"]
    if worst is None:  # one part
        return [*out, say.whole + (" " + say.too_tied if said["notes"] else ""), ""]
    out.append(
        say.split_note.format(
            apart=_list(said["apart"], say),
            stratify=_list(said["stratify"], say),
            seed=said["seed"],
            groups=f"{said['groups']:,}",
            largest=f"{said['largest_group']:,}",
            objective=f"{said['objective']:.3f}",
            random="–" if said["objective_at_random"] is None else f"{said['objective_at_random']:,.1f}",
            worst=f"{_stratum(worst['stratum'], say)}, {say.term(worst['split'])}: {worst['points']:+.2f}",
        )
    )
    guard = [(g["kind"], g["rows_before"], g["rows_after"]) for g in said["guard"]]
    return [*out, "", _table((say.tie, say.without_guard, say.with_guard), guard, say), ""]


def _agreement(facts: CardFacts, say: Words) -> list[str]:
    if facts.agreement is None:
        return [say.no_agreement]
    out = []
    for name in ("pilot", "first"):
        section = facts.agreement.get(name)
        if section is None:
            continue
        rows = [
            (NAMES.get(f["name"], f["name"]), _value(f), _interval(f), f.get("items", 0))
            for f in section["coefficients"]
        ]
        out += [
            say.selection.format(
                selection=say.term(section["selection"]),
                raters=section["raters"],
                items=f"{section['items_with_two_raters']:,}",
            ),
            "",
            _table((say.coefficient, say.value, say.interval, say.items), rows, say),
            "",
        ]
    found = facts.agreement["adjudication"]
    if found["pairs"]:
        out.append(
            say.disagreed.format(
                disagreed=f"{found['disagreed']:,}",
                pairs=f"{found['pairs']:,}",
                third=found["by_third"],
                ruled=found["by_ruling"],
            )
        )
    return out


def _annotators(facts: CardFacts, say: Words) -> list[str]:
    settings = facts.settings
    said = settings.annotators if say.language == "en" else settings.annotators_ar
    out = [said or say.no_annotators]
    if facts.by_annotator:
        out += [
            "",
            say.pseudonyms,
            "",
            _table((say.annotator, say.judgements), facts.by_annotator.items(), say),
        ]
    return out


def _terms(facts: CardFacts, say: Words) -> list[str]:
    return [f"- {in_line(site)}: {terms or say.no_terms}" for site, terms in facts.site_terms.items()]


def _value(figure: Mapping[str, Any]) -> str:
    return "–" if figure["value"] is None else f"{figure['value']:.3f}"


def _interval(figure: Mapping[str, Any]) -> str:
    found = figure.get("interval")
    return f"{found['low']:.3f} – {found['high']:.3f}" if found else "–"


def _stratum(name: str, say: Words) -> str:
    return " ".join(map(say.term, name.split(" ")))


def _list(words_: Iterable[str], say: Words) -> str:
    return say.comma.join(map(say.term, words_))


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]], say: Words) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|---|" + "---:|" * (len(columns) - 1)]
    for row in rows:
        cells = [f"{cell:,}" if isinstance(cell, int) else in_cell(say.term(str(cell))) for cell in row]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def how_counts(labels: Iterable[str]) -> dict[str, int]:
    """How labels came, most frequent first."""
    return dict(sorted(Counter(labels).items(), key=lambda item: (-item[1], item[0])))
