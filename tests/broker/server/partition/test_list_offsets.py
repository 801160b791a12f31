"""ListOffsets: times and places."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of


def question(timestamp: int, *, times: int = 1, **fields: Any) -> ListOffsetsRequest:
    epoch = fields.pop("current_leader_epoch", -1)
    one = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition(
        partition_index=fields.pop("index", 0), timestamp=timestamp, current_leader_epoch=epoch
    )
    topic = ListOffsetsRequest.ListOffsetsTopic(
        name=fields.pop("topic", "topic"), partitions=[one] * times
    )
    given = {"replica_id": -1, "isolation_level": 0, "timeout_ms": 0, **fields}
    return ListOffsetsRequest(topics=[topic], **given)


def answer_to(request: ListOffsetsRequest, version: int = 11) -> Any:
    """Of a partition with offsets 10 to 13 in epochs 3 and 4, timestamps 1000 to 1003."""

    async def scenario(broker: DataBroker):
        await broker.topic("topic", leader_epoch=4)
        partition = broker.partition("topic")
        partition.log.truncate_fully_and_start_at(10)
        for number, epoch in enumerate((3, 3, 4, 4)):
            partition.log.append_as_leader(batch(0, (b"a",), 1000 + number), epoch)
        partition.log.high_watermark = 14
        return (await broker.ask(request, version)).topics[0].partitions[0]

    return result_of(scenario)


@pytest.mark.parametrize(
    ("timestamp", "offset", "found", "epoch"),
    [
        (-1, 14, -1, 4),
        (-2, 10, -1, 3),
        (-3, 13, 1003, 4),
        (-4, 10, -1, 3),
        (-5, -1, -1, -1),
        (-6, -1, -1, -1),
        (1001, 11, 1001, 3),
        (0, 10, 1000, 3),
        (2000, -1, -1, -1),
    ],
)
def test_times_and_places_have_offsets(timestamp, offset, found, epoch):
    answer = answer_to(question(timestamp))
    assert (answer.error_code, answer.offset) == (0, offset)
    assert (answer.timestamp, answer.leader_epoch) == (found, epoch)


@pytest.mark.parametrize(("place", "version"), [(-3, 6), (-4, 7), (-5, 8), (-6, 10), (-7, 11)])
def test_a_place_that_the_version_lacks_is_unsupported(place, version):
    assert answer_to(question(place), version).error_code == ErrorCode.UNSUPPORTED_VERSION


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (question(-1, topic="other"), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (question(-1, index=4), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (question(-1, current_leader_epoch=1), ErrorCode.FENCED_LEADER_EPOCH),
        (question(-1, current_leader_epoch=5), ErrorCode.UNKNOWN_LEADER_EPOCH),
        (question(-1, times=2), ErrorCode.INVALID_REQUEST),
    ],
)
def test_wrong_questions_have_kafkas_codes(request_, code):
    assert answer_to(request_).error_code == code


def test_a_topic_comes_once_and_not_without_partitions():
    request = question(-1, times=0)
    request.topics += [question(-1).topics[0], question(-1, index=4).topics[0]]

    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        topics = (await broker.ask(request, 11)).topics
        return [[one.partition_index for one in topic.partitions] for topic in topics]

    assert result_of(scenario) == [[0, 4]]


def test_versions_without_a_field_for_it_get_no_epoch():
    assert answer_to(question(-2), 3).leader_epoch == -1
    assert answer_to(question(-2), 4).leader_epoch == 3
