"""The data card, in English and Arabic: where the rows came from, in numbers that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.dataset.rows import DataSet
from annotation.dataset.tables import Table, in_cell, in_line, tables_of
from annotation.release import ReleaseSettings
from annotation.release.label_names import called, meanings
from annotation.release.words import Words, words
from annotation.schemes import Scheme

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
    scheme: Scheme | None = None
    """what says how labels are called and what they mean, where it is at hand"""

    def words(self, language: str) -> Words:
        """The card's words of a language, with the scheme's names of labels, no two of them alike."""
        say = words(language).calling(called(self.scheme, language))
        names = {label: say.label(label) for label in self.data.labels}
        often = Counter(names.values())
        return say.calling(
            {label: name if often[name] == 1 else f"{name} ({label})" for label, name in names.items()}
        )


def body(facts: CardFacts) -> str:
    """The whole card below its YAML head."""
    parts = [f"# {in_line(facts.title)}", ""]
    if facts.settings.title_ar:
        parts += [f'<div dir="rtl">\n\n# {in_line(facts.settings.title_ar)}\n\n</div>', ""]
    parts += _half(facts, facts.words("en"))
    parts += ['<div dir="rtl" lang="ar">', "", *_half(facts, facts.words("ar")), "</div>", ""]
    return "\n".join(parts)


def describe(facts: CardFacts) -> str:
    """One sentence that says what the data set is, for metadata that asks for one."""
    return facts.settings.description or _summary(facts, facts.words("en"))


def _half(facts: CardFacts, say: Words) -> list[str]:
    settings = facts.settings
    english = say.language == "en"
    described = settings.description if english else settings.description_ar
    out = [f"## {say.what}", "", described or _summary(facts, say), ""]
    if not facts.texts:
        out += [say.no_texts, ""]
    out += [f"## {say.label_list}", "", _labels(facts, say), ""]
    out += [f"## {say.tables}", ""]
    for table in (_named(found, say) for found in tables_of(_called(facts.data, say))):
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
    dropped = [(f"{say.term(stage)}: {reason}", number) for (stage, reason), number in facts.dropped.items()]
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
        pairs=say.counted(len(rows), "pair"),
        claims=say.counted(len({row.claim_id for row in rows}), "claim"),
        articles=say.counted(len({row.article_hash for row in rows}), "different article"),
        labels=say.comma.join(in_line(say.label(name)) for name in facts.data.labels),
    )


def _labels(facts: CardFacts, say: Words) -> str:
    """The labels as files have them, their numbers, and what the scheme says of them."""
    names = any(say.label(name) != name for name in facts.data.labels)
    means = meanings(facts.scheme, say.language)
    head = [say.in_files, say.number, *([say.title] if names else []), *([say.meaning] if means else [])]
    lines = ["| " + " | ".join(head) + " |", "|---|---:|" + "---|" * (len(head) - 2)]
    for number, name in enumerate(facts.data.labels):
        cells = [in_cell(name), str(number)]
        cells += [in_cell(say.label(name))] if names else []
        cells += [in_cell(means.get(name, "–"))] if means else []
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _called(data: DataSet, say: Words) -> DataSet:
    """The data set with its labels called as the card calls them."""
    rows = tuple(replace(row, label=say.label(row.label)) for row in data.rows)
    return replace(data, rows=rows, labels=tuple(map(say.label, data.labels)))


def _named(table: Table, say: Words) -> Table:
    """A table by country or language with names in place of codes."""
    name = {"Country": say.country, "Lang": say.tongue}.get(table.columns[0])
    if name is None:
        return table
    return replace(table, rows=tuple((name(str(row[0])), *row[1:]) for row in table.rows))


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
            groups=say.counted(said["groups"], "group"),
            largest=say.counted(said["largest_group"], "pair"),
            objective=f"{said['objective']:.3f}",
            random="–" if said["objective_at_random"] is None else f"{said['objective_at_random']:,.1f}",
            worst=f"{_stratum(worst['stratum'], say)}{say.comma}{say.term(worst['split'])}: "
            + say.figure_of(f"{worst['points']:+.2f}"),
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
            (NAMES.get(f["name"], f["name"]), _value(f, say), _interval(f, say), f.get("items", 0))
            for f in section["coefficients"]
        ]
        out += [
            say.selection.format(
                selection=say.term(section["selection"]),
                raters=say.counted(section["raters"], "rater"),
                items=say.counted(section["items_with_two_raters"], "pair"),
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
                pairs=say.counted(found["pairs"], "pair"),
                third=f"{found['by_third']:,}",
                ruled=f"{found['by_ruling']:,}",
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


def _value(figure: Mapping[str, Any], say: Words) -> str:
    return "–" if figure["value"] is None else say.figure_of(f"{figure['value']:.3f}")


def _interval(figure: Mapping[str, Any], say: Words) -> str:
    found = figure.get("interval")
    return " – ".join(say.figure_of(f"{found[end]:.3f}") for end in ("low", "high")) if found else "–"


def _stratum(name: str, say: Words) -> str:
    kind, _, value = name.partition(" ")
    names = {"label": say.label, "country": say.country, "language": say.tongue}
    return f"{say.term(kind)} {names.get(kind, say.term)(value)}".strip()


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
