"""What a log must hold: the slow and obvious model that recovered logs are compared with.

A truth is a value: each operation makes a new one. After a crash in the middle of an operation the
log may be as before it or as after it; records that were not synced may be missing from the end,
and records below the log start may or may not have come back. Nothing else is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from moldau.errors import CorruptRecordError
from moldau.protocol.records.batch import HEADER_SIZE, BatchHeader, read_header


class Cell(NamedTuple):
    """One batch as it lies in the log."""

    header: BatchHeader
    data: bytes

    def __repr__(self) -> str:
        return f"{self.header.base_offset}-{self.header.last_offset}@{self.header.leader_epoch}"


@dataclass(frozen=True, slots=True)
class Truth:
    """One log at one moment."""

    cells: tuple[Cell, ...] = ()
    """What it holds, in order; what lies below `start` is still listed, for it may come back."""
    history: tuple[Cell, ...] = ()
    """All that was ever appended and not truncated, for producers and transactions."""
    start: int = 0
    end: int = 0
    kept_start: int = 0
    """The log start that is on the disk for certain."""
    kept_end: int = 0
    """Everything below is on the disk for certain."""
    forgetful: bool = False
    """It was compacted, then cut: what compaction took of a producer's past is not known."""

    def appended(self, batch: bytes) -> Truth:
        cell = Cell(read_header(batch), bytes(batch))
        return replace(
            self,
            cells=(*self.cells, cell),
            history=(*self.history, cell),
            end=cell.header.next_offset,
        )

    def flushed(self) -> Truth:
        return replace(self, kept_end=self.end)

    def truncated(self, end: int) -> Truth:
        return replace(
            self,
            cells=tuple(cell for cell in self.cells if cell.header.last_offset < end),
            history=tuple(cell for cell in self.history if cell.header.last_offset < end),
            start=min(self.start, end),
            kept_start=min(self.kept_start, end),
            end=end,
            kept_end=min(self.kept_end, end),
            forgetful=self.forgetful or self.cells != self.history,
        )

    def begun_anew(self, offset: int) -> Truth:
        return Truth(start=offset, end=offset, kept_start=0, kept_end=0)

    def started_at(self, start: int) -> Truth:
        return replace(self, start=max(self.start, start))

    def start_kept(self) -> Truth:
        return replace(self, kept_start=self.start)

    def compacted(self, cells: tuple[Cell, ...]) -> Truth:
        below = tuple(cell for cell in self.cells if cell.header.last_offset < self.start)
        return replace(self, cells=below + cells)


def cells_of(data: bytes) -> list[Cell]:
    """The whole batches in these bytes."""
    cells, position = [], 0
    while position + HEADER_SIZE <= len(data):
        header = read_header(data, position)
        if header.size < HEADER_SIZE:
            raise CorruptRecordError(f"a batch claims {header.size} bytes")
        if position + header.size > len(data):
            break
        cells.append(Cell(header, data[position : position + header.size]))
        position += header.size
    return cells
