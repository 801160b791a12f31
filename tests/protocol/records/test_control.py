"""Control records."""

from __future__ import annotations

import pytest

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import iterate_batches, read_whole_header
from moldau.protocol.records.control import (
    ControlType,
    EndMarker,
    build_marker_batch,
    build_quorum_batch,
    pack_key,
    pack_marker,
    parse_key,
    parse_marker,
)
from moldau.protocol.records.record import iterate_records
from tests.protocol.records.captured import captured


def test_the_marker_is_byte_for_byte_what_a_broker_wrote() -> None:
    theirs = [bytes(batch) for batch in iterate_batches(captured("transactions"))][1]
    header = read_whole_header(theirs)
    (record,) = iterate_records(theirs)
    marker = parse_marker(record.key, record.value)
    assert marker == EndMarker(is_commit=True, coordinator_epoch=0)
    ours = build_marker_batch(
        marker,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        timestamp=record.timestamp,
        base_offset=header.base_offset,
        leader_epoch=header.leader_epoch,
    )
    assert ours == theirs


@pytest.mark.parametrize("is_commit", [True, False])
def test_a_marker_is_read_back(is_commit: bool) -> None:
    marker = EndMarker(is_commit, 2**31 - 1)
    assert parse_marker(*pack_marker(marker)) == marker


@pytest.mark.parametrize("control_type", [kind for kind in ControlType if kind >= 0])
def test_a_key_names_its_type(control_type: ControlType) -> None:
    assert parse_key(pack_key(control_type)) is control_type


def test_types_and_fields_of_the_future_are_no_mistake() -> None:
    assert parse_key(b"\x00\x00\x00\x63") is ControlType.UNKNOWN
    assert parse_key(b"\x00\x07\x00\x01 and more") is ControlType.COMMIT
    assert parse_marker(b"\x00\x00\x00\x63", None) is None
    assert parse_marker(pack_key(ControlType.ABORT), b"\x00\x01\x00\x00\x00\x05 more") == (False, 5)


@pytest.mark.parametrize("key", [None, b"", b"\x00\x00\x00", b"\xff\xff\x00\x00"])
def test_a_key_that_says_nothing_is_corrupt(key: bytes | None) -> None:
    with pytest.raises(CorruptRecordError, match="key"):
        parse_key(key)


@pytest.mark.parametrize("value", [None, b"", b"\x00\x00\x00\x00\x00", b"\xff\xff\x00\x00\x00\x00"])
def test_a_marker_without_its_epoch_is_corrupt(value: bytes | None) -> None:
    with pytest.raises(CorruptRecordError, match="marker"):
        parse_marker(pack_key(ControlType.COMMIT), value)


def test_the_quorums_records_share_a_batch() -> None:
    records = [(ControlType.SNAPSHOT_HEADER, b"one"), (ControlType.KRAFT_VERSION, b"two")]
    batch = build_quorum_batch(records, timestamp=5, base_offset=9, leader_epoch=2)
    header = read_whole_header(batch)
    assert header.is_control
    assert not header.is_transactional
    found = [(parse_key(record.key), record.value) for record in iterate_records(batch)]
    assert found == records
