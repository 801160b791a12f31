"""Records of coordinators and their bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.broker.coordinator.record_codec import (
    GROUP_RECORDS,
    SHARE_STATE_RECORDS,
    TRANSACTION_RECORDS,
    decode_stored,
    encode_stored,
)
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.offsets import OffsetCommitKey, OffsetCommitValue

VECTORS = Path(__file__).parents[2] / "vectors/coordinators"
KEY = OffsetCommitKey(group="g", topic="t", partition=1)
VALUE = OffsetCommitValue(offset=7, leader_epoch=2, metadata="m", commit_timestamp=99)


def test_a_key_begins_with_its_type_and_a_value_with_its_version():
    key, value = encode_stored(StoredRecord(KEY, VALUE, 3))
    assert key == b"\0\1" + b"\0\1g" + b"\0\1t" + b"\0\0\0\1"
    assert value == b"\0\3" + bytes(7) + b"\7" + b"\0\0\0\2" + b"\0\1m" + bytes(7) + b"c"


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4])
def test_what_is_encoded_is_decoded(version):
    value = OffsetCommitValue(offset=7, metadata="m", commit_timestamp=99)
    record = StoredRecord(KEY, value, version)
    assert decode_stored(GROUP_RECORDS, *encode_stored(record)) == record


def test_a_tombstone_has_no_value():
    key, value = encode_stored(StoredRecord(KEY, None))
    assert value is None
    assert decode_stored(GROUP_RECORDS, key, value) == StoredRecord(KEY, None)


def test_a_type_from_another_time_is_stepped_over():
    assert decode_stored(GROUP_RECORDS, b"\x7f\xff", b"\0\0") is None


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        (b"\0", None, "key of 1 bytes has no prefix"),
        (b"\0\1\0\1g\0\1t\0\0\0\1", b"", "value of 0 bytes has no prefix"),
        (b"\0\1\0\1g\0\1t\0\0\0\1", b"\0\x63", "OffsetCommitValue has no version 99"),
    ],
)
def test_what_is_no_record_is_refused(key, value, says):
    with pytest.raises(DecodeError, match=says):
        decode_stored(GROUP_RECORDS, key, value)


def test_the_tables_hold_every_type_of_their_topic():
    assert sorted(GROUP_RECORDS) == [*range(9), *range(10, 18), *range(19, 24)]
    assert sorted(TRANSACTION_RECORDS) == [0]
    assert sorted(SHARE_STATE_RECORDS) == [0, 1]


def captured() -> list[tuple[bytes, bytes | None]]:
    """One record of each shape that Kafka 4.3.1 wrote to `__consumer_offsets`."""
    lines = (VECTORS / "consumer_offsets.txt").read_text().split("\n")[:-1]
    pairs = (line.split() for line in lines)
    return [
        (bytes.fromhex(key), None if value == "-" else bytes.fromhex(value)) for key, value in pairs
    ]


@pytest.mark.parametrize(("key", "value"), captured())
def test_what_kafka_wrote_is_read_and_written_back_byte_by_byte(key, value):
    record = decode_stored(GROUP_RECORDS, key, value)
    assert record is not None
    assert encode_stored(record) == (key, value)
