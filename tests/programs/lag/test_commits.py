"""Keys and values of the offsets topic, as brokers write them."""

from moldau.client import TopicPartition
from moldau.programs.lag.commits import Committed, read_commit
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey
from moldau.protocol.messages.stored.offsets import (
    LegacyOffsetCommitKey,
    LegacyOffsetCommitValue,
    OffsetCommitKey,
    OffsetCommitValue,
)
from moldau.protocol.wire.compile import encode

RECORD_MS = 99


def framed(number, message, version=0):
    return number.to_bytes(2, "big") + encode(message, version)


KEY = framed(1, OffsetCommitKey(group="g", topic="t", partition=3))
PART = TopicPartition("t", 3)


def test_a_commit_has_the_time_of_its_coordinator_in_every_version():
    value = OffsetCommitValue(offset=7, metadata="", commit_timestamp=42)
    for version in OffsetCommitValue.VERSIONS.each():
        found = read_commit(KEY, framed(version, value, version), RECORD_MS)
        assert found == Committed("g", PART, 7, 42)


def test_the_oldest_form_is_read():
    key = framed(0, LegacyOffsetCommitKey(group="g", topic="t", partition=3))
    value = LegacyOffsetCommitValue(offset=7, metadata="", commit_timestamp=42)
    assert read_commit(key, framed(0, value), RECORD_MS) == Committed("g", PART, 7, 42)


def test_a_tombstone_takes_the_offset_away():
    assert read_commit(KEY, None, RECORD_MS) == Committed("g", PART, None, RECORD_MS)


def test_other_records_and_damaged_ones_are_stepped_over():
    members = framed(2, GroupMetadataKey(group="g"))
    later = (9).to_bytes(2, "big") + bytes(20)
    for key, value in [(None, b""), (b"", b""), (members, b""), (KEY, later), (KEY, b"\0\3x")]:
        assert read_commit(key, value, RECORD_MS) is None
    assert read_commit(KEY[:5], b"", RECORD_MS) is None
