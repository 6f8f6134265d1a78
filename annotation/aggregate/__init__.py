"""Ratings to targets: a method a file, all with `fit(ratings)` and `predict(ratings)`.

`METHODS` names them as the command line does; `method(name, …)` makes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from dalil.errors import UsageError

if TYPE_CHECKING:
    from annotation.aggregate.base import Method, Settings

METHODS: Mapping[str, str] = {
    "mv": "annotation.aggregate.mv:MajorityVote",
    "mvc": "annotation.aggregate.mvc:ConfidenceMajorityVote",
    "mvc2": "annotation.aggregate.mvc2:SecondChoiceMajorityVote",
    "sv": "annotation.aggregate.sv:SoftVote",
    "svc": "annotation.aggregate.svc:ConfidenceSoftVote",
    "svc2": "annotation.aggregate.svc2:SecondChoiceSoftVote",
    "dawid-skene": "annotation.aggregate.dawid_skene:DawidSkene",
    "bsv": "annotation.aggregate.bsv:BayesianSoftVote",
}
NEED_CONFIDENCE = frozenset({"mvc", "mvc2", "svc", "svc2", "bsv"})


def method(name: str, settings: Settings | None = None) -> Method:
    """The aggregation method of a name, unfitted. Raises UsageError for an unknown one."""
    from annotation.aggregate.base import Settings

    if name not in METHODS:
        raise UsageError(f"no aggregation method {name!r}", todo=f"methods are: {', '.join(METHODS)}")
    module, _, attribute = METHODS[name].partition(":")
    made: Method = getattr(import_module(module), attribute)(settings or Settings())
    return made
