"""What a comparison is made of: measures, goals, cases, and what one turn of a case is given.

A *case* is one question. Each *round* asks it of both sides, one after the other, in an order that
alternates; asking one side once is a *turn*, and its answer a *sample*: numbers by the name of
their measure. Ratios are always ours by Apache Kafka's, from the same round.

    def run(side: Side, turn: Turn) -> Sample:
        side.create_topic(turn.topic, partitions=6)
        with side.metered() as spent:
            printed = turn.java.run(TOOL, "--topic", turn.topic, ...)
        return {"cpu_s_per_gb": spent.cpu_s / gigabytes, "mb_per_s": ...}

    CASES = (Case("produce-64k", "what it asks", run, goals=(at_most("cpu_s_per_gb", 0.4),)),)

A module of `bench/versus/cases/` with a tuple `CASES` is found by itself. A case whose `fresh` is
set gets a node that was never started, on a formatted and otherwise blank directory of its own,
and starts it itself; all others get the two nodes that stay up for the whole run. Whatever a turn
leaves behind, its topic, its directory, its processes, is removed for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.versus.load import LoadMachine
    from bench.versus.sides import Side

LEAST_ROUNDS = 3
"""A median of fewer says little; neither a case's budget nor the whole run's goes below it."""
Sample = Mapping[str, float]
"""What one turn found, by the names of `MEASURES`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that can be compared."""

    title: str
    unit: str
    less_is_better: bool = True


MEASURES = {
    "cpu_s_per_gb": Measure("broker CPU per GB", "s"),
    "cpu_us_per_record": Measure("broker CPU per record", "µs"),
    "cpu_us_per_request": Measure("broker CPU per request", "µs"),
    "cpu_percent": Measure("broker CPU, idle", "%"),
    "gap_ms": Measure("longest silence", "ms"),
    "others_gap_ms": Measure("longest silence of the others", "ms"),
    "mb_per_s": Measure("throughput", "MB/s", less_is_better=False),
    "records_per_s": Measure("throughput", "records/s", less_is_better=False),
    "requests_per_s": Measure("requests", "1/s", less_is_better=False),
    "p50_ms": Measure("p50", "ms"),
    "p95_ms": Measure("p95", "ms"),
    "p99_ms": Measure("p99", "ms"),
    "p999_ms": Measure("p99.9", "ms"),
    "slowest_ms": Measure("slowest", "ms"),
    "memory_mb": Measure("memory", "MB"),
    "start_s": Measure("start to first answer", "s"),
    "restart_s": Measure("restart to first answer", "s"),
    "metadata_s": Measure("start to a broker in Metadata", "s"),
    "assigned_s": Measure("until all are stable", "s"),
    "reassigned_s": Measure("until the rest is stable", "s"),
    "cpu_s": Measure("broker CPU", "s"),
    "seconds": Measure("time", "s"),
}


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound for the ratio of one measure, ours by Apache Kafka's."""

    measure: str
    bound: float
    at_most: bool

    def is_met(self, ratio: float) -> bool:
        return ratio <= self.bound if self.at_most else ratio >= self.bound

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.bound:g}"


def at_most(measure: str, bound: float) -> Goal:
    return Goal(measure, bound, at_most=True)


def at_least(measure: str, bound: float) -> Goal:
    return Goal(measure, bound, at_most=False)


@dataclass(slots=True)
class Turn:
    """What a case is given beside the side that it asks."""

    number: int
    """0 while warming up, then 1, 2, 3 ..."""
    topic: str
    """A name that no other turn has; if it becomes a topic, it is deleted afterwards."""
    folder: Path
    """Blank, for this turn alone."""
    scale: float
    """How much of the full amount to do: 1, or a fraction of it in a quick run."""
    java: LoadMachine
    """A warm virtual machine that runs Kafka's own tools; it stays for the whole run."""
    kept_topic: str
    """A name for the topic that `Case.prepare` fills; it stays for all turns of the case."""

    def scaled(self, full: int, least: int = 1) -> int:
        return max(least, int(full * self.scale))


Run = Callable[["Side", Turn], Sample]
Prepare = Callable[["Side", Turn], None]


@dataclass(frozen=True, slots=True)
class Case:
    """One question to both sides; see the head of the file."""

    name: str
    says: str
    run: Run
    goals: tuple[Goal, ...] = ()
    fresh: bool = False
    """The case gets a node that has not been started, in place of the one that stays up."""
    nodes: int = 1
    """How many together are one side. Cases of several run where they are named."""
    prepare: Prepare | None = None
    """Called once for each side before everything else; never with `fresh`."""
    warm_turns: int = 1
    """Turns of each side that are not counted, before the first round."""
    budget_s: float = 40.0
    """After `least_rounds` no other is begun if it would probably end later than this."""
    least_rounds: int = LEAST_ROUNDS
    """Fewer only where a round is so long that the whole run could not have three."""
    is_secured: bool = False
    """It is asked of nodes with TLS, and runs where it is named."""
    floor: Run | None = None
    """The least that the same bytes can cost; asked after our turn, while the topic is there."""
