"""What a leader's word about one batch means."""

from __future__ import annotations

import pytest

from moldau.client.core.cluster import Cluster, Leader
from moldau.client.core.producing.answers import Next, Row, cause_of, judge_row
from moldau.client.core.producing.batch import ProducerBatch
from moldau.client.errors import AccessDeniedError, ClosedError, FencedError, RecordTooLargeError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata
from tests.client.core.producing.made import record

PART = TopicPartition("t", 0)


def judged(code: ErrorCode, count: int = 1, **more):
    cluster = Cluster(1000)
    cluster.apply_metadata(metadata({"t": {0: (1, 3)}}), 0)
    batch = ProducerBatch(PART, 0)
    for _ in range(count):
        batch.append(record())
    row = Row(index=0, error_code=code, base_offset=5, **more)
    endpoint = ProduceResponse.NodeEndpoint(node_id=2, host="b2", port=9092)
    answer = ProduceResponse(responses=[], node_endpoints=[endpoint])
    return judge_row(cluster, batch, row, answer), cluster


@pytest.mark.parametrize("code", [ErrorCode.NONE, ErrorCode.DUPLICATE_SEQUENCE_NUMBER])
def test_what_is_there_already_has_arrived_too(code):
    verdict, _ = judged(code)
    assert (verdict.next, verdict.outcome.base_offset) == (Next.DONE, 5)


@pytest.mark.parametrize(
    ("code", "count", "after"),
    [
        (ErrorCode.NOT_ENOUGH_REPLICAS, 1, Next.AGAIN),
        (ErrorCode.MESSAGE_TOO_LARGE, 2, Next.SPLIT),
        (ErrorCode.MESSAGE_TOO_LARGE, 1, Next.FAIL),
        (ErrorCode.UNKNOWN_PRODUCER_ID, 1, Next.ANEW),
        (ErrorCode.INVALID_RECORD, 1, Next.FAIL),
    ],
)
def test_an_error_is_tried_again_where_that_may_help(code, count, after):
    assert judged(code, count)[0].next is after


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, AccessDeniedError),
        (ErrorCode.MESSAGE_TOO_LARGE, RecordTooLargeError),
        (ErrorCode.PRODUCER_FENCED, FencedError),
    ],
)
def test_errors_have_classes_of_their_own(code, kind):
    assert isinstance(judged(code)[0].error, kind)


def test_a_hint_at_the_leader_is_applied():
    leader = Row.LeaderIdAndEpoch(leader_id=2, leader_epoch=4)
    _, cluster = judged(ErrorCode.NOT_LEADER_OR_FOLLOWER, current_leader=leader)
    assert cluster.leader(PART) == Leader(2, 4)
    assert cluster.is_fresh("t", 0)


def test_without_a_hint_the_topic_is_asked_for():
    _, cluster = judged(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    assert not cluster.is_fresh("t", 0)


def test_what_broke_a_connection_is_a_clients_error():
    error = ClosedError()
    assert cause_of(error) is error
