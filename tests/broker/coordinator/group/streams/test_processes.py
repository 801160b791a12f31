"""Processes while tasks are given out."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.processes import Process
from moldau.broker.coordinator.group.streams.tasks import TaskId


def process(*members: str) -> Process:
    one = Process("p")
    for member in members:
        one.add_member(member)
    return one


def test_load_is_tasks_for_each_member():
    one = process("a", "b")
    one.add("a", TaskId("0", 0), is_active=True)
    assert (one.load, one.counts, TaskId("0", 0) in one.tasks) == (0.5, {"a": 1, "b": 0}, True)


def test_the_member_with_least_gets_the_next():
    one = process("a", "b")
    one.add("a", TaskId("0", 0), is_active=True)
    counts = [one.add_to_least_loaded(TaskId("0", index), is_active=False) for index in (1, 2, 3)]
    assert (counts, one.counts) == ([1, 2, 2], {"a": 2, "b": 2})
    assert sum(map(len, one.standby.values())) == 3
