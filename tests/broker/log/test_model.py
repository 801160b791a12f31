"""The log against a plain list of batches, through rolls, cuts, restarts, kills and power cuts.

The promises: what is read is the list; after a clean stop or a killed process nothing is missing;
after a power cut what is left is a beginning of the list, and no shorter than the recovery point.
Leader epochs, producers and look-ups by time agree with what is left.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from moldau.broker.log.opening import Remembered
from moldau.broker.log.settings import COMPACT
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk_crash import drawn_state
from moldau.platform.simulated.files import SimulatedFiles
from moldau.protocol.records.batch import read_header
from tests.broker.log.batches import batch
from tests.broker.log.logs import SMALL, Bench, batches_of
from tests.conftest import LONG

FIRST_MS = 1_000
PRODUCERS = 3


class LogMachine(RuleBasedStateMachine):
    """Operations on a log and on the list that it should be."""

    settings_of_log = SMALL

    def __init__(self):
        super().__init__()
        self.bench = Bench(
            replace(self.settings_of_log, segment_bytes=700), clock=SimulatedClock(FIRST_MS)
        )
        self.log = self.bench.open()
        self.model: list[bytes] = []
        self.epoch = 0
        self.start_offset = self.end_offset = 0
        self.recovery_point = 0
        self.sequences = [0] * PRODUCERS

    @rule(
        count=st.integers(1, 4),
        size=st.integers(0, 120),
        timestamp=st.integers(FIRST_MS, FIRST_MS + 500),
        producer=st.integers(0, PRODUCERS - 1),
    )
    def append(self, count, size, timestamp, producer):
        values = tuple(b"x" * size for _ in range(count))
        identity = (producer, self.epoch % 2**15, self.sequences[producer])
        data = batch(0, values, timestamp, producer=identity)
        result = self.log.append_as_leader(data, self.epoch)
        assert not result.is_duplicate
        stored = batch(
            self.end_offset, values, timestamp, leader_epoch=self.epoch, producer=identity
        )
        self.model.append(bytes(stored))
        self.end_offset += count
        self.sequences[producer] += count

    @rule(data=st.data())
    def truncate(self, data):
        offset = data.draw(st.integers(max(0, self.start_offset - 2), self.end_offset + 1))
        starts_anew = offset < self.log.segments.first.base_offset
        self.log.truncate_to(offset)
        while self.model and read_header(self.model[-1]).next_offset > offset:
            self.end_offset = read_header(self.model.pop()).base_offset
        if starts_anew:
            self.end_offset = offset
        self.start_offset = min(self.start_offset, self.end_offset)
        self.recovery_point = self.log.recovery_point
        self._next_epoch()

    @rule(gap=st.integers(0, 5))
    def truncate_fully(self, gap):
        self.end_offset += gap
        self.log.truncate_fully_and_start_at(self.end_offset)
        self.model.clear()
        self.start_offset = self.recovery_point = self.end_offset
        self._next_epoch()

    def _next_epoch(self):
        """New data after a cut always comes under a new leader, and producers begin anew."""
        self.epoch += 1
        self.sequences = [0] * PRODUCERS

    @rule(data=st.data())
    def advance_start(self, data):
        self.log.high_watermark = self.end_offset
        offset = data.draw(st.integers(self.start_offset, self.end_offset))
        self.log.advance_start_offset(offset)
        self.start_offset = max(self.start_offset, offset)

    @rule()
    def delete_what_lies_below_the_start(self):
        segments = list(self.log.segments)
        bases = [segment.base_offset for segment in segments[1:]]
        old = [s for s, base in zip(segments, bases, strict=False) if base <= self.start_offset]
        self.log.delete_segments(old).remove()

    @rule()
    def roll(self):
        self.log.roll()

    @rule()
    def flush(self):
        self.log.flush()

    @rule()
    def checkpoint(self):
        self.recovery_point = self.log.recovery_point

    @rule()
    def restart(self):
        self.log.close()
        self.recovery_point = self.end_offset
        self._reopen(clean=True)
        assert self.log.log_end_offset == self.end_offset

    @rule()
    def be_killed(self):
        self._reopen(clean=False)
        assert self.log.log_end_offset == self.end_offset

    @rule(seed=st.integers(0, 2**32))
    def lose_power(self, seed):
        crashed = drawn_state(self.bench.files.disk, random.Random(seed))
        self.bench.files = SimulatedFiles(disk=crashed.disk)
        self._reopen(clean=False)
        self.end_offset = self.log.log_end_offset
        assert self.end_offset >= self.recovery_point, crashed.origin
        while self.model and read_header(self.model[-1]).next_offset > self.end_offset:
            self.model.pop()
        self._next_epoch()

    def _reopen(self, *, clean):
        self.log = self.bench.open(
            Remembered(clean, self.recovery_point, self.start_offset, self.end_offset)
        )

    @invariant()
    def reading_gives_the_list(self):
        visible = [data for data in self.model if read_header(data).next_offset > self.start_offset]
        found = batches_of(self.log)
        assert [data for _, data in found] == visible
        assert self.log.log_end_offset == self.end_offset
        for data in visible:
            header = read_header(data)
            assert self.log.epochs.epoch_for_offset(header.last_offset) == header.leader_epoch

    @invariant()
    def producers_go_on_after_their_last_batch(self):
        last = {read_header(data).producer_id: read_header(data) for data in self.model}
        for producer_id, header in last.items():
            entry = self.log.producers.entry(producer_id)
            if header.next_offset > self.start_offset:
                assert entry is not None
                assert (entry.last_offset, entry.epoch) == (
                    header.last_offset,
                    header.producer_epoch,
                )

    @rule(timestamp=st.integers(FIRST_MS - 1, FIRST_MS + 501))
    def look_up_time(self, timestamp):
        found = self.log.offset_for_timestamp(timestamp)
        headers = map(read_header, self.model)
        young = (
            max(header.base_offset, self.start_offset)
            for header in headers
            if header.max_timestamp >= timestamp and header.next_offset > self.start_offset
        )
        assert (found and found.offset) == next(young, None)


class CompactedLogMachine(LogMachine):
    """The same for a log whose segments may have gaps between them."""

    settings_of_log = replace(SMALL, cleanup_policy=frozenset({COMPACT}))


EXAMPLES = 400 if LONG else 60


@pytest.mark.parametrize("machine", [LogMachine, CompactedLogMachine])
def test_the_log_is_a_list_of_batches(machine):
    case = machine.TestCase
    case.settings = settings(max_examples=EXAMPLES, stateful_step_count=40, deadline=None)
    case().runTest()
