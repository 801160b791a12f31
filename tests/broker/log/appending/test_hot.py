"""The flat way of appending an ordinary batch agrees with the plain one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.appending.hot import append_ordinary_batch, is_as_claimed
from moldau.broker.log.settings import LogSettings
from moldau.errors import MoldauError
from moldau.platform.simulated.clock import START_MS
from moldau.protocol.records.batch import HEADER_SIZE, read_whole_header
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from tests.broker.log.batches import batch, headers_of, with_checksum
from tests.broker.log.logs import DIRECTORY, SMALL, Bench


def outcome(bench, log, data: bytes, epoch: int) -> object:
    try:
        return log.append_as_leader(bytearray(data), epoch)
    except MoldauError as error:
        return type(error), str(error)


def disk_of(bench: Bench) -> dict[str, bytes]:
    return {name: bench.contents(name) for name in bench.files.list(DIRECTORY)}


BATCHES = st.builds(
    batch,
    st.sampled_from([0, 0, 0, 7]),
    st.lists(st.binary(max_size=90), min_size=1, max_size=3).map(tuple),
    st.integers(START_MS - 20, START_MS + 20) | st.just(START_MS + 10**9),
    attributes=st.sampled_from([0, 0, 0, 0x10, 0x20, 0x08, 0x40, 7]),
    producer=st.tuples(st.integers(-1, 2), st.integers(0, 1), st.integers(-1, 6)),
)


@given(st.lists(st.tuples(BATCHES, st.booleans(), st.integers(0, 1)), max_size=25))
def test_the_hot_path_does_what_the_plain_path_does(appends):
    hot_bench, plain_bench = Bench(), Bench()
    hot, plain = hot_bench.open(), plain_bench.open()
    for data, damaged, epoch in appends:
        data[-1] ^= damaged
        plain.state.validates_headers_only = False
        assert outcome(hot_bench, hot, data, epoch) == outcome(plain_bench, plain, data, epoch)
    assert disk_of(hot_bench) == disk_of(plain_bench)
    assert hot.log_end_offset == plain.log_end_offset
    assert hot.producers.map_end_offset == plain.producers.map_end_offset
    assert list(map(repr, hot.producers.active())) == list(map(repr, plain.producers.active()))


def test_a_buffer_that_cannot_be_patched_is_copied():
    log = Bench().open()
    data = bytes(batch(0, (b"a",)))
    log.append_as_leader(data, 0)
    log.append_as_leader(memoryview(data), 0)
    assert [header.base_offset for header in headers_of(log.read(0, 1000).read())] == [0, 1]


def test_every_append_of_an_idempotent_producer_after_the_first_is_hot():
    log = Bench(replace(SMALL, segment_bytes=10_000)).open()
    log.append_as_leader(batch(0, (b"a",), producer=(1, 0, 0)), 0)
    log.state.rules = replace(log.state.rules, is_compacted=True)
    for sequence in range(1, 9):
        keyless = with_checksum(batch(0, (b"a",), producer=(1, 0, sequence), key=None))
        log.append_as_leader(keyless, 0)
    assert log.log_end_offset == 9


def test_ordinary_appends_take_the_fast_way():
    """A topic with nothing set, and a producer with nothing set: the commonest append there is."""
    state = Bench(LogSettings()).open().state
    assert state.validates_headers_only
    for sequence in range(3):
        data = batch(0, (b"a",), START_MS, producer=(1, 0, sequence))
        state.epochs.assign(0, state.log_end_offset)
        assert append_ordinary_batch(state, data, 0, None) is not None
    assert state.log_end_offset == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"max_message_bytes": HEADER_SIZE},
        {"message_timestamp_after_max_ms": 1},
        {"segment_bytes": HEADER_SIZE},
        {"segment_ms": 1},
        {"encryption_at_rest": "key"},
        {"message_timestamp_before_max_ms": 5},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_setting_that_changes_holds_for_the_next_append(changed):
    log = Bench(LogSettings()).open()
    log.append_as_leader(batch(0, (b"a",), START_MS), 0)
    log.settings = replace(log.settings, **changed)
    state = log.state
    later = batch(0, (b"a",), START_MS + 2)
    assert not state.validates_headers_only or append_ordinary_batch(state, later, 0, None) is None


def test_a_flush_that_is_wanted_from_now_on_comes_with_the_next_append():
    log = Bench(LogSettings()).open()
    for flush_messages, synced in ((10, 0), (1, 2)):
        log.settings = replace(log.settings, flush_messages=flush_messages)
        log.append_as_leader(batch(0, (b"a",), START_MS), 0)
        assert log.recovery_point == synced


@pytest.mark.parametrize("codec", Codec)
def test_a_batch_is_as_claimed_if_its_records_are(codec: Codec) -> None:
    builder = BatchBuilder(BatchFields(codec=codec))
    for timestamp in (5, 9, 7):
        builder.append(timestamp, None, b"value")
    batch = builder.build()
    header = read_whole_header(batch)
    assert is_as_claimed(batch, bytes(batch), header)
    assert not is_as_claimed(batch, bytes(batch), header.replaced(max_timestamp=10))
    assert not is_as_claimed(batch, bytes(batch), header.replaced(record_count=2))
    assert not is_as_claimed(batch, bytes(batch), header.replaced(record_count=4))


def test_records_out_of_order_are_not_as_claimed() -> None:
    builder = BatchBuilder()
    builder.append(0, None, b"value")
    batch = builder.build()
    header = read_whole_header(batch)
    assert is_as_claimed(batch, bytes(batch), header)
    batch[HEADER_SIZE + 3] = 2  # after length, attributes and time
    assert not is_as_claimed(batch, bytes(batch), header)
