"""Compacted segments take the place of the old ones."""

from __future__ import annotations

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.compaction.replacement import replace_segments
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.segment.segment import Segment
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch, marker
from tests.broker.log.logs import DIRECTORY, SMALL, Bench, WatchedFiles, fill, offsets_of


def cleaned(bench: Bench, old: list[Segment]) -> Segment:
    """A segment with the batches of even offsets."""
    new = Segment.create(
        bench.files, DIRECTORY, old[0].base_offset, SMALL, now_ms=0, suffix=".cleaned"
    )
    for segment in old:
        for position, header in segment.batches():
            if header.base_offset % 2 == 0:
                data = segment.read_batch(position, header)
                new.append(data, [read_header(data)])
    new.seal()
    return new


def test_the_new_segments_are_read_in_place_of_the_old():
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    old = list(log.segments)[:3]
    replace_segments(log.state, [cleaned(bench, old)], old).remove()
    end = log.segments.base_offsets[1]
    assert offsets_of(log) == [*range(0, end, 2), *range(end, 30)]
    assert [name for name in bench.names() if name.endswith((".deleted", ".swap"))] == []


def test_a_crash_leaves_the_old_segments_or_the_new():
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    log.flush()
    before = offsets_of(log)
    old = list(log.segments)[:3]
    new = cleaned(bench, old)
    watched = WatchedFiles(disk=bench.files.disk)
    log.state.files = watched
    for segment in (*old, new):
        segment._files._files = watched
    replace_segments(log.state, [new], old).remove()
    allowed = [before, offsets_of(log)]
    states = watched.all_states()
    found = []
    for state in states:
        crashed = Bench(files=SimulatedFiles(disk=state.disk))
        found.append(offsets_of(crashed.open(Remembered(recovery_point=30))))
        assert found[-1] in allowed, state.origin
    assert [found.count(each) > 0 for each in allowed] == [True, True]


def log_with_an_abort(bench: Bench) -> PartitionLog:
    log = bench.open()
    log.append_as_leader(batch(0, (b"v",), attributes=0x10, producer=(1, 0, 0)), 0)
    log.append_as_leader(marker(1, commit=False), 0, AppendOrigin.COORDINATOR)
    fill(log, 30)
    log.flush()
    return log


@pytest.mark.parametrize("keeps_abort", [True, False])
def test_what_was_aborted_goes_with_its_segment_whatever_crashes(keeps_abort):
    bench = Bench()
    log = log_with_an_abort(bench)
    old = log.segments.first
    new, size = cleaned(bench, [old]), old.size
    aborted = list(old.transaction_index.entries())
    if keeps_abort:
        new.transaction_index.append(aborted[0])
    watched = WatchedFiles(disk=bench.files.disk)
    log.state.files = old._files._files = new._files._files = watched
    replace_segments(log.state, [new], [old]).remove()
    for state in watched.all_states():
        crashed = Bench(files=SimulatedFiles(disk=state.disk))
        first = crashed.open(Remembered(recovery_point=32)).segments.first
        kept = aborted if keeps_abort or first.size == size else []
        assert list(first.transaction_index.entries()) == kept, state.origin
