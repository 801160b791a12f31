"""Whether ours has clearly fallen behind Apache Kafka: a few ratios in turns, in five minutes.

It fails, with exit code 1, on a clear regression alone: a ratio beyond its bound in most rounds.
No absolute time decides, so a slow or busy machine does not fail it. The bounds are not the goals:
each is half as much again as the worst ratio that was seen when it was set, or more, on a busy
machine and with nodes as little warm as here.
A case that cannot be measured at all fails the gate too, for it would go unnoticed.

    python -m bench.gate [--work DIR]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.versus import machine
from bench.versus.figures import CaseResult
from bench.versus.folder import temporary_folder
from bench.versus.model import MEASURES, Goal, at_most
from bench.versus.processes import SetupError, end_all, end_all_however_we_end
from bench.versus.progress import clock
from bench.versus.table import number
from bench.versus.whole_run import Extent, chosen, measure
from tests.judges.kafka_jars import MissingJudge, find_kafka_libs

ROUNDS = 5
SCALE = 0.25
MINUTES = 4.5
BUDGET_S = 45.0


@dataclass(frozen=True, slots=True)
class Limit:
    """What a case must not go beyond."""

    case: str
    bound: Goal


LIMITS = (
    Limit("produce-64k", at_most("cpu_s_per_gb", 0.6)),
    Limit("produce-unbatched", at_most("cpu_us_per_record", 0.7)),
    Limit("produce-idempotent", at_most("cpu_s_per_gb", 0.6)),
    Limit("consume-warm", at_most("cpu_s_per_gb", 0.8)),
    Limit("one-record", at_most("p50_ms", 1.25)),
)


def is_regression(ratios: Sequence[float], bound: Goal) -> bool:
    """Beyond its bound in most rounds: one that a neighbour has disturbed proves nothing."""
    beyond = sum(not bound.is_met(ratio) for ratio in ratios)
    return beyond * 2 > len(ratios)


def complaints(results: Sequence[CaseResult], limits: Sequence[Limit]) -> Iterator[str]:
    """A sentence for each limit that does not hold."""
    by_name = {result.name: result for result in results}
    for limit in limits:
        result = by_name.get(limit.case)
        found = None if result is None else result.measure(limit.bound.measure)
        failure = "it was not run." if result is None else result.failure
        if failure or found is None or not found.ratios:
            yield f"{limit.case} could not be measured: {failure or 'it has no ratios.'}"
        elif is_regression(found.ratios, limit.bound):
            rounds = ", ".join(map(number, found.ratios))
            what = MEASURES[limit.bound.measure].title
            yield f"{limit.case}: {what} should be {limit.bound} and is {rounds} in its rounds."


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench gate", description=__doc__)
    parser.add_argument("--work", type=Path, metavar="DIR", help="where nodes keep their data")
    options = parser.parse_args(words)
    end_all_however_we_end()
    try:
        return judge(options.work)
    except (SetupError, MissingJudge) as error:
        print(error, file=sys.stderr)
        return 1


def judge(parent: Path | None) -> int:
    began_s = time.monotonic()
    libs = find_kafka_libs()
    cases = [replace(case, budget_s=BUDGET_S) for case in chosen([one.case for one in LIMITS])]
    extent = Extent(rounds=ROUNDS, scale=SCALE, minutes=MINUTES, is_full=False, warms_up=False)
    with temporary_folder(parent) as folder:
        machine.check_requirements(Path(folder), SCALE)
        try:
            result = measure(cases, Path(folder), libs, extent, show)
        finally:
            end_all()
    found = list(complaints(result.cases, LIMITS))
    print(*found, sep="\n")
    outcome = f"{len(found)} of {len(LIMITS)} limits do not hold" if found else "no regression"
    print(f"gate: {outcome}, in {clock(time.monotonic() - began_s)} minutes")
    return 1 if found else 0


def show(result: CaseResult) -> None:
    limit = next(one.bound for one in LIMITS if one.case == result.name)
    found = result.measure(limit.measure)
    ratios = " ".join(map(number, found.ratios)) if found else result.failure
    title = MEASURES[limit.measure].title
    print(f"{result.name:<22} {title:<22} {limit!s:<7} {ratios}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
