"""What a streams group says of itself, and whose commits it takes."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.group import Committed
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.errors import KafkaError
from tests.broker.coordinator.group.streams.conversation import beat, group_of, join, stage


def joined():
    coordinator = stage()
    coordinator >> join()
    return coordinator


def code_of(check) -> int:
    with pytest.raises(KafkaError) as refused:
        check()
    return refused.value.code


def commit(group: StreamsGroup, epoch: int, version: int = 9) -> None:
    group.check_commit("m", None, epoch, is_transactional=False, version=version)


def test_members_commit_in_their_epoch():
    group = group_of(joined())
    commit(group, 2)
    assert code_of(lambda: commit(group, 3)) == 113
    assert code_of(lambda: commit(group, 2, version=8)) == 35


def test_an_older_epoch_will_do_for_a_task_the_member_has_had_since():
    group = group_of(joined())
    assert group.check_commit("m", None, 1, is_transactional=False, version=9)
    group.check_commit_of("m", 2, Committed("t", b"t" * 16, 0))
    for epoch, topic, partition in ((1, "t", 0), (2, "other", 0), (2, "t", 99)):
        asked = Committed(topic, b"t" * 16, partition)
        assert code_of(lambda e=epoch, a=asked: group.check_commit_of("m", e, a)) == 113


def test_readers_say_who_they_are():
    group = group_of(joined())
    group.check_fetch("m", 2)
    group.check_fetch(None, -1)
    assert code_of(lambda: group.check_fetch("m", 1)) == 113
    assert code_of(lambda: group.check_fetch("x", 1)) == 25


def test_only_an_empty_group_may_be_deleted_and_nothing_is_left_of_it():
    coordinator = joined()
    assert code_of(group_of(coordinator).check_delete) == 68
    assert group_of(coordinator).is_subscribed_to("t")
    coordinator >> beat("m", -1)
    assert not group_of(coordinator).is_subscribed_to("t")
    for record in group_of(coordinator).tombstones():
        coordinator.shard.apply(record, 0, 0)
    assert coordinator.state() == "Dead"


def test_a_new_group_is_empty():
    group = StreamsGroup("g")
    assert (group.state_name, group.protocol_type, group.is_empty) == ("Empty", "streams", True)
