"""What both flat paths ask of a batch, and that nothing happens before it has its place."""

from __future__ import annotations

import pytest

from moldau.broker.log.appending.flat import ordinary_header, put
from moldau.platform.simulated.clock import START_MS
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch
from tests.broker.log.logs import SMALL, Bench


def opened():
    log = Bench(SMALL).open()
    log.assign_epoch(0)
    return log


def test_the_header_is_the_one_that_the_batch_will_have():
    log = opened()
    for offset in (0, 2):
        data = batch(0, (b"a", b"b"), START_MS)
        header = ordinary_header(log.state, data, bytes(data), 0, START_MS)
        assert header is not None
        assert log.log_end_offset == offset
        appended = put(log.state, data, header)
        assert (appended.first_offset, appended.last_offset) == (offset, offset + 1)
        assert read_header(log.read(offset, 1000).read()) == header
    assert log.log_end_offset == log.producers.map_end_offset == 4


def test_memory_that_cannot_be_patched_and_bytes_that_are_too_few_are_left_to_the_plain_path():
    log, data = opened(), batch(timestamp=START_MS)
    assert ordinary_header(log.state, bytes(data), bytes(data), 0, START_MS) is None
    read_only = memoryview(data).toreadonly()
    assert ordinary_header(log.state, read_only, bytes(data), 0, START_MS) is None
    assert ordinary_header(log.state, data[:60], bytes(data[:60]), 0, START_MS) is None
    assert ordinary_header(log.state, memoryview(data), bytes(data), 0, START_MS) is not None


@pytest.mark.parametrize(("epoch", "late_ms"), [(1, 0), (0, -1)])
def test_a_new_leader_epoch_and_a_time_that_is_too_far_ahead_are_left_to_it_too(epoch, late_ms):
    log, data = opened(), batch(timestamp=START_MS)
    after_ms = log.state.rules.timestamp_after_max_ms
    now_ms = START_MS - after_ms + late_ms
    assert ordinary_header(log.state, data, bytes(data), epoch, now_ms) is None
    assert ordinary_header(log.state, data, bytes(data), 0, START_MS - after_ms) is not None
