"""What came with a fetch, as far as batch headers show: where to go on, and what to step over.

A fetch may begin with a batch that holds earlier offsets too, and end in the middle of one. Where
compaction has been there are holes between batches, and in them: the next offset to ask for comes
from the last header, never from a count of records.

Who reads committed records only is given the aborted transactions that touch the answer, as
producer and first offset (KIP-98). From that offset to the producer's abort marker every
transactional batch of it is void. Transactions that are still open are not a matter here: the
broker sends nothing from the first of them on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    MAGIC,
    NO_LEADER_EPOCH,
    BatchHeader,
    iterate_batches,
    read_header,
)
from moldau.protocol.records.control import ControlType, parse_key
from moldau.protocol.records.record import iterate_records

__all__ = ["Aborted", "Contents", "OldFormat", "look_through"]


MAGIC_POSITION = 16


class Aborted(NamedTuple):
    """A transaction whose records are void."""

    producer_id: int
    first_offset: int


class OldFormat(NamedTuple):
    """Instead of contents: a batch that is no batch, but a message of format 0 or 1."""

    offset: int
    magic: int


class Contents(NamedTuple):
    """What some batches in a row hold."""

    next_offset: int | None
    """The offset after the last batch; None where no batch is whole."""
    last_epoch: int
    """The leader epoch of that batch."""
    void: frozenset[int]
    """Base offsets of batches that belong to aborted transactions."""


def look_through(records: Buffer, aborted: Sequence[Aborted] = ()) -> Contents | OldFormat:
    """Read all headers; of the records, only the markers of transactions."""
    if (old := _old_format(records)) is not None:
        return old
    verdicts = _Verdicts(aborted) if aborted else None
    header: BatchHeader | None = None
    for batch in iterate_batches(records):
        header = read_header(batch)
        if header.magic != MAGIC:
            return OldFormat(header.base_offset, header.magic)
        if verdicts is not None and header.has_producer:
            verdicts.look(batch, header)
    if header is None:
        return Contents(None, NO_LEADER_EPOCH, frozenset())
    void = frozenset() if verdicts is None else frozenset(verdicts.void)
    return Contents(header.next_offset, header.leader_epoch, void)


class _Verdicts:
    """Which producers are in the middle of an aborted transaction, batch by batch."""

    def __init__(self, aborted: Sequence[Aborted]) -> None:
        self._pending = deque(sorted(aborted, key=lambda transaction: transaction.first_offset))
        self._aborting: set[int] = set()
        self.void: set[int] = set()

    def look(self, batch: Buffer, header: BatchHeader) -> None:
        while self._pending and self._pending[0].first_offset <= header.last_offset:
            self._aborting.add(self._pending.popleft().producer_id)
        if header.is_control:
            if _is_abort_marker(batch):
                self._aborting.discard(header.producer_id)
        elif header.is_transactional and header.producer_id in self._aborting:
            self.void.add(header.base_offset)


def _old_format(records: Buffer) -> OldFormat | None:
    """Old messages may be shorter than a batch's header, so the first is looked at by itself."""
    if len(records) <= MAGIC_POSITION or records[MAGIC_POSITION] == MAGIC:
        return None
    offset = int.from_bytes(bytes(records[:8]), "big", signed=True)
    return OldFormat(offset, records[MAGIC_POSITION])


def _is_abort_marker(batch: Buffer) -> bool:
    first = next(iter(iterate_records(batch)), None)
    return first is not None and parse_key(first.key) is ControlType.ABORT
