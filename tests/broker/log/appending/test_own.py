"""The flat way of appending a coordinator's batch agrees with the plain one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending import plain
from moldau.broker.log.appending.own import append_own_batch
from moldau.broker.log.appending.plain import LeaderAppend
from moldau.broker.log.partition_log import PartitionLog
from moldau.errors import MoldauError
from moldau.platform.simulated.clock import START_MS
from moldau.protocol.records.batch import TimestampType, read_header
from tests.broker.log.batches import batch, marker, record
from tests.broker.log.logs import DIRECTORY, SMALL, Bench

COORDINATOR = AppendOrigin.COORDINATOR
COMPACTED = replace(SMALL, cleanup_policy=frozenset({"compact"}))
CHANGES = [
    {},
    {"cleanup_policy": frozenset({"delete"})},
    {"max_message_bytes": 150},
    {"segment_bytes": 160},
    {"flush_messages": 2},
    {"segment_ms": 10},
    {"compression_type": "zstd"},
    {"compression_type": "uncompressed"},
    {"message_timestamp_type": TimestampType.LOG_APPEND},
    {"message_timestamp_before_max_ms": 5},
    {"message_timestamp_after_max_ms": 5},
]


def outcome(append, log: PartitionLog, data: bytes, epoch: int) -> object:
    try:
        return append(log, bytearray(data), epoch)
    except MoldauError as error:
        return type(error), str(error)


def by_itself(log: PartitionLog, data: bytearray, epoch: int) -> object:
    return log.append_as_leader(data, epoch, COORDINATOR)


def plainly(log: PartitionLog, data: bytearray, epoch: int) -> object:
    return plain.append_as_leader(log.state, data, LeaderAppend(epoch, COORDINATOR))


def disk_of(bench: Bench) -> dict[str, bytes]:
    return {name: bench.contents(name) for name in bench.files.list(DIRECTORY)}


OWN = st.builds(
    batch,
    st.sampled_from([0, 0, 0, 7]),
    st.lists(st.binary(max_size=90), min_size=1, max_size=3).map(tuple),
    st.integers(START_MS - 20, START_MS + 20) | st.sampled_from([-1, START_MS + 10**9]),
    attributes=st.sampled_from([0, 0, 0, 0x10, 0x20]),
    producer=st.tuples(st.integers(-1, 2), st.integers(0, 1), st.integers(-1, 6)),
)
TIMES = st.integers(START_MS - 20, START_MS + 20)
SPREAD = st.builds(
    batch,
    st.just(0),
    st.just((b"a", b"b")),
    timestamps=st.tuples(TIMES, TIMES).map(sorted).map(tuple),
)
MARKERS = st.builds(marker, st.integers(1, 2), commit=st.booleans(), timestamp=st.just(START_MS))


@pytest.mark.parametrize("changed", CHANGES, ids=str)
@given(
    appends=st.lists(
        st.tuples(OWN | SPREAD | MARKERS, st.integers(0, 9), st.integers(0, 1)), max_size=15
    )
)
def test_the_flat_path_does_what_the_plain_path_does(changed, appends):
    flat_bench, plain_bench = (Bench(replace(COMPACTED, **changed)) for _ in range(2))
    flat, other = flat_bench.open(), plain_bench.open()
    for data, luck, epoch in appends:
        data[-1] ^= luck == 0
        appended = outcome(by_itself, flat, data, epoch)
        assert appended == outcome(plainly, other, data, epoch)
    assert disk_of(flat_bench) == disk_of(plain_bench)
    assert flat.log_end_offset == other.log_end_offset
    assert flat.recovery_point == other.recovery_point
    assert flat.producers.map_end_offset == other.producers.map_end_offset
    assert list(map(repr, flat.producers.active())) == list(map(repr, other.producers.active()))


def test_every_batch_of_a_coordinator_after_the_first_is_flat():
    log = Bench(replace(COMPACTED, segment_bytes=10_000)).open()
    by_itself(log, batch(timestamp=START_MS), 0)
    for _ in range(8):
        assert append_own_batch(log.state, batch(timestamp=START_MS), 0, None) is not None
    assert log.log_end_offset == 9


def test_what_lies_in_the_log_is_the_batch_at_its_place():
    log = Bench(COMPACTED).open()
    for epoch in (0, 0, 1):
        by_itself(log, batch(0, (b"a", b"b"), START_MS), epoch)
    data = log.read(4, 1000).read()
    assert data == bytes(batch(4, (b"a", b"b"), START_MS, leader_epoch=1))


@pytest.mark.parametrize(
    ("position", "byte"),
    [(0, 1), (11, 9), (16, 1), (22, 0x28), (26, 1), (34, 1), (60, 0)],
)
def test_a_strange_header_is_left_to_the_plain_path(position, byte):
    log = Bench(COMPACTED).open()
    log.assign_epoch(0)
    data = batch(timestamp=START_MS)
    data[position] = byte
    assert append_own_batch(log.state, data, 0, None) is None
    assert log.log_end_offset == 0


def test_the_checksum_is_looked_at_and_the_records_are_not():
    log = Bench(COMPACTED).open()
    log.assign_epoch(0)
    data = batch(timestamp=START_MS)
    assert bytes(data).endswith(record(0, b"v"))
    data[-2] ^= 1
    assert append_own_batch(log.state, data, 0, None) is None
    data[-2] ^= 1
    assert append_own_batch(log.state, data, 0, None) is not None
    assert read_header(data).base_offset == 0
