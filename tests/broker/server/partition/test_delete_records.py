"""DeleteRecords: a partition begins later, if it may, once all its replicas do."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import NOT_YET, DataBroker, result_of

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}


def deletion(offset: int, topic: str = "topic", index: int = 0) -> DeleteRecordsRequest:
    cls = DeleteRecordsRequest.DeleteRecordsTopic
    one = cls.DeleteRecordsPartition(partition_index=index, offset=offset)
    return DeleteRecordsRequest(topics=[cls(name=topic, partitions=[one])], timeout_ms=1000)


def answer_to(request: DeleteRecordsRequest, policy: str = "delete", **topic: Any) -> Any:
    """Of a partition with five records."""

    async def scenario(broker: DataBroker):
        broker.disk.settings.cleanup_policy = (policy,)
        await broker.topic("topic", **topic)
        await broker.topic("__consumer_offsets")
        partition = broker.partition("topic")
        partition.append(batch(0, (b"a",) * 5))
        if topic:
            partition.followers[2].log_end_offset = 5
            partition.advance_high_watermark()
        answer = (await broker.ask(request, 2)).topics[0].partitions[0]
        return answer.error_code, answer.low_watermark, partition.log_start_offset

    return result_of(scenario)


@pytest.mark.parametrize(("offset", "start"), [(3, 3), (-1, 5), (0, 0)])
def test_the_partition_begins_where_it_is_asked_to(offset, start):
    assert answer_to(deletion(offset)) == (0, start, start)


@pytest.mark.parametrize(
    ("request_", "policy", "code"),
    [
        (deletion(6), "delete", ErrorCode.OFFSET_OUT_OF_RANGE),
        (deletion(-5), "delete", ErrorCode.OFFSET_OUT_OF_RANGE),
        (deletion(1), "compact", ErrorCode.POLICY_VIOLATION),
        (deletion(1, "__consumer_offsets"), "delete", ErrorCode.INVALID_TOPIC_EXCEPTION),
        (deletion(1, "other"), "delete", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (deletion(1, index=3), "delete", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_what_may_not_be_deleted_stays(request_, policy, code):
    assert answer_to(request_, policy) == (code, -1, 0)


def test_a_topic_without_partitions_is_left_out():
    request = deletion(1)
    request.topics[0].partitions = []

    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        return (await broker.ask(request, 2)).topics

    assert result_of(scenario) == []


async def ask_with_a_follower_behind(broker: DataBroker):
    """Five records that both replicas have; the follower's log still begins at 0."""
    broker.add_broker(2)
    await broker.topic("topic", **TWO)
    partition = broker.partition("topic")
    partition.append(batch(0, (b"a",) * 5))
    partition.followers[2].log_end_offset = 5
    partition.advance_high_watermark()
    return broker.begin(deletion(3), 2)


def test_a_follower_that_stays_behind_makes_it_time_out():
    async def scenario(broker: DataBroker):
        asked = await ask_with_a_follower_behind(broker)
        await broker.tasks.sleep(500)
        before = asked.answer
        await broker.tasks.sleep(501)
        return before, asked.answer.topics[0].partitions[0].error_code

    assert result_of(scenario) == (NOT_YET, ErrorCode.REQUEST_TIMED_OUT)


def test_a_leader_that_is_none_any_more_does_not_answer_for_the_replicas():
    async def scenario(broker: DataBroker):
        asked = await ask_with_a_follower_behind(broker)
        await broker.tasks.sleep(10)
        await broker.topic("topic", **TWO, leader=2, leader_epoch=1)
        await broker.tasks.sleep(10)
        answer = asked.answer.topics[0].partitions[0]
        return answer.error_code, answer.low_watermark

    assert result_of(scenario) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, -1)
