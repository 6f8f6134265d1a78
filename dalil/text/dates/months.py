"""Names of months: four Arabic families, the Hijri year, and European languages.

Each row has the twelve months in order, spellings of one month parted by `|`. They are matched in
their search form, so hamza, taa marbuta, accents and capitals need no spellings of their own.
"""

from __future__ import annotations

import re

from dalil.text.normal import search_form

GREGORIAN = {
    "egypt_gulf": ("يناير فبراير مارس أبريل مايو يونيو|يونيه يوليو|يوليه أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
    "levant": (
        "كانون_الثاني|كانون_ثاني شباط آذار نيسان أيار حزيران تموز آب أيلول "
        "تشرين_الأول|تشرين_أول تشرين_الثاني|تشرين_ثاني|تشرين_ثان كانون_الأول|كانون_أول"
    ),
    "algeria_tunisia": ("جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر"),
    "morocco": ("يناير فبراير مارس أبريل ماي يونيو يوليوز غشت شتنبر أكتوبر نونبر دجنبر"),
    "english": (
        "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "
        "september|sept|sep october|oct november|nov december|dec"
    ),
    "french": (
        "janvier|janv fevrier|fevr mars avril|avr mai juin juillet|juil aout septembre octobre "
        "novembre decembre"
    ),
    "spanish": (
        "enero|ene febrero marzo abril|abr mayo junio julio agosto|ago septiembre|setiembre "
        "octubre noviembre diciembre|dic"
    ),
    "portuguese": (
        "janeiro fevereiro|fev marco abril maio junho julho agosto setembro outubro novembro dezembro|dez"
    ),
    "german": (
        "januar|janner februar marz april mai juni juli august september oktober|okt november dezember"
    ),
    "italian": (
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
    ),
    "polish": (
        "stycznia|styczen lutego|luty marca|marzec kwietnia|kwiecien maja|maj czerwca|czerwiec "
        "lipca|lipiec sierpnia|sierpien wrzesnia|wrzesien pazdziernika|pazdziernik "
        "listopada|listopad grudnia|grudzien"
    ),
    "czech": (
        "ledna|leden unora|unor brezna|brezen dubna|duben kvetna|kveten cervna|cerven "
        "cervence|cervenec srpna|srpen zari rijna|rijen listopadu|listopad prosince|prosinec"
    ),
}
HIJRI = (
    "محرم|المحرم|محرم_الحرام صفر|صفر_الخير ربيع_الأول|ربيع_أول ربيع_الآخر|ربيع_الثاني|ربيع_ثاني"
    " جمادى_الأولى|جمادى_الأول|جمادى_أول جمادى_الآخرة|جمادى_الثانية|جمادى_الثاني|جمادى_الآخر"
    " رجب شعبان رمضان شوال ذو_القعدة|ذي_القعدة|ذوالقعدة ذو_الحجة|ذي_الحجة|ذوالحجة"
)


def _numbers(row: str) -> dict[str, int]:
    months = row.split()
    assert len(months) == 12, row
    return {
        re.sub(r"_+", " ", search_form(name)): number
        for number, names in enumerate(months, 1)
        for name in names.split("|")
    }


def _pattern(numbers: dict[str, int]) -> str:
    longest_first = sorted(numbers, key=lambda name: (-len(name), name))
    return "(?:" + "|".join(re.escape(name).replace(r"\ ", r"\s{0,2}") for name in longest_first) + ")"


GREGORIAN_NUMBERS = {name: number for row in GREGORIAN.values() for name, number in _numbers(row).items()}
"""Search form of a name → month, 1 to 12. No name means two months in two families (tested)."""
HIJRI_NUMBERS = _numbers(HIJRI)
GREGORIAN_NAME = _pattern(GREGORIAN_NUMBERS)
HIJRI_NAME = _pattern(HIJRI_NUMBERS)


def month_number(name: str, numbers: dict[str, int]) -> int:
    """The month that a matched name stands for (its spaces may be missing)."""
    plain = " ".join(name.split())
    if plain in numbers:
        return numbers[plain]
    return next(
        number for known, number in numbers.items() if known.replace(" ", "") == plain.replace(" ", "")
    )
