"""Snapshot files, ours and Kafka's."""

from __future__ import annotations

from pathlib import Path

import pytest

from moldau.broker.metadata.activation import bootstrap_records
from moldau.broker.metadata.snapshot_file import (
    BATCH_RECORDS_MAX,
    SnapshotFields,
    decode_snapshot,
    encode_snapshot,
)
from moldau.errors import CorruptRecordError, DecodeError
from moldau.protocol.messages.stored.control import VotersRecord
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from moldau.protocol.messages.stored.metadata_topics import TopicRecord
from moldau.protocol.records.batch import iterate_batches, read_header

VECTORS = Path(__file__).parents[2] / "vectors" / "quorum"
CREATED_MS = 1_795_274_574_023
FORMATTED = SnapshotFields(created_ms=CREATED_MS)


def written(records, fields=FORMATTED):
    return b"".join(map(bytes, encode_snapshot(records, 30, fields)))


def topics(count):
    return [TopicRecord(name=f"t{number}", topic_id=bytes(16)) for number in range(count)]


def test_kafkas_bootstrap_file_holds_the_levels_of_its_release():
    contents = (VECTORS / "bootstrap.checkpoint").read_bytes()
    snapshot = decode_snapshot(contents, "bootstrap.checkpoint")
    assert snapshot.records == bootstrap_records()
    assert (snapshot.kraft_version, snapshot.voters) == (None, None)


def test_ours_has_the_same_batches_as_kafkas():
    kafkas = (VECTORS / "bootstrap.checkpoint").read_bytes()
    ours = written(bootstrap_records())
    shapes = [
        [read_header(batch).replaced(crc=0, base_timestamp=0, max_timestamp=0) for batch in batches]
        for batches in (iterate_batches(kafkas), iterate_batches(ours))
    ]
    assert shapes[0] == shapes[1]


def test_the_zero_checkpoint_says_who_votes():
    contents = (VECTORS / "00000000000000000000-0000000000.checkpoint").read_bytes()
    snapshot = decode_snapshot(contents, "zero")
    assert snapshot.kraft_version == 1
    assert snapshot.voters is not None
    assert [voter.voter_id for voter in snapshot.voters.voters] == [1]
    assert snapshot.records == []


def test_voters_and_times_come_back():
    voters = VotersRecord(version=0, voters=[])
    fields = SnapshotFields(
        epoch=4, created_ms=CREATED_MS, last_contained_ms=77, kraft_version=1, voters=voters
    )
    snapshot = decode_snapshot(written(topics(2), fields), "x")
    assert snapshot.records == topics(2)
    assert (snapshot.kraft_version, snapshot.voters) == (1, voters)
    assert snapshot.last_contained_ms == 77


def test_many_records_are_shared_out_over_batches_with_offsets_from_zero():
    contents = written(topics(BATCH_RECORDS_MAX + 1))
    headers = [read_header(batch) for batch in iterate_batches(contents)]
    assert [header.record_count for header in headers] == [1, BATCH_RECORDS_MAX, 1, 1]
    assert [header.base_offset for header in headers] == [0, 1, 1025, 1026]
    assert len(decode_snapshot(contents, "x").records) == BATCH_RECORDS_MAX + 1


def test_a_snapshot_without_its_end_is_refused():
    contents = written(topics(1))
    cut = contents[: -len(list(iterate_batches(contents))[-1])]
    with pytest.raises(CorruptRecordError, match="never finished"):
        decode_snapshot(cut, "x")


def test_no_bit_may_turn_over_unnoticed():
    contents = bytearray(written([FeatureLevelRecord(name="a", feature_level=1)]))
    contents[100] ^= 4
    with pytest.raises((CorruptRecordError, DecodeError)):
        decode_snapshot(contents, "x")
