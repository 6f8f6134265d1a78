"""First judgements as they stood while their raters could not know of each other.

Revisions are appended, so what somebody said first is never lost. A pair's blind time ends when all of its
first raters have judged it: then a third is asked where they differ, and a pilot's disagreements are open to
discussion. What is revised later may follow from talk, and two who have talked agree as an adjudication does,
not as raters do. Agreement therefore takes each judgement as it stood at that moment, whether the raters
agreed or not (a rule that looked at agreement would tilt it); gold takes the last revision.

Where somebody joined a pair late, or times are those of a file, a remark, a third rating or a ruling that is
earlier ends the blind time. A first judgement always counts, for nobody sees another's before it. Revisions
without a time, or in the very second in which the blind time ends, are taken as later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from annotation.ratings import ADJUDICATION, MAIN, PILOT, THIRD, Codes


def blind_places(
    item: Codes,
    worker: Codes,
    kind: Codes,
    number: Codes,
    times: Sequence[str | None],
    spoken: Mapping[int, str],
) -> dict[tuple[int, int, int], int]:
    """(item, worker, round) → place of the judgement that counts for agreement, where somebody revised.

    Arrays hold every revision (length m); `times` their ISO times; `spoken` an item's first remark.
    """
    first = (kind == PILOT) | (kind == MAIN)
    touched = np.zeros(int(item.max(initial=-1)) + 1, dtype=bool)
    touched[item[first & (number > 1)]] = True
    groups: dict[tuple[int, int], dict[int, list[int]]] = {}
    ends: dict[int, list[datetime]] = {}
    for code, text in spoken.items():
        if (at := _time(text)) is not None:
            ends.setdefault(code, []).append(at)
    for place in np.flatnonzero(touched[item]).tolist():
        code, round_code = int(item[place]), int(kind[place])
        if round_code in (THIRD, ADJUDICATION):
            if (at := _time(times[place])) is not None:
                ends.setdefault(code, []).append(at)
        else:
            groups.setdefault((code, round_code), {}).setdefault(int(worker[place]), []).append(place)
    return {
        (code, who, round_code): place
        for (code, round_code), people in groups.items()
        for who, place in _of_item(people, number, times, ends.get(code, ())).items()
    }


def _of_item(
    people: Mapping[int, list[int]], number: Codes, times: Sequence[str | None], ends: Sequence[datetime]
) -> dict[int, int]:
    """Worker → place, of those who revised their judgement of one item in one round."""
    held = {who: sorted(places, key=lambda place: int(number[place])) for who, places in people.items()}
    firsts = [_time(times[places[0]]) for places in held.values()]
    known = [at for at in firsts if at is not None]
    # with a single rater nothing was blind or not, and nothing is measured
    end = min([max(known), *ends]) if len(known) == len(firsts) else None
    out = {}
    for who, places in held.items():
        if len(places) > 1:
            early = [place for place in places[1:] if _before(times[place], end)]
            out[who] = early[-1] if early else places[0]
    return out


def _before(text: str | None, end: datetime | None) -> bool:
    at = _time(text)
    return at is not None and end is not None and at < end


def _time(text: str | None) -> datetime | None:
    """A stored time; None where there is none or a file brought in something else."""
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found
