"""A second try for the few failed tests that hang on what else runs on the machine.

Tests start nodes, clients and signals beside others that take both cores. Where no more than a few
fail, these run again, alone: a test that hangs on nothing else fails again, whatever it tests, and
that is final. Those that pass then count as passed, and are named as unsteady in the last lines, so
that they get mended.
"""

from __future__ import annotations

import re
from collections import Counter

MOST = 5
"""More failures than these are not chance."""
PASSED = re.compile(r"^PASSED (tests/.+)$", re.MULTILINE)


def is_worth_a_second_try(counts: Counter[str]) -> bool:
    return 0 < counts["failed"] <= MOST


def arguments_of_second_try(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """The same run with nothing beside it, of those that failed."""
    return (*arguments, "-n", "0", "-rp", "--last-failed", "--lfnf=none")


def unsteady_tests(first: Counter[str], second: Counter[str], output: str) -> list[str]:
    """The tests that failed, if every one of them has passed at its second try; else none."""
    names = sorted(set(PASSED.findall(output)))
    whole = second["failed"] == 0 and second["passed"] == first["failed"] == len(names)
    return names if whole else []
