"""Tasks in their roles."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.tasks import OwnedTasks, Tasks, sorted_tasks

OWNED = OwnedTasks({"0": {1: 5}}, {"1": frozenset({2})})


def test_tasks_count_in_their_role_only():
    assert OWNED.has_any_of(Tasks(active={"0": frozenset({1, 7})}))
    assert not OWNED.has_any_of(Tasks(standby={"0": frozenset({1})}))


def test_all_of_them_have_to_be_there():
    assert OWNED.has_all_of(Tasks(active={"0": frozenset({1})}))
    assert not OWNED.has_all_of(Tasks(active={"0": frozenset({1, 7})}))
    assert not OWNED.has_all_of(Tasks(active={"9": frozenset()}))


def test_they_are_reported_in_order():
    assert sorted_tasks({"b": {3, 1}, "a": {2}}) == [("a", [2]), ("b", [1, 3])]
    assert (OWNED.is_empty, OwnedTasks().is_empty) == (False, True)
