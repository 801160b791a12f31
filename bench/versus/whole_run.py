"""From the chosen cases to a result: warms up, keeps to the time there is, lets no case end it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.versus import machine
from bench.versus.cases import all_cases
from bench.versus.figures import CaseResult, RunResult, result_of
from bench.versus.model import Case
from bench.versus.page_cache import fill
from bench.versus.processes import SetupError
from bench.versus.progress import Progress
from bench.versus.rounds import Rounds

WARM_UP_CASES = ("produce-64k", "produce-unbatched")
"""What the virtual machine is warmed up with before the first case, in turns."""
WARM_UPS = 3
ALONE, THREE_NODES, SECURED = "one-node", "three-nodes", "secured"
"""Names for all cases of one node a side, as runs without a name, of three, and with TLS."""
Done = Callable[[CaseResult], None]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of everything is run."""

    rounds: int
    scale: float
    minutes: float
    is_full: bool
    warms_up: bool


def chosen(names: Sequence[str]) -> list[Case]:
    """Those of these names, of these groups; or all of one plain node a side."""
    cases = {case.name: case for case in all_cases()}
    groups: dict[str, list[Case]] = {ALONE: [], THREE_NODES: [], SECURED: []}
    for case in cases.values():
        groups[group_of(case)].append(case)
    unknown = [name for name in names if name not in cases.keys() | groups]
    if unknown:
        raise SetupError(f"There is no case {unknown[0]}: --list shows them.")
    return [
        case
        for name in names or (ALONE,)
        for case in (groups[name] if name in groups else [cases[name]])
    ]


def group_of(case: Case) -> str:
    if case.is_secured:
        return SECURED
    return ALONE if case.nodes == 1 else THREE_NODES


def measure(cases: list[Case], work: Path, libs: Path, extent: Extent, done: Done) -> RunResult:
    """`done` is called with each case as soon as it is over."""
    began_s = time.monotonic()
    description = machine.machine()
    rounds = Rounds(work, libs, rounds=extent.rounds, scale=extent.scale)
    progress = Progress(sys.stderr, [case.budget_s for case in cases])
    results = []
    try:
        if extent.warms_up:
            progress("the page cache is filled")
            fill(work / "page-cache")
        progress("both sides start")
        rounds.start(cases)
        if extent.warms_up:
            rounds.warm_up(chosen(WARM_UP_CASES) * WARM_UPS, progress)
        for result in run_all(cases, rounds, progress, began_s + extent.minutes * 60):
            progress.over()
            done(result)
            results.append(result)
    finally:
        rounds.end()
    return RunResult(
        date=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        commit=machine.commit(),
        machine=description,
        settings=machine.settings_given(),
        cases=results,
        seconds=time.monotonic() - began_s,
        is_full=extent.is_full,
    )


def run_all(
    cases: list[Case], rounds: Rounds, progress: Progress, until_s: float
) -> Iterator[CaseResult]:
    """A run that is late gives each case left the same part of its budget."""
    for index, case in enumerate(cases):
        progress.case(index, case.name)
        budget_s = sum(one.budget_s for one in cases[index:])
        rounds.pace = min(1.0, max(0.0, until_s - time.monotonic()) / budget_s)
        yield result_of(rounds.run(case, progress))
