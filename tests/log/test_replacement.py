from __future__ import annotations

import random

from moldau.log.opening import Remembered
from moldau.log.segment import Segment
from moldau.records.batch import read_header
from moldau.simulated.disk import Disk
from moldau.simulated.disk_crash import CrashState, crash_states
from moldau.simulated.files import SimulatedFiles
from tests.log.logs import DIRECTORY, SMALL, Bench, fill, offsets_of

STATES = 25
"""Looked at before each barrier."""


class WatchedFiles(SimulatedFiles):
    """Remembers what a crash could leave just before each sync of the directory."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(disk=disk)
        self.states: list[CrashState] = []

    def sync_directory(self, path: str) -> None:
        self.states += crash_states(self.disk, random.Random(len(self.states)), STATES)
        super().sync_directory(path)


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
    log.replace_segments([cleaned(bench, old)], old).remove()
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
        segment._files = watched
    log.replace_segments([new], old).remove()
    allowed = [before, offsets_of(log)]
    states = [*watched.states, *crash_states(watched.disk, random.Random(7), STATES)]
    found = []
    for state in states:
        crashed = Bench(files=SimulatedFiles(disk=state.disk))
        found.append(offsets_of(crashed.open(Remembered(recovery_point=30))))
        assert found[-1] in allowed, state.story
    assert [found.count(each) > 0 for each in allowed] == [True, True]
