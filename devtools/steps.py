"""Runs steps by turns and prints a line on each: how it went."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from devtools.environment import PYTHON, ROOT
from devtools.second_try import arguments_of_second_try, is_worth_a_second_try, unsteady_tests

COUNTED = re.compile(r"(\d+) (passed|failed|skipped|error)")
CLOSING = re.compile(r"^(=+ )?(\d+ (passed|failed|skipped|errors?|deselected)|no tests ran).* in ")
PIPE_BYTES = 65536
"""What a pipe holds at most."""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Step:
    """A command of the environment's Python, and what to call it."""

    name: str
    arguments: tuple[str, ...]
    streams: bool = False
    """Show its output while it runs, and not only if it fails."""
    has_second_try: bool = False
    """A few failures of tests that ask others are tried again, alone."""
    joins_next: bool = False
    """It runs beside the step that comes next; neither may need what the other makes."""


class Outcome(NamedTuple):
    """How one step went."""

    code: int
    output: str
    seconds: float


@dataclass(slots=True)
class Report:
    """How the steps went."""

    failed: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    tests: Counter[str] = field(default_factory=Counter)
    unsteady: list[str] = field(default_factory=list)
    """Tests that passed only at their second try."""


def run_steps(steps: Sequence[Step], extra_environment: dict[str, str]) -> Report:
    """Run them all, whatever fails on the way: one call shows everything that is wrong."""
    report = Report()
    for turn in _turns(steps):
        with ThreadPoolExecutor(len(turn)) as pool:
            outcomes = pool.map(partial(_run, extra_environment=extra_environment), turn)
            for step, outcome in zip(turn, outcomes, strict=True):
                _note(step, outcome, extra_environment, report)
    return report


def _turns(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Steps that run at the same time, one such list after the other."""
    turn: list[Step] = []
    for step in steps:
        turn.append(step)
        if not step.joins_next:
            yield turn
            turn = []


def _note(step: Step, outcome: Outcome, extra_environment: dict[str, str], report: Report) -> None:
    """Put the outcome into the report, after a second try where it has one, and print it."""
    code, output, seconds = outcome
    counts = count_tests(output)
    if code and step.has_second_try and is_worth_a_second_try(counts):
        tried = time.monotonic()
        code = _try_again(step, extra_environment, counts, report)
        seconds += time.monotonic() - tried
    report.tests += counts
    (report.failed if code else report.passed).append(step.name)
    if code and not step.streams:
        print(output, flush=True)
    print(f"  {step.name:<10} {'FAILED' if code else 'ok':<7} {seconds:6.1f} s", flush=True)


def _try_again(
    step: Step, extra_environment: dict[str, str], counts: Counter[str], report: Report
) -> int:
    """Zero, and counts that show it, if all that failed pass when nothing else runs beside them."""
    print(f"  {step.name}: {counts['failed']} once more, alone", flush=True)
    again = replace(step, arguments=arguments_of_second_try(step.arguments))
    output = _run(again, extra_environment).output
    unsteady = unsteady_tests(counts, count_tests(output), output)
    report.unsteady += unsteady
    counts.update(passed=len(unsteady), failed=-len(unsteady))
    return 0 if unsteady else 1


def _run(step: Step, extra_environment: dict[str, str]) -> Outcome:
    started = time.monotonic()
    if step.streams:
        print(f"  {step.name}: {' '.join(step.arguments[1:])}", flush=True)
    chunks = []
    with subprocess.Popen(
        [str(PYTHON), *step.arguments],
        cwd=ROOT,
        env=os.environ | extra_environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdout is not None
        while chunk := os.read(process.stdout.fileno(), PIPE_BYTES):
            chunks.append(chunk)
            if step.streams:
                os.write(1, chunk)
    output = b"".join(chunks).decode(errors="replace")
    return Outcome(process.returncode, output, time.monotonic() - started)


def count_tests(output: str) -> Counter[str]:
    """The counts of pytest's closing line, summed by outcome; errors count as failures."""
    counts: Counter[str] = Counter()
    for line in COLOUR.sub("", output).splitlines():
        if CLOSING.match(line):
            for number, outcome in COUNTED.findall(line):
                counts["failed" if outcome == "error" else outcome] += int(number)
    return counts


def closing_line(tests: Counter[str], seconds: float) -> str:
    """One line in pytest's words."""
    counts = ", ".join(f"{tests[outcome]} {outcome}" for outcome in ("passed", "failed", "skipped"))
    return f"{counts} in {seconds:.0f}s"
