"""Readers of the two corpora that the embedded models learn from, and their train/test parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dalil.errors import InputError
from retrieval.analyzers.base import Analysis, Token
from retrieval.analyzers.words import Word, words

PUD = ("ud_arabic_pud", "ar_pud-ud-test.conllu")
PUD_TEST = ("ud_arabic_pud", "test_ids.txt")
ANERCORP = ("anercorp", "anercorp.txt")
NER_TAGS = frozenset({"O"} | {f"{side}-{kind}" for side in "BI" for kind in ("PERS", "LOC", "ORG", "MISC")})


@dataclass(frozen=True, slots=True)
class Tree:
    """A sentence of PUD: its gold analysis, and its written words with their joined tags."""

    id: str
    analysis: Analysis
    words: tuple[Word, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A sentence of ANERcorp: tokens and their tags (B-/I- of PERS, LOC, ORG, MISC; O)."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]


def read_pud(root: Path) -> tuple[list[Tree], list[Tree]]:
    """UD Arabic-PUD as (train, test): test is what test_ids.txt lists.

    Raises InputError for a file that is missing or no CoNLL-U.
    """
    path, ids = root.joinpath(*PUD), root.joinpath(*PUD_TEST)
    wanted = set(_lines(ids))
    train: list[Tree] = []
    test: list[Tree] = []
    for tree in _trees(path):
        (test if tree.id in wanted else train).append(tree)
    if len(test) != len(wanted - {""}):
        raise InputError("lists sentences that the treebank does not have", where=ids)
    return train, test


def read_anercorp(root: Path) -> tuple[list[Named], list[Named]]:
    """ANERcorp as (train, test): test is the last sixth of its tokens; sentences end at «.».

    The few lines that are no `token tag` pair count as O. Raises InputError when it is missing.
    """
    pairs: list[tuple[str, str]] = []
    for line in _lines(root.joinpath(*ANERCORP)):
        token, _, tag = line.rpartition(" ")
        if token and tag in NER_TAGS:
            pairs.append((token, tag))
        elif line:
            pairs.append((line, "O"))
    border = len(pairs) - len(pairs) // 6
    return _sentences(pairs[:border]), _sentences(pairs[border:])


def _sentences(pairs: Sequence[tuple[str, str]]) -> list[Named]:
    made: list[Named] = []
    tokens: list[str] = []
    tags: list[str] = []
    for token, tag in pairs:
        tokens.append(token)
        tags.append(tag)
        if tokens[-1] == ".":
            made.append(Named(tuple(tokens), tuple(tags)))
            tokens, tags = [], []
    if tokens:
        made.append(Named(tuple(tokens), tuple(tags)))
    return made


def _trees(path: Path) -> list[Tree]:
    made: list[Tree] = []
    name, text, rows = "", "", []
    for number, line in enumerate([*_lines(path), ""], 1):
        if line.startswith("# sent_id = "):
            name = line.removeprefix("# sent_id = ")
        elif line.startswith("# text = "):
            text = line.removeprefix("# text = ")
        elif line and not line.startswith("#"):
            fields = line.split("\t")
            if len(fields) != 10:
                raise InputError("is no line of CoNLL-U (10 fields)", where=f"{path}:{number}")
            if fields[0].isdigit():
                rows.append(fields)
        elif not line and rows:
            made.append(_tree(name, text, rows, f"{path}:{number}"))
            rows = []
    return made


def _tree(name: str, text: str, rows: list[list[str]], where: str) -> Tree:
    tokens, at = [], 0
    for row in rows:
        start = text.find(row[1], at)
        if start < 0:
            raise InputError(f"word {row[1]!r} is not in the sentence's text", where=where)
        at = start + len(row[1])
        tokens.append(Token(row[1], start, at, row[3], int(row[6]) - 1, row[7]))
    written = words(text)
    tags = []
    for word in written:
        inside = [token.upos for token in tokens if token.start < word.end and token.end > word.start]
        tags.append("+".join(inside) or "X")
    return Tree(name, Analysis(text, tuple(tokens), backend="gold"), tuple(written), tuple(tags))


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]
    except FileNotFoundError as error:
        raise InputError("is missing", where=path, todo="point --data at the folder that holds it") from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", where=path) from error
