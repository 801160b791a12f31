"""Heartbeats that contradict themselves, or want too much."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.streams.validation import check_heartbeat
from moldau.errors import KafkaError
from moldau.protocol.messages.streams.streams_group_heartbeat import (
    StreamsGroupHeartbeatRequest as Request,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.streams.conversation import (
    beat,
    join,
    part,
    stage,
    topic,
    topology,
)

INVALID_REQUEST, INVALID_TOPOLOGY = 42, 130
FIXED_LOG = part("0", "t")
FIXED_LOG.state_changelog_topics = [topic("c", 3)]
PATTERN = part("0", "t")
PATTERN.source_topic_regex = ["t.*"]


@pytest.mark.parametrize(
    "asked",
    [
        join(" "),
        join(group=""),
        join(rebalance_ms=-1),
        join(active={"0": [0]}),
        beat("m", 0, rebalance_ms=1, active={}, standby={}),
        beat("m", -2),
        beat("m", -3),
        beat("m", 3, topology=topology()),
        beat("m", 3, active={}),
        beat("m", 3, instance_id="i"),
        beat("m", 3, task_offsets=[Request.TaskOffset(subtopology_id="0", partition=0, offset=1)]),
        join("m", topology(PATTERN)),
    ],
)
def test_what_lacks_or_contradicts_is_refused(asked):
    assert (stage() >> asked).code == INVALID_REQUEST


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (join(group=""), "GroupId can't be empty."),
        (join(active={"0": [0]}), "ActiveTasks must be empty when (re-)joining."),
        (beat("m", -3), "MemberEpoch is -3, but must be greater than or equal to -2."),
        (beat("m", 3, active={}), "If one task-type is non-null, all must be non-null."),
        (beat("m", 3, instance_id="i"), "Static members are not supported yet."),
    ],
)
def test_the_sentence_is_that_of_kafka(asked, message):
    with pytest.raises(KafkaError) as refused:
        check_heartbeat(asked.request)
    assert refused.value.message == message


def test_a_refused_heartbeat_has_a_status_without_entries():
    reply = stage() >> beat("m", 3)
    assert (reply.code, reply.answer.status) == (ErrorCode.GROUP_ID_NOT_FOUND, [])


def test_changelogs_cannot_choose_their_size():
    assert (stage() >> join("m", topology(FIXED_LOG))).code == INVALID_TOPOLOGY


@pytest.mark.parametrize("tasks", [{"9": [0]}, {"0": [4]}, {"0": [-1]}])
def test_tasks_have_to_be_of_the_topology(tasks):
    coordinator = stage(t=4)
    coordinator >> join()
    assert (coordinator >> beat("m", 2, active=tasks, standby={})).code == INVALID_REQUEST
