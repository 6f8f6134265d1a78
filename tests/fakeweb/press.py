"""Twenty-four dated articles that search services find, and the words they are found by."""

from __future__ import annotations

from dataclasses import dataclass

HOST = "press.example"
SUBJECTS = (
    ("الجسر", "المهندسون", "الأعمدة", "النهر"), ("السوق", "التجار", "الأسعار", "الميناء"),
    ("المستشفى", "الأطباء", "اللقاحات", "العاصمة"), ("المدرسة", "المعلمون", "الكتب", "القرية"),
    ("المصنع", "العمال", "الأجور", "المنطقة الصناعية"), ("الحديقة", "الزوار", "الأشجار", "الحي القديم"),
    ("المطار", "المسافرون", "الرحلات", "الضواحي"), ("الملعب", "اللاعبون", "التذاكر", "الساحل"),
    ("المتحف", "الباحثون", "المخطوطات", "الجبل"), ("السد", "المزارعون", "المياه", "الوادي"),
    ("القطار", "الركاب", "المحطات", "الشمال"), ("المكتبة", "القراء", "الروايات", "الجنوب"),
)  # fmt: skip
ACTS = ("افتتحت الحكومة", "أغلقت البلدية")


@dataclass(frozen=True)
class Piece:
    """One article: number, title, words, the day it was published."""

    number: int
    title: str
    body: str
    day: str

    @property
    def url(self) -> str:
        return f"https://{HOST}/news/{self.number}"


def _piece(number: int) -> Piece:
    place, people, things, where = SUBJECTS[number % len(SUBJECTS)]
    act = ACTS[number // len(SUBJECTS)]
    year = 2016 + number
    body = (
        f"{act} {place} في {where} صباح اليوم بعد نقاش استمر منذ {year}. "
        f"وقال {people} إن {things} تكفي {where}. {people} طلبوا من {act.split()[1]} أن تعلن خطة {place} "
        f"كاملة قبل نهاية الشهر، لأن {things} قليلة في {where}. "
        f"وأضاف متحدث باسم {people} أن {place} يخدم {where} كلها، وأن {things} ستزيد {year} مرة في {place}. "
        f"ويرى سكان {where} أن {place} يحتاج إلى {things} جديدة، بينما يشكو {people} من {place} ومن {things}."
    )
    month, day = divmod(number, 12)
    return Piece(number, f"{act} {place} في {where}", body, f"2019-{month + 3:02d}-{day + 1:02d}")


PIECES = tuple(_piece(number) for number in range(24))
