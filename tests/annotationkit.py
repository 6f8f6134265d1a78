"""A small corpus of claims, articles and pairs, written for tests of rounds and of the annotators' page."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from annotation.answers import Answer
from annotation.rounds.dealing import Dealer
from annotation.rounds.judging import Judging, Outcome, Shown
from annotation.rounds.people import invite
from annotation.rounds.queue import open_assignments
from annotation.rounds.settings import AnnotateSettings
from dalil.config import FILE
from dalil.corpus import Corpus
from dalil.records import Article, Assignment, Claim, CleanedClaim, Pair

TOML = '[corpus]\nname = "judged"\n'

CLAIMS = (
    (
        "الحكومة تسجل مكالمات ورسائل المقيمين",
        "سياسة",
        "لا صحة لما يتم تداوله حول تسجيل مكالمات ورسائل المقيمين",
    ),
    ("البنك المركزي يسحب ورقة العشرين من التداول", "اقتصاد", "حقيقة سحب ورقة العشرين من التداول"),
    ("علماء يعثرون على مدينة كاملة تحت بحيرة جافة", "علوم", "شائعة العثور على مدينة كاملة تحت بحيرة جافة"),
)
ARTICLES = (
    (
        "الوزارة: لا تسجيل لمكالمات المقيمين",
        "نفت وزارة الداخلية يوم الثلاثاء ما تداولته مواقع التواصل عن تسجيل مكالمات المقيمين ورسائلهم. "
        "وقال المتحدث باسمها إن الخبر «لا أساس له». وأضاف أن منصة WhatsApp تعمل كالمعتاد، "
        "وأن 3 بلاغات وصلت إلى الوزارة حتى الساعة 12:30.\n\n"
        "ودعا المتحدث الناس إلى متابعة الحسابات الرسمية وحدها. ولم تذكر الوزارة من أطلق الشائعة.",
    ),
    (
        "تسجيل مكالمات المقيمين يبدأ الشهر القادم",
        "ذكر موقع محلي أن الحكومة ستبدأ تسجيل مكالمات المقيمين ورسائلهم في الشهر القادم. "
        "ولم ينقل الموقع الخبر عن أي جهة رسمية. "
        "وقال سكان التقاهم الموقع إنهم قرأوا الخبر في مجموعات COVID-19 القديمة على الهاتف.",
    ),
    (
        "المركزي يوضح خطته للأوراق النقدية",
        "أعلن البنك المركزي أنه سيطبع كمية جديدة من ورقة العشرين بجودة أعلى. "
        "وأكد البنك أن الأوراق المتداولة تبقى صالحة. وتأتي الخطوة ضمن برنامج لتجديد النقد بدأ في عام 2018.",
    ),
    (
        "افتتاح خط الحافلات الجديد في العاصمة",
        "افتتحت بلدية العاصمة أمس خطًّا جديدًا للحافلات الكهربائية يربط المطار بوسط المدينة. "
        "وتستغرق الرحلة نحو أربعين دقيقة، وتُدفع الأجرة بالبطاقة وحدها.",
    ),
)


def make(folder: Path, pairs: int = 12, toml: str = TOML, language: str = "ar") -> Corpus:
    """A corpus with so many pairs, four a claim. Made once a size, then copied: migrating takes time."""
    shutil.copytree(_filled(pairs, language), folder)
    (folder / FILE).write_text(toml, "utf-8")
    return Corpus.open(folder)


@cache
def _filled(pairs: int, language: str) -> Path:
    root = Path(tempfile.mkdtemp(prefix="dalil-judged-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    with Corpus.create(root / "corpus", TOML) as corpus:
        fill(corpus, pairs, language=language)
    return root / "corpus"


def fill(corpus: Corpus, pairs: int, *, start: int = 0, language: str = "ar") -> None:
    """Add claims, articles and pairs with the numbers from `start` on."""
    with corpus.store.transaction() as writer:
        for number in range(start, start + pairs):
            claim = number // 4
            text, domain, raw = CLAIMS[claim % len(CLAIMS)]
            title, body = ARTICLES[number % len(ARTICLES)]
            claim_id, article_id = f"claim-{claim:04d}", f"article-{number:04d}"
            writer.put(
                [
                    Claim(
                        id=claim_id,
                        site=f"site{claim % 2}",
                        raw=raw,
                        title=raw,
                        body=f"{raw}. وقد تحقق الموقع من الأمر وسأل الجهة المعنية فنفته.",
                        veracity="false",
                        claim_date="2019-03-02",
                        domain=domain,
                        language=language,
                    ),
                    CleanedClaim(id=claim_id, raw=raw, text=text, rules=("debunk-phrase",)),
                    Article(
                        id=article_id,
                        document_id=f"document-{number:04d}",
                        url=f"https://outlet{number % 3}.example/{number}",
                        title=title,
                        text=body,
                        outlet=f"outlet{number % 3}.example",
                        published="2019-03-05",
                        published_from="meta",
                        language=language,
                        content_hash=f"{number:04d}",
                    ),
                    Pair(
                        id=f"pair-{number:04d}",
                        claim_id=claim_id,
                        article_id=article_id,
                        rank=number % 4,
                        score=0.5,
                    ),
                ]
            )


def people(corpus: Corpus, names: Iterable[str], role: str = "annotator") -> dict[str, str]:
    """Invite people. Name → secret of the link."""
    return {name: invite(corpus.store, name, role=role)[1] for name in names}


def settings(corpus: Corpus) -> AnnotateSettings:
    return corpus.section("annotate", AnnotateSettings)


def dealer(corpus: Corpus) -> Dealer:
    own = settings(corpus)
    return Dealer(corpus, own, own.read_scheme(corpus.path))


def deal_main(corpus: Corpus) -> None:
    """The main round over all that is left."""
    made = dealer(corpus)
    made.write(made.main(None))


def open_pairs(corpus: Corpus, name: str) -> set[str]:
    """Pairs that somebody has still to judge."""
    return {one.pair_id for one in open_assignments(corpus.store, name)}


def judging(corpus: Corpus) -> Judging:
    own = settings(corpus)
    return Judging(corpus.store, own, own.read_scheme(corpus.path))


def judge(
    corpus: Corpus,
    assignment: Assignment,
    label: str,
    based_on: int = 0,
    seconds: float = 10.0,
    **more: object,
) -> Outcome:
    answer = Answer(label=label, **more)  # type: ignore[arg-type]
    return judging(corpus).judge(assignment, answer, Shown(based_on, "hash", "1", seconds))


def judge_all(corpus: Corpus, name: str, labels: Sequence[str] | str) -> int:
    """Somebody judges all that is open, labels in turn. Returns how many."""
    given = [labels] if isinstance(labels, str) else list(labels)
    held = open_assignments(corpus.store, name)
    for place, assignment in enumerate(held):
        assert judge(corpus, assignment, given[place % len(given)]) == "stored"
    return len(held)
