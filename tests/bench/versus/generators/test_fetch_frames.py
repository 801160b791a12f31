"""What is written and read flat is what the codec writes and reads."""

from __future__ import annotations

from struct import pack

import pytest

from bench.versus.generators.fetch_frames import (
    BYTES_MAX,
    BYTES_MIN,
    PARTITION_BYTES_MAX,
    VERSION,
    WAIT_MAX_MS,
    Found,
    fetch_frame,
    read_answer,
    read_varint,
    varint,
)
from bench.versus.generators.questions import RECORD_BYTES, one_record
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.records.batch import set_base_offset
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode

TOPIC_ID = bytes(range(16))
Response = FetchResponse.FetchableTopicResponse


def request(session_id, session_epoch, offsets):
    topic = FetchRequest.FetchTopic
    parts = [
        topic.FetchPartition(
            partition=partition, fetch_offset=offset, partition_max_bytes=PARTITION_BYTES_MAX
        )
        for partition, offset in offsets
    ]
    return FetchRequest(
        max_wait_ms=WAIT_MAX_MS,
        min_bytes=BYTES_MIN,
        max_bytes=BYTES_MAX,
        session_id=session_id,
        session_epoch=session_epoch,
        topics=[topic(topic_id=TOPIC_ID, partitions=parts)] if parts else [],
    )


def answer(*partitions):
    topic = Response(topic_id=TOPIC_ID, partitions=list(partitions))
    response = FetchResponse(session_id=5, responses=[topic] if partitions else [])
    return encode(ResponseHeader(correlation_id=9), 1) + encode(response, VERSION)


def partition(index, records, **fields):
    given = {"error_code": 0, "preferred_read_replica": -1, **fields}
    return Response.PartitionData(
        partition_index=index, high_watermark=50, records=records, **given
    )


def batch(stamp, base_offset):
    data = bytearray(one_record(pack(">q", stamp) + bytes(RECORD_BYTES - 8)))
    set_base_offset(data, base_offset)
    return bytes(data)


@pytest.mark.parametrize("offsets", [[], [(0, 0)], [(index, index * 7) for index in range(200)]])
def test_a_flat_request_is_what_the_codec_writes(offsets):
    header = RequestHeader(
        request_api_key=1, request_api_version=VERSION, correlation_id=4, client_id="versus"
    )
    body = encode(header, 2) + encode(request(8, 4, offsets), VERSION)
    assert fetch_frame(TOPIC_ID, 8, 4, offsets) == pack(">i", len(body)) + body


def test_next_offset_and_stamps_of_every_partition_are_found():
    frame = answer(partition(3, batch(77, 10) + batch(78, 11)), partition(4, b""))
    assert read_answer(frame) == (5, [Found(3, 0, 12, [77, 78]), Found(4, 0, -1, [])])


def test_an_answer_without_news_has_none():
    assert read_answer(answer()) == (5, [])


def test_an_error_is_reported_and_its_leader_passed_over():
    leader = Response.PartitionData.LeaderIdAndEpoch(leader_id=1, leader_epoch=2)
    code = ErrorCode.NOT_LEADER_OR_FOLLOWER
    refused = partition(0, None, error_code=code, current_leader=leader)
    frame = answer(refused, partition(1, batch(5, 0)))
    assert read_answer(frame)[1] == [Found(0, code, -1, []), Found(1, 0, 1, [5])]


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 70_000])
def test_a_varint_is_read_as_it_was_written(number):
    written = varint(number)
    assert read_varint(b"\xff" + written, 1) == (number, 1 + len(written))
