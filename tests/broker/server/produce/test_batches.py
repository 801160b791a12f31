"""The beginnings of batches, before anything is appended."""

from __future__ import annotations

import pytest

from moldau.broker.server.produce.batches import check_batch, check_start, each_topic_once
from moldau.errors import KafkaError
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch

GOOD = batch()
ZSTD = batch(attributes=4)


def with_byte(position: int, value: int) -> bytes:
    data = bytearray(GOOD)
    data[position] = value
    return bytes(data)


def code_of(check, *arguments):
    try:
        check(*arguments)
    except KafkaError as error:
        return error.code
    return ErrorCode.NONE


@pytest.mark.parametrize(
    ("records", "code"),
    [
        (GOOD, ErrorCode.NONE),
        (b"", ErrorCode.NONE),
        (b"nonsense", ErrorCode.NONE),
        (GOOD[:12], ErrorCode.NONE),
        (bytes(12), ErrorCode.CORRUPT_MESSAGE),
        (with_byte(16, 1), ErrorCode.NONE),
        (with_byte(16, 3), ErrorCode.CORRUPT_MESSAGE),
        (with_byte(16, 0xFF), ErrorCode.CORRUPT_MESSAGE),
        (with_byte(8, 0xFF), ErrorCode.CORRUPT_MESSAGE),
    ],
)
def test_bytes_that_begin_like_no_batch_are_corrupt(records, code):
    assert code_of(check_start, records) == code


@pytest.mark.parametrize(
    ("records", "version", "code"),
    [
        (GOOD, 3, ErrorCode.NONE),
        (b"", 3, ErrorCode.INVALID_RECORD),
        (GOOD[:-1], 3, ErrorCode.INVALID_RECORD),
        (with_byte(16, 1), 3, ErrorCode.INVALID_RECORD),
        (ZSTD, 6, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        (ZSTD + GOOD, 6, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE),
        (ZSTD, 7, ErrorCode.NONE),
        (GOOD + GOOD, 3, ErrorCode.INVALID_RECORD),
        (GOOD + GOOD[:-1], 3, ErrorCode.NONE),
        (GOOD + bytes(12), 3, ErrorCode.CORRUPT_MESSAGE),
    ],
)
def test_one_whole_batch_in_todays_format_is_wanted(records, version, code):
    assert code_of(check_batch, records, version) == code


def test_topics_and_partitions_that_are_named_twice_come_together():
    topic = ProduceRequest.TopicProduceData
    part = topic.PartitionProduceData
    others = [part(index=0, records=b"y"), part(index=1, records=None)]
    request = ProduceRequest(
        acks=1,
        timeout_ms=1,
        topic_data=[
            topic(name="a", partition_data=[part(index=0, records=b"x")]),
            topic(name="nothing", partition_data=[]),
            topic(name="a", partition_data=others),
        ],
    )
    found = [(one.name, one.batches) for one in each_topic_once(request)]
    assert found == [("a", {0: [b"x", b"y"], 1: [b""]})]
