"""Groups that come and go are lines of the log."""

import logging

import pytest

from moldau.broker.server.group.changes import LoggedGroupShard
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from tests.broker.coordinator.group.classic.conversation import join, leave, sync
from tests.broker.coordinator.group.consumer.conversation import beat, stage
from tests.broker.coordinator.group.coordinator import Asked


@pytest.fixture
def coordinator(caplog):
    caplog.set_level(logging.INFO, "moldau.broker.server.group.changes")
    made = stage(t=4)
    made.shard = LoggedGroupShard(made.shard.groups.context)
    made.carry_out(made.shard.loaded(made.now_ms))
    return made


def delete(group):
    return Asked(DeleteGroupsRequest(groups_names=[group]), 2)


def test_a_classic_group_is_shown_when_it_is_stable_empty_and_dead(coordinator, caplog):
    member_id = (coordinator >> join()).answer.member_id
    joined = coordinator >> join(member_id)
    coordinator.pass_ms(3_000)
    assert joined.answer.generation_id == 1
    coordinator >> sync(member_id, 1, {member_id: b"x"})
    coordinator >> leave(member_id)
    coordinator >> delete("g")
    assert caplog.messages == [
        "Group g (classic) is Stable: generation 1, members 1",
        "Group g (classic) is Empty: generation 2, members 0",
        "Group g (classic) is Dead",
    ]


def test_a_consumer_group_is_shown_with_its_epoch(coordinator, caplog):
    epoch = (
        coordinator >> beat("m", 0, topics=["t"], owned={}, rebalance_ms=60_000)
    ).answer.member_epoch
    coordinator >> beat("m", epoch, owned={"t": [0, 1, 2, 3]})
    coordinator >> beat("m", -1)
    assert caplog.messages[0] == f"Group g (consumer) is Stable: epoch {epoch}, members 1"
    assert caplog.messages[1] == f"Group g (consumer) is Empty: epoch {epoch + 1}, members 0"
    assert len(caplog.messages) == 2


def test_what_is_loaded_is_no_news(coordinator, caplog):
    coordinator >> beat("m", 0, topics=["t"], owned={}, rebalance_ms=60_000)
    caplog.clear()
    records = coordinator.records()
    shard = LoggedGroupShard(coordinator.shard.groups.context)
    for offset, record in enumerate(records):
        shard.apply(record, offset, coordinator.now_ms)
    assert caplog.messages == []
    assert shard.groups.by_id
