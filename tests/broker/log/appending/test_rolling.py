"""When a new segment begins, and what is left with the old one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.settings import COMPACT, LogSettings
from moldau.errors import DiskFailedError
from moldau.platform.simulated.disk_faults import Fault
from moldau.protocol.records.batch import NO_TIMESTAMP
from tests.broker.log.batches import batch
from tests.broker.log.logs import SMALL, Bench, fill, offsets_of

ROOMY = LogSettings(segment_index_bytes=1200, segment_ms=1000)


def bases_after(log, *timestamps: int) -> tuple[int, ...]:
    for timestamp in timestamps:
        log.append_as_leader(batch(0, (b"v",), timestamp), 0)
    bases: tuple[int, ...] = log.segments.base_offsets
    return bases


def test_a_segment_never_grows_above_its_size():
    log = Bench().open()
    fill(log, 50)
    assert all(segment.size <= SMALL.segment_bytes for segment in log.segments)
    assert offsets_of(log) == list(range(50))


def test_a_segment_ages_by_the_timestamps_of_records():
    assert bases_after(Bench(ROOMY).open(), 5000, 6000, 4000, 6001, 6002) == (0, 3)


def test_a_segment_without_timestamps_ages_by_the_clock():
    bench = Bench(ROOMY)
    log = bench.open()
    assert bases_after(log, NO_TIMESTAMP, NO_TIMESTAMP) == (0,)
    bench.clock.advance_ms(1001)
    assert bases_after(log, NO_TIMESTAMP) == (0, 2)


def test_jitter_lets_a_segment_roll_earlier():
    log = Bench(replace(ROOMY, segment_jitter_ms=900)).open()
    assert 0 < log.state.jitter_ms < 900
    limit = 1000 - log.state.jitter_ms
    assert bases_after(log, 5000, 5000 + limit, 5000 + limit + 1) == (0, 2)


def test_a_full_index_rolls():
    settings = LogSettings(segment_index_bytes=24, index_interval_bytes=1)
    log = Bench(settings).open()
    fill(log, 10)
    assert log.segments.base_offsets == (0, 2, 4, 6, 8)


def test_offsets_too_far_apart_roll():
    log = Bench().open()
    log.append_as_follower(batch(0, (b"a",)), 0)
    log.append_as_follower(batch(2**31, (b"b",)), 0)
    log.append_as_follower(batch(2**33, (b"c",)), 0)
    assert log.segments.base_offsets == (0, 1, 2**33)
    assert offsets_of(log) == [0, 2**31, 2**33]


def test_the_state_of_producers_is_written_under_the_base_of_the_next_segment():
    bench = Bench()
    log = bench.open()
    fill(log, 3)
    log.roll()
    log.roll()
    assert log.segments.base_offsets == (0, 3)
    assert bench.names(".snapshot") == ["00000000000000000003.snapshot"]


@pytest.mark.parametrize(("policy", "syncs"), [("delete", False), (COMPACT, True)])
def test_only_a_compacted_log_syncs_what_it_rolls(policy, syncs):
    bench = Bench(replace(SMALL, cleanup_policy=frozenset({policy})))
    log = bench.open()
    fill(log, 3)
    bench.files.faults.add(Fault("sync", "*.log"))
    if syncs:
        with pytest.raises(DiskFailedError):
            log.roll()
    else:
        log.roll()
        assert log.flush_due


def test_a_roll_takes_the_indexes_along_where_recovery_would_not_look_again():
    bench = Bench(ROOMY)
    log = bench.open()
    fill(log, 3)
    log.flush()
    bench.files.faults.add(Fault("sync", "*.index"))
    with pytest.raises(DiskFailedError):
        log.roll()
