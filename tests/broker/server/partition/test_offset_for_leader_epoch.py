"""OffsetForLeaderEpoch: the end of an epoch, or of the one before it."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.protocol.messages.data.offset_for_leader_epoch import OffsetForLeaderEpochRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of


def answer_to(epoch: int, current: int = -1, topic: str = "topic") -> Any:
    """Of a partition with epoch 2 up to offset 1 and epoch 5 up to 3."""

    async def scenario(broker: DataBroker):
        await broker.topic("topic", leader_epoch=5)
        log = broker.partition("topic").log
        log.truncate_fully_and_start_at(0)
        log.append_as_leader(batch(), 2)
        log.append_as_leader(batch(0, (b"a", b"b")), 5)
        cls = OffsetForLeaderEpochRequest.OffsetForLeaderTopic
        one = cls.OffsetForLeaderPartition(
            partition=0, current_leader_epoch=current, leader_epoch=epoch
        )
        request = OffsetForLeaderEpochRequest(topics=[cls(topic=topic, partitions=[one])])
        answer = (await broker.ask(request, 4)).topics[0].partitions[0]
        return answer.error_code, answer.leader_epoch, answer.end_offset

    return result_of(scenario)


@pytest.mark.parametrize(
    ("epoch", "known", "end"), [(2, 2, 1), (4, 2, 1), (5, 5, 3), (6, -1, -1), (1, 1, 0)]
)
def test_the_nearest_epoch_and_its_end_are_reported(epoch, known, end):
    assert answer_to(epoch) == (0, known, end)


@pytest.mark.parametrize(
    ("current", "topic", "code"),
    [
        (4, "topic", ErrorCode.FENCED_LEADER_EPOCH),
        (6, "topic", ErrorCode.UNKNOWN_LEADER_EPOCH),
        (-1, "other", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_wrong_questions_are_refused(current, topic, code):
    assert answer_to(2, current, topic) == (code, -1, -1)
