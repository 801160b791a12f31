"""The interface of the package: one partition from append to reopening, against a plain list."""

from __future__ import annotations

import pytest

from moldau.broker.log.opening import Remembered
from moldau.broker.log.reading import OffsetOutOfRangeError
from moldau.errors import CorruptRecordError, DiskFailedError
from moldau.platform.simulated.disk_faults import Fault
from tests.broker.log.batches import batch
from tests.broker.log.logs import Bench, batches_of, fill, offsets_of


def test_a_leader_gives_offsets_and_its_epoch():
    log = Bench().open()
    first = log.append_as_leader(batch(0, (b"a", b"b")), 3)
    second = log.append_as_leader(batch(0, (b"c",)), 3)
    assert (first.first_offset, first.last_offset, second.first_offset) == (0, 1, 2)
    assert batches_of(log) == [
        (0, bytes(batch(0, (b"a", b"b"), leader_epoch=3))),
        (2, bytes(batch(2, (b"c",), leader_epoch=3))),
    ]


def test_a_closed_log_opens_as_it_was():
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    before = batches_of(log)
    log.close()
    again = bench.open()
    assert batches_of(again) == before
    assert again.log_end_offset == 30
    fill(again, 5)
    assert offsets_of(again) == list(range(35))


def test_a_log_that_was_not_closed_recovers_all_that_is_whole():
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    again = bench.open(Remembered())
    assert offsets_of(again) == list(range(30))
    assert again.log_end_offset == 30


def test_a_refused_batch_changes_nothing():
    log = Bench().open()
    fill(log, 3)
    broken = batch(0, (b"x",))
    broken[-1] ^= 1
    with pytest.raises(CorruptRecordError):
        log.append_as_leader(broken, 0)
    fill(log, 1)
    assert offsets_of(log) == [0, 1, 2, 3]


def test_a_failed_write_is_final():
    bench = Bench()
    log = bench.open()
    fill(log, 2)
    bench.files.faults.add(Fault("append", "*.log", short=10))
    for _ in range(2):
        with pytest.raises(DiskFailedError):
            fill(log, 1)
    with pytest.raises(DiskFailedError):
        log.read(0, 100)
    log.close()


def test_reads_outside_of_the_log_are_refused():
    log = Bench().open()
    fill(log, 5)
    log.high_watermark = 5
    log.advance_start_offset(2)
    for offset in (1, 6):
        with pytest.raises(OffsetOutOfRangeError):
            log.read(offset, 100)
    assert log.read(5, 100).size == 0
