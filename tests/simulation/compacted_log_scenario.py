"""A scenario with a compacted log: few keys, tombstones, transactions, and rounds of compaction."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.log.compaction.plan import measure
from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.settings import COMPACT
from moldau.protocol.records.record import iterate_records
from tests.broker.log.batches import around, record, varint
from tests.simulation.log_scenario import LogScenario
from tests.simulation.machine import SMALL
from tests.simulation.producer_truth import producer_truths
from tests.simulation.truth import Cell, Truth
from tests.simulation.verdict import served_by

KEYS = (b"a", b"b", b"c", b"d", b"e")
COMPACTED = replace(SMALL, cleanup_policy=frozenset({COMPACT}), delete_retention_ms=500)


class CompactedLogScenario(LogScenario):
    """The same operations on keyed records, and compaction."""

    settings = COMPACTED

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.cleaned_up_to: int | None = None

    def records(self, attributes, producer):
        """One to three keyed records; one value in four is a tombstone."""
        count = self.random.randrange(1, 4)
        block = b"".join(self._record(delta) for delta in range(count))
        now_ms = self.clock.now_ms()
        return around(block, count, 0, (now_ms,), 0, attributes, producer), count

    def _record(self, delta: int) -> bytes:
        key: bytes = self.one_of(KEYS)
        if self.random.randrange(0, 4):
            return record(delta, self.random.randbytes(self.random.randrange(1, 900)), key=key)
        body = b"\0" + varint(0) + varint(delta) + varint(len(key)) + key + varint(-1) + varint(0)
        return varint(len(body)) + body

    def compact(self) -> None:
        """A round, as the cleaner does it: below what is flushed and written down."""
        log = self.machine.log
        self.replicate()
        self.flush_sealed()
        self._perform("write recovery point", self.truth, self.machine.write_recovery_point)
        before, borders = self.truth, log.segments.base_offsets
        self.operations.append("compact")
        self.clock.advance_ms(self.random.randrange(1, 1_000))
        dirty = measure(log.state, self.cleaned_up_to, self.clock.now_ms())
        done = Compaction(log.state, dirty, self.clock.now_ms()).run()
        self.truth = after = before.compacted(served_by(log).cells)
        assert latest_values(after) == latest_values(before), "compaction lost the last of a key"
        self.on_operation(*mixtures(before, after, borders), after)
        self.cleaned_up_to = done.cleaned_up_to
        if self.random.randrange(0, 2):
            for removal in done.removals:
                removal.remove()
            self.on_operation(after)


def mixtures(before: Truth, after: Truth, borders: tuple[int, ...]) -> list[Truth]:
    """Each group of segments is switched on its own: compacted up to some border."""
    return [before, *(_mixture(before, after, border) for border in borders), after]


def _mixture(before: Truth, after: Truth, border: int) -> Truth:
    done = [cell for cell in after.cells if cell.header.base_offset < border]
    todo = [cell for cell in before.cells if cell.header.base_offset >= border]
    return replace(before, cells=(*done, *todo))


def latest_values(truth: Truth) -> dict[bytes | None, bytes]:
    """The last committed value of each key that is not deleted."""
    producers = producer_truths(truth.history)
    values: dict[bytes | None, bytes | None] = {}
    for cell in truth.cells:
        if not cell.header.is_control and not producers.is_aborted(cell):
            values.update(_values(cell))
    return {key: value for key, value in values.items() if value is not None}


def _values(cell: Cell) -> dict[bytes | None, bytes | None]:
    return {
        None if one.key is None else bytes(one.key): None if one.value is None else bytes(one.value)
        for one in iterate_records(cell.data)
    }
