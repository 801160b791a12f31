"""Tests that share something slow to begin run in the same process of a run, one after the other.

`--dist worksteal` gives each process a part of the list, from the front to the end, and the one
that is done takes from the end of another's part. So the tests that take Spark's session come first
in the first part, and those that take a running Apache Kafka come first in the second: with two
processes each of these is started once, and the slow tests do not come last. The order is otherwise
the one that was drawn.
"""

from __future__ import annotations

import pytest

__all__ = ["in_order", "pytest_collection_modifyitems"]

FIRST = frozenset({"spark"})
SECOND = frozenset({"kafka_node", "apache", "running_kafka", "tools"})
"""Names of fixtures."""
APACHE = "kafka"
"""Tests of clients take a `broker` of either kind."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After the order was drawn."""
    items[:] = in_order(items)


def in_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """The same tests, so that two halves begin with what they share."""
    groups: tuple[list[pytest.Item], ...] = ([], [], [])
    for item in items:
        groups[_place(item)].append(item)
    first, second, rest = groups
    middle = max(len(items) // 2 - len(first), 0)
    return [*first, *rest[:middle], *second, *rest[middle:]]


def _place(item: pytest.Item) -> int:
    names = frozenset(getattr(item, "fixturenames", ()))
    if names & FIRST:
        return 0
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return 1 if names & SECOND or parameters.get("broker") == APACHE else 2
