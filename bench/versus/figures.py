"""Medians, spreads and ratios; what a run found, in the form in which it is kept as JSON.

A ratio is ours by Apache Kafka's. The one that counts is that of the medians; beside it stand the
ratios of the single rounds, whose two samples were taken within seconds of each other. There is
none where theirs is zero: tools that count whole milliseconds say so of anything shorter.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.versus.model import MEASURES, Goal, Sample
from bench.versus.rounds import Found


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value that so great a part of them does not exceed."""
    assert ordered
    return ordered[max(0, math.ceil(round(len(ordered) * part, 6)) - 1)]


def ratio(ours: float, theirs: float) -> float | None:
    return ours / theirs if theirs else None


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure of one case; index n of both lists comes from the same round."""

    measure: str
    theirs: list[float]
    ours: list[float]
    floors: list[float] = field(default_factory=list)
    bound: float | None = None
    at_most: bool = True

    @property
    def their_median(self) -> float:
        return statistics.median(self.theirs)

    @property
    def our_median(self) -> float:
        return statistics.median(self.ours)

    @property
    def floor(self) -> float | None:
        return statistics.median(self.floors) if self.floors else None

    @property
    def ratio(self) -> float | None:
        return ratio(self.our_median, self.their_median)

    @property
    def ratios(self) -> list[float]:
        """Of the single rounds."""
        pairs = zip(self.ours, self.theirs, strict=True)
        return [found for pair in pairs if (found := ratio(*pair)) is not None]

    @property
    def goal(self) -> Goal | None:
        return None if self.bound is None else Goal(self.measure, self.bound, self.at_most)

    @property
    def is_met(self) -> bool | None:
        """Whether the ratio of the medians is within its goal; None where there is no such."""
        if self.goal is None or self.ratio is None:
            return None
        return self.goal.is_met(self.ratio)

    @property
    def advantage(self) -> float | None:
        """How many times better ours is: below 1 it is worse."""
        if not self.ratio:
            return None
        return 1 / self.ratio if MEASURES[self.measure].less_is_better else self.ratio


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of a case."""

    name: str
    says: str
    compared: list[Compared]
    failure: str = ""

    def measure(self, name: str) -> Compared | None:
        return next((one for one in self.compared if one.measure == name), None)


@dataclass(frozen=True, slots=True)
class RunResult:
    """A whole run, as it is kept."""

    date: str
    commit: str
    machine: dict[str, str]
    settings: list[str]
    cases: list[CaseResult]
    seconds: float
    is_full: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> RunResult:
        cases = [
            CaseResult(**{**case, "compared": [Compared(**one) for one in case["compared"]]})
            for case in kept["cases"]
        ]
        return cls(**{**kept, "cases": cases})


def result_of(found: Found) -> CaseResult:
    """Every measure that both sides have in every round, in the order of the samples."""
    goals = {goal.measure: goal for goal in found.case.goals}
    rounds = min(len(found.ours), len(found.theirs))
    theirs, ours = found.theirs[:rounds], found.ours[:rounds]
    names = [
        name for name in (ours[0] if ours else {}) if all(name in one for one in theirs + ours)
    ]
    compared = [
        Compared(
            name,
            column(theirs, name),
            column(ours, name),
            column((one for one in found.floors if name in one), name),
            goals[name].bound if name in goals else None,
            goals[name].at_most if name in goals else True,
        )
        for name in names
    ]
    return CaseResult(found.case.name, found.case.says, compared, found.failure)


def column(samples: Iterable[Sample], name: str) -> list[float]:
    return [float(sample[name]) for sample in samples]
