"""What becomes of one batch."""

from __future__ import annotations

import pytest

from moldau.broker.log.compaction.filter import Round, filter_batch
from moldau.broker.log.compaction.key_offsets import KeyOffsets
from moldau.broker.log.producers.entry import BatchNote, ProducerEntry
from moldau.protocol.records.batch import TimestampType, ensure_checksum, read_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.records.record import iterate_records

NOW, RETENTION = 50_000, 1_000


def batch(*pairs, producer_id=-1, **fields) -> bytes:
    builder = BatchBuilder(BatchFields(base_offset=100, producer_id=producer_id, **fields))
    for index, (key, value) in enumerate(pairs):
        builder.append(10_000 - index, key, value)
    return bytes(builder.build())


def plan(keys=None, *, end_offset=1_000, latest=999, producers=()) -> Round:
    known = KeyOffsets()
    known.offsets = dict(keys or {})
    known.latest_offset = latest
    return Round(known, end_offset, {e.producer_id: e for e in producers}, NOW, RETENTION)


def filtered(source: bytes, round_: Round, *, is_discarded=False):
    left = filter_batch(read_header(source), source, round_, is_discarded=is_discarded)
    if left is not None:
        ensure_checksum(left, read_header(left))
    return left


def test_a_batch_that_keeps_everything_is_the_same_object():
    source = batch((b"a", b"1"), (b"b", b"2"), codec=Codec.GZIP)
    assert filtered(source, plan({b"a": 100, b"c": 500})) is source


def test_a_batch_without_a_live_record_goes():
    assert filtered(batch((b"a", b"1")), plan({b"a": 101})) is None


@pytest.mark.parametrize("codec", list(Codec))
def test_a_shortened_batch_keeps_offsets_times_sequences_and_codec(codec):
    source = batch(
        (b"a", b"1"), (b"b", b"2"), (b"c", b"3"), (b"d", b"4"),
        producer_id=7, producer_epoch=1, base_sequence=5, codec=codec,
    )  # fmt: skip
    left = filtered(source, plan({b"a": 500, b"c": 500}))
    assert left is not None
    records = list(iterate_records(source))
    assert list(iterate_records(left)) == [records[1], records[3]]
    header = read_header(left)
    assert (header.last_offset, header.last_sequence, header.codec) == (103, 8, codec)
    assert header.max_timestamp == 9_999


def test_log_append_time_stays_the_time_of_all():
    source = batch((b"a", b"1"), (b"b", b"2"), log_append_time=77_000)
    left = filtered(source, plan({b"a": 500}))
    assert left is not None
    assert read_header(left).timestamp_type is TimestampType.LOG_APPEND
    assert [record.timestamp for record in iterate_records(left)] == [77_000]


def test_records_behind_the_map_stay_whatever_they_are():
    source = batch((b"a", b"1"), (None, b"2"), (b"b", b"3"))
    left = filtered(source, plan({b"a": 100}, latest=100))
    assert left is source


def test_a_tombstone_gets_a_horizon_once():
    source = batch((b"a", None), (b"b", b"2"))
    left = filtered(source, plan())
    assert left is not None
    assert read_header(left).delete_horizon_ms == NOW + RETENTION
    assert list(iterate_records(left)) == list(iterate_records(source))
    assert filtered(bytes(left), plan()) == left


@pytest.mark.parametrize(("horizon_ms", "keys"), [(NOW, [b"b"]), (NOW + 1, [b"a", b"b"])])
def test_a_tombstone_goes_when_its_horizon_has_come(horizon_ms, keys):
    source = batch((b"a", None), (b"b", b"2"), delete_horizon_ms=horizon_ms)
    left = filtered(source, plan())
    assert left is not None
    assert [record.key for record in iterate_records(left)] == keys


def test_a_producers_last_batch_stays_as_a_bare_header():
    source = batch((b"a", b"1"), producer_id=7, producer_epoch=0, base_sequence=3, codec=Codec.LZ4)
    last = ProducerEntry(7, note=BatchNote(3, 100, 0, 0))
    left = filtered(source, plan({b"a": 500}, producers=[last]))
    assert left is not None
    header = read_header(left)
    assert (len(left), header.record_count, header.codec, header.last_sequence) == (61, 0, 0, 3)
    assert (header.base_timestamp, header.max_timestamp) == (-1, 10_000)
    assert filtered(bytes(left), plan(producers=[last])) == left


def test_the_last_batch_of_the_round_stays_as_a_bare_header():
    left = filtered(batch((b"a", b"1")), plan({b"a": 500}, end_offset=101))
    assert left is not None
    assert (read_header(left).base_offset, read_header(left).record_count) == (100, 0)


def marker(producer_epoch=0) -> bytes:
    return bytes(
        build_marker_batch(
            EndMarker(True, 0),
            producer_id=7,
            producer_epoch=producer_epoch,
            timestamp=10_000,
            base_offset=100,
        )
    )


def test_a_marker_of_nothing_gets_a_horizon_and_then_goes():
    kept = filtered(marker(), plan())
    assert kept == marker()
    left = filtered(marker(), plan(), is_discarded=True)
    assert left is not None
    assert read_header(left).delete_horizon_ms == NOW + RETENTION
    late = plan()._replace(now_ms=NOW + RETENTION)
    assert filtered(bytes(left), plan(), is_discarded=True) == left
    assert filtered(bytes(left), late, is_discarded=True) is None


def test_a_marker_that_holds_a_producers_epoch_stays_as_a_bare_header():
    left = filtered(marker(), plan(), is_discarded=True)
    assert left is not None
    late = plan(producers=[ProducerEntry(7, epoch=0)])._replace(now_ms=NOW + RETENTION)
    bare = filtered(bytes(left), late, is_discarded=True)
    assert bare is not None
    header = read_header(bare)
    assert (header.is_control, header.record_count, header.delete_horizon_ms) == (True, 0, None)
    newer = plan(producers=[ProducerEntry(7, epoch=1)])._replace(now_ms=NOW + RETENTION)
    assert filtered(bytes(left), newer, is_discarded=True) is None
