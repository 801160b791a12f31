"""Runs one step after the other and prints a line on each: how it went."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field, replace

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


@dataclass(slots=True)
class Report:
    """How the steps went."""

    failed: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    tests: Counter[str] = field(default_factory=Counter)
    unsteady: list[str] = field(default_factory=list)
    """Tests that passed only at their second try."""


def run_steps(steps: list[Step], extra_environment: dict[str, str]) -> Report:
    """Run them all, whatever fails on the way: one call shows everything that is wrong."""
    report = Report()
    for step in steps:
        started = time.monotonic()
        if step.streams:
            print(f"  {step.name}: {' '.join(step.arguments[1:])}", flush=True)
        code, output = _run(step, extra_environment)
        counts = count_tests(output)
        if code and step.has_second_try and is_worth_a_second_try(counts):
            code = _try_again(step, extra_environment, counts, report)
        report.tests += counts
        (report.failed if code else report.passed).append(step.name)
        if code and not step.streams:
            print(output, flush=True)
        word = "FAILED" if code else "ok"
        print(f"  {step.name:<10} {word:<7} {time.monotonic() - started:6.1f} s", flush=True)
    return report


def _try_again(
    step: Step, extra_environment: dict[str, str], counts: Counter[str], report: Report
) -> int:
    """Zero, and counts that show it, if all that failed pass when nothing else runs beside them."""
    print(f"  {step.name}: {counts['failed']} once more, alone", flush=True)
    again = replace(step, arguments=arguments_of_second_try(step.arguments))
    _, output = _run(again, extra_environment)
    unsteady = unsteady_tests(counts, count_tests(output), output)
    report.unsteady += unsteady
    counts.update(passed=len(unsteady), failed=-len(unsteady))
    return 0 if unsteady else 1


def _run(step: Step, extra_environment: dict[str, str]) -> tuple[int, str]:
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
    return process.returncode, b"".join(chunks).decode(errors="replace")


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
