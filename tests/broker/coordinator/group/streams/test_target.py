"""Targets are written for those whose tasks are others."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.configured import Configured, Status
from moldau.broker.coordinator.group.streams.target import retarget, target_records
from moldau.broker.coordinator.group.streams.tasks import Tasks
from tests.broker.coordinator.group.streams.conversation import group_of, join, stage


def test_as_long_as_topics_are_missing_no_member_runs_anything():
    coordinator = stage()
    coordinator >> join()
    group = group_of(coordinator)
    assert group.topology is not None
    missing = Configured(status=(Status.MISSING_SOURCE_TOPICS, ""))
    assert retarget(group, group.members, group.topology, missing, 0) == {"m": Tasks()}


def test_what_is_the_same_is_not_written_again():
    coordinator = stage()
    coordinator >> join()
    group = group_of(coordinator)
    assert len(target_records(group, group.targets, 9, 0)) == 1
    assert len(target_records(group, {"m": Tasks()}, 9, 0)) == 2
