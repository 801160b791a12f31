"""Rows of records in runs: as many at a time as a processor's cache holds.

Every step of reading goes over all records of a run. Small runs would pay for starting each step,
large ones for memory that comes from the system page by page and is cold when it is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from moldau.protocol.records.arrow.blocks import Block, Blocks
from moldau.protocol.records.arrow.walk import ROW_WIDTH, scan_block
from moldau.protocol.records.scan import ROW_SIZE

Integers = npt.NDArray[np.int64]

RUN_RECORDS = 4096
"""A run ends with the batch, or the scanner's step, in which it has reached this."""


class Piece(NamedTuple):
    """Some records of a block; positions in their rows count from the block's beginning."""

    block: Block
    data: bytes
    rows: bytes


class Run(NamedTuple):
    """Records one after another, of one batch or several."""

    first: int
    """The index of its first record among all."""
    pieces: list[Piece]
    rows: Integers
    counts: list[int]
    """How many records each piece has."""

    def per_record(self, of_a_block: Callable[[Block], int]) -> Integers:
        """A number that each block has, repeated for each of its records."""
        numbers = [of_a_block(piece.block) for piece in self.pieces]
        return np.repeat(np.array(numbers, np.int64), self.counts)


def iterate_runs(blocks: Blocks) -> Iterator[Run]:
    """All records, scanned."""
    first = size = 0
    pieces: list[Piece] = []
    for block in blocks.blocks:
        data = bytes(block.data)
        for rows in scan_block(data, block.header.record_count):
            pieces.append(Piece(block, data, rows))
            size += len(rows)
            if size >= RUN_RECORDS * ROW_SIZE:
                yield _run(first, pieces)
                first += size // ROW_SIZE
                size, pieces = 0, []
    if size:
        yield _run(first, pieces)


def _run(first: int, pieces: list[Piece]) -> Run:
    joined = b"".join([piece.rows for piece in pieces])
    rows = np.frombuffer(joined, "<i8").reshape(-1, ROW_WIDTH)
    return Run(first, pieces, rows, [len(piece.rows) // ROW_SIZE for piece in pieces])
