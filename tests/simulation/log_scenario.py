"""A scenario: one log, a few operations chosen by a seed, and the truth that they add up to.

Producers 1 and 2 are idempotent, 3 and 4 transactional, so that all kinds of batches mix. Every
operation is one method; it makes the new truth before it touches the disk, so that a crash in the
middle can be judged by both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

from moldau.broker.log.append_origin import AppendOrigin
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import (
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    TRANSACTIONAL_BIT,
)
from tests.broker.log.batches import batch
from tests.simulation.machine import SMALL, Machine, format_machine, start_machine
from tests.simulation.marker_batches import marker
from tests.simulation.truth import Truth

IDEMPOTENT, TRANSACTIONAL = (1, 2), (3, 4)


class LogScenario:
    """A running machine and what must be true of its log."""

    settings = SMALL

    def __init__(self, seed: str) -> None:
        self.random = SeededRandom(seed)
        self.clock = SimulatedClock()
        self.files = SimulatedFiles(self.clock)
        format_machine(self.files)
        self.machine: Machine = start_machine(self.files, self.clock, self.settings)
        self.truth = Truth()
        self.leader_epoch = 0
        self.operations: list[str] = []
        self.sequences = dict.fromkeys((*IDEMPOTENT, *TRANSACTIONAL), 0)
        self.open: set[int] = set()
        self.on_operation: Callable[..., None] = lambda *truths: None
        """Called when an operation is over, with all that may be true if it was cut off."""

    # Operations. Each notes what it does, then calls `_perform` with truth and deed.

    def _perform(self, name: str, after: Truth, deed: Callable[[], object]) -> None:
        self.operations.append(name)
        before, self.truth = self.truth, after
        self.clock.advance_ms(self.random.randrange(1, 50))
        deed()
        self.on_operation(before, after)

    def append(self) -> None:
        """Plain records, of sizes that fill lines, pages and more."""
        records, count = self.records(0, (NO_PRODUCER_ID, NO_PRODUCER_EPOCH, NO_SEQUENCE))
        self._append(f"append {count} records", records)

    def append_idempotent(self) -> None:
        producer_id = self.one_of(IDEMPOTENT)
        self._append_of(producer_id, 0)

    def append_in_transaction(self) -> None:
        producer_id = self.one_of(TRANSACTIONAL)
        self._append_of(producer_id, TRANSACTIONAL_BIT)
        self.open.add(producer_id)

    def end_transaction(self, *, aborts: bool | None = None) -> None:
        """Commit or abort one that is open; without one, begin one."""
        if not self.open:
            self.append_in_transaction()
            return
        producer_id = self.one_of(sorted(self.open))
        if aborts is None:
            aborts = bool(self.random.randrange(0, 2))
        self.open.discard(producer_id)
        ending = marker(producer_id, 0, aborts=aborts, timestamp=self.clock.now_ms())
        name = f"{'abort' if aborts else 'commit'} of producer {producer_id}"
        self._append(name, ending, AppendOrigin.COORDINATOR)

    def roll(self) -> None:
        self._perform("roll", self.truth, self.machine.log.roll)

    def flush(self) -> None:
        self._perform("flush", self.truth, self.machine.log.flush)
        self.truth = self.truth.flushed()
        self.on_operation(self.truth)

    def flush_sealed(self) -> None:
        """What the node does after a roll: sync up to the active segment."""
        up_to = self.machine.log.segments.active.base_offset
        self._perform(f"flush up to {up_to}", self.truth, lambda: self.machine.log.flush(up_to))
        kept_end = max(self.truth.kept_end, min(up_to, self.truth.end))
        self.truth = replace(self.truth, kept_end=kept_end)
        self.on_operation(self.truth)

    def checkpoint(self) -> None:
        """The three files that a node writes every few seconds."""
        machine = self.machine
        self._perform("write recovery point", self.truth, machine.write_recovery_point)
        self._perform("write high watermark", self.truth, machine.write_high_watermark)
        self._perform("write log start", self.truth, machine.write_log_start)
        self.truth = self.truth.start_kept()

    def replicate(self) -> None:
        """The high watermark follows; nothing is written."""
        self.machine.log.high_watermark = self.machine.log.log_end_offset

    def truncate(self, offset: int | None = None) -> None:
        """A new leader has less than we: cut the end, as a follower, and go on in its epoch."""
        cells = [c for c in self.truth.cells if c.header.base_offset >= self.truth.start]
        if cells:
            if offset is None:
                offset = self.random.randrange(cells[0].header.base_offset, self.truth.end)
            end = next(c for c in cells if c.header.last_offset >= offset).header.base_offset
            after = self.truth.truncated(end)
            deed = partial(self._truncate_to, offset)
            self._perform(f"truncate to {offset}", after, deed)
        self._new_epoch()

    def _truncate_to(self, offset: int) -> None:
        self.machine.log.truncate_to(offset)
        self.machine.write_recovery_point()

    def begin_anew(self) -> None:
        """Our log has nothing that the leader still has."""
        offset = self.truth.end + self.random.randrange(0, 100)
        after = self.truth.begun_anew(offset)
        self._perform(f"begin anew at {offset}", after, lambda: self._begin_anew(offset))
        self._new_epoch()

    def _begin_anew(self, offset: int) -> None:
        self.machine.log.truncate_fully_and_start_at(offset)
        self.machine.write_recovery_point()

    def delete_records(self, offset: int | None = None) -> None:
        """The log starts later; segments that lie below go."""
        self.replicate()
        if offset is None:
            offset = self.random.randrange(self.truth.start, self.truth.end + 1)
        after = self.truth.started_at(offset)
        self._perform(f"start at {offset}", after, lambda: self._delete_records(offset))

    def _delete_records(self, offset: int) -> None:
        log = self.machine.log
        log.advance_start_offset(offset)
        segments = list(log.segments)
        following = pairwise(segments)
        gone = [segment for segment, after in following if after.base_offset <= offset]
        if gone:
            removal = log.delete_segments(gone)
            if self.random.randrange(0, 2):
                removal.remove()

    def restart(self) -> None:
        """A stop in order, and a start."""
        after = self.truth.flushed().start_kept()
        self._perform("stop", self.truth, self.machine.stop)
        self.truth = after
        self.on_operation(after)
        self._perform("start", self.truth, self._start)

    def _start(self) -> None:
        self.machine = start_machine(self.files, self.clock, self.settings)
        if self.truth.start == self.truth.end:
            # No snapshot at or below the log's start outlives a start, and there is no batch.
            self._continue_sequences()

    # Their parts.

    def _append_of(self, producer_id: int, attributes: int) -> None:
        records, count = self.records(attributes, (producer_id, 0, self.sequences[producer_id]))
        self.sequences[producer_id] += count
        self._append(f"append {count} of producer {producer_id}", records)

    def records(self, attributes, producer):
        """A batch, and how many records it has."""
        count = self.random.randrange(1, 4)
        size = self.one_of((10, 60, 400, 1_500))
        sizes = [self.random.randrange(1, size) for _ in range(count)]
        values = tuple(map(self.random.randbytes, sizes))
        now_ms = self.clock.now_ms()
        return batch(0, values, now_ms, attributes=attributes, producer=producer), count

    def _append(
        self, name: str, records: bytearray, origin: AppendOrigin = AppendOrigin.CLIENT
    ) -> None:
        placed = bytearray(records)
        placed[:8] = self.truth.end.to_bytes(8, "big")
        placed[12:16] = self.leader_epoch.to_bytes(4, "big")
        log, epoch = self.machine.log, self.leader_epoch
        self._perform(
            f"{name} ({len(records)} bytes)",
            self.truth.appended(bytes(placed)),
            lambda: log.append_as_leader(records, epoch, origin),
        )

    def _new_epoch(self) -> None:
        """Producers, too, begin anew where they stand: what was cut is not sent again."""
        self.leader_epoch += 1
        self._continue_sequences()
        self.open = {
            entry.producer_id
            for entry in self.machine.log.producers.active()
            if entry.transaction_first_offset is not None
        }

    def _continue_sequences(self) -> None:
        """Each producer goes on with the sequence that the log expects of it."""
        for producer_id in self.sequences:
            entry = self.machine.log.producers.entry(producer_id)
            self.sequences[producer_id] = 0 if entry is None else entry.last_sequence + 1

    def one_of(self, choices):
        return choices[self.random.randrange(0, len(choices))]
