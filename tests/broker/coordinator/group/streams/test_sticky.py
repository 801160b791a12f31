"""`sticky`: a judge holds it against Kafka's; here is what it promises."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.sticky import Runner, Subtopology, assign_sticky
from moldau.broker.coordinator.group.streams.tasks import Tasks

STATEFUL = {"0": Subtopology(4, is_stateful=True)}


def test_tasks_are_shared_out_evenly():
    runners = {name: Runner(name, Tasks()) for name in ("a", "b")}
    assigned = assign_sticky(runners, STATEFUL, 0)
    assert sorted(len(tasks.active["0"]) for tasks in assigned.values()) == [2, 2]


def test_tasks_stay_where_they_are():
    mine = Tasks({"0": frozenset({1, 3})})
    runners = {"a": Runner("p", Tasks()), "b": Runner("q", mine)}
    assert assign_sticky(runners, STATEFUL, 0)["b"] == mine


def test_a_standby_takes_over():
    runners = {
        "a": Runner("p", Tasks(standby={"0": frozenset({0, 1})})),
        "b": Runner("q", Tasks(active={"0": frozenset({2, 3})})),
    }
    assert assign_sticky(runners, STATEFUL, 0)["a"].active == {"0": frozenset({0, 1})}


def test_copies_are_in_other_processes_as_far_as_there_are_any():
    runners = {"a": Runner("p", Tasks()), "b": Runner("p", Tasks()), "c": Runner("q", Tasks())}
    assigned = assign_sticky(runners, STATEFUL, 2)
    copies = [len(partitions) for one in assigned.values() for partitions in one.standby.values()]
    assert sum(copies) == 4
    there = assigned["a"], assigned["b"]
    active = frozenset().union(*(one.active.get("0", frozenset()) for one in there))
    standby = frozenset().union(*(one.standby.get("0", frozenset()) for one in there))
    assert not active & standby


def test_without_state_there_are_no_copies():
    runners = {name: Runner(name, Tasks()) for name in ("a", "b")}
    assigned = assign_sticky(runners, {"0": Subtopology(2, is_stateful=False)}, 1)
    assert [bool(assigned[name].standby) for name in ("a", "b")] == [False, False]
