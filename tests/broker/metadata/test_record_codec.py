"""Frames of metadata records."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.record_codec import (
    decode_record,
    encode_at,
    encode_record,
    record_classes,
    record_version,
)
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.metadata_brokers import BrokerRegistrationChangeRecord
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord, NoOpRecord
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord


def test_a_record_comes_back_from_its_frame():
    record = FeatureLevelRecord(name="metadata.version", feature_level=30)
    value = encode_record(record, 0)
    assert value[:3] == bytes([1, 12, 0])
    assert decode_record(value) == record


def test_a_noop_takes_four_bytes():
    assert encode_at(NoOpRecord(), 30) == bytes([1, 20, 0, 0])


@pytest.mark.parametrize(("level", "version"), [(7, 0), (17, 1), (23, 2), (30, 2)])
def test_the_metadata_version_decides_the_version_of_a_partition(level, version):
    record = PartitionRecord(
        topic_id=b"t" * 16,
        replicas=[1],
        isr=[1],
        removing_replicas=[],
        adding_replicas=[],
        directories=[],
    )
    assert record_version(record, level) == version


@pytest.mark.parametrize(
    ("fields", "version"),
    [
        ({"fenced": 1}, 0),
        ({"in_controlled_shutdown": 1}, 1),
        ({"log_dirs": [b"d" * 16]}, 2),
        ({"cordoned_log_dirs": []}, 3),
    ],
)
def test_a_registration_change_has_the_first_version_that_can_say_it(fields, version):
    record = BrokerRegistrationChangeRecord(broker_id=1, broker_epoch=1, **fields)
    assert record_version(record, 30) == version


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (b"", "cut off"),
        (b"\x01", "cut off"),
        (b"\x02\x14\x00\x00", "frame version 2"),
        (b"\x01\x06\x00\x00", "id 6"),
        (b"\x01\x14\x05\x00", "version 5"),
    ],
)
def test_a_frame_that_makes_no_sense_is_refused(value, says):
    with pytest.raises(DecodeError, match=says):
        decode_record(value)


def test_all_records_are_known_by_their_ids():
    assert set(record_classes()) == {*range(29)} - {6, 13, 16}
