"""Scenarios of many seeds, one by one: python -m tests.simulation.many_seeds KIND COUNT SEED

    ./dev sim quorum 10000 --seed 7

It prints how far it is and how fast, and each seed whose scenario ends badly, with the call that
repeats it. The last line has a hash of all marks: two runs of the same seeds print the same.
"""

from __future__ import annotations

import hashlib
import logging
import sys
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple

from tests.simulation.scenarios import SCENARIOS, Scenario

LINES = 20
"""How often a run says how far it has got."""
FAILED, WRONG_USAGE = 1, 2
HASH_LENGTH = 16


class Outcome(NamedTuple):
    """What came of all seeds."""

    bad: list[int]
    """Seeds whose scenarios ended badly."""
    hash: str
    """Of the marks of all that ended well."""


def run(
    kind: str,
    scenario: Scenario,
    seeds: range,
    report: Callable[[str], None],
    now: Callable[[], float],
) -> Outcome:
    """Run them in their order; one that ends badly does not end the run."""
    bad = list[int]()
    marks = hashlib.sha256()
    began = now()
    for done, seed in enumerate(seeds, 1):
        try:
            marks.update(f"{seed} {scenario(seed)}\n".encode())
        except Exception as error:  # noqa: BLE001  # a node or a client cannot go on, too
            bad.append(seed)
            report("".join(traceback.format_exception(error)))
            report(f"seed {seed} ends badly; repeat it: ./dev sim {kind} 1 --seed {seed}")
        if done * LINES // len(seeds) > (done - 1) * LINES // len(seeds):
            report(_progress(kind, done, len(seeds), bad, now() - began))
    return Outcome(bad, marks.hexdigest()[:HASH_LENGTH])


def _progress(kind: str, done: int, count: int, bad: list[int], took_s: float) -> str:
    pace = done / took_s if took_s else 0.0
    fault = f"{len(bad)} ended badly, the first was seed {bad[0]}" if bad else "none ended badly"
    return f"{kind}: {done:,} of {count:,} seeds in {took_s:,.0f} s, {pace:.2f}/s; {fault}"


def main(words: list[str]) -> int:
    """The exit code."""
    kind, count, first = words[0], int(words[1]), int(words[2])
    if kind not in SCENARIOS:
        known = ", ".join(SCENARIOS)
        print(f"dev sim: there are no scenarios of the kind '{kind}'; there are {known}.")
        return WRONG_USAGE
    if not count:
        print("dev sim: 0 seeds show nothing; give how many.")
        return WRONG_USAGE
    print(f"{kind}: {count:,} seeds from {first} (repeat: ./dev sim {kind} {count} --seed {first})")
    seeds = range(first, first + count)
    outcome = run(
        kind, SCENARIOS[kind], seeds, lambda line: print(line, flush=True), time.monotonic
    )
    print(f"{kind}: hash {outcome.hash}")
    return FAILED if outcome.bad else 0


if __name__ == "__main__":
    logging.disable()
    sys.exit(main(sys.argv[1:]))
