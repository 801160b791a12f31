"""A second try for failed tests whose outcome depends on other programs as well.

A test marked `judge` starts processes that are not ours, and both cores are taken by other tests
beside it. Where no more than a few of these fail, they run again, alone. Those that pass then count
as passed, and are named as unsteady in the last lines, so that they get mended. A failure of any
other test, or of more than a few, is final.
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
    """The same run with nothing beside it, of those that failed and are judged by others."""
    return (*arguments, "-n", "0", "-m", "judge", "-rp", "--last-failed", "--lfnf=none")


def unsteady_tests(first: Counter[str], second: Counter[str], output: str) -> list[str]:
    """The tests that failed, if every one of them has passed at its second try; else none."""
    names = sorted(set(PASSED.findall(output)))
    whole = second["failed"] == 0 and second["passed"] == first["failed"] == len(names)
    return names if whole else []
