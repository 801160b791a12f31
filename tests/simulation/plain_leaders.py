"""The leaders of a topic as a producer meets them: logs, and what Kafka remembers of a producer.

It is written to be obvious: a log is a list of values, and of a producer there is its epoch and its
last five batches in each partition. Who leads may change; what was appended never goes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from moldau.protocol.records.batch import BatchHeader, read_header
from moldau.protocol.records.record import iterate_records
from moldau.protocol.wire.error_codes import ErrorCode

REMEMBERED = 5
"""Batches of a producer in a partition."""
POISON = b"poison"
"""A batch with a value that begins so is refused as a whole."""


@dataclass(frozen=True)
class Noted:
    """A batch that was appended."""

    sequence: int
    count: int
    offset: int


class Row(NamedTuple):
    """What is answered about one partition."""

    code: ErrorCode
    offset: int = -1


@dataclass
class Known:
    """What a partition knows of a producer."""

    epoch: int
    batches: list[Noted] = field(default_factory=list)


class Partition:
    """One log, wherever its leader is."""

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.leader_epoch = 1
        self.log: list[bytes] = []
        self._producers: dict[int, Known] = {}

    def move(self, leader: int) -> None:
        self.leader = leader
        self.leader_epoch += 1

    def append(self, records: bytearray, most_bytes: int) -> Row:
        """As Kafka does, for a producer that numbers what it sends."""
        if len(records) > most_bytes:
            return Row(ErrorCode.MESSAGE_TOO_LARGE)
        if any(value.startswith(POISON) for value in values_of(records)):
            return Row(ErrorCode.INVALID_RECORD)
        header = read_header(records)
        known = self._producers.get(header.producer_id)
        if known is not None and header.producer_epoch < known.epoch:
            return Row(ErrorCode.INVALID_PRODUCER_EPOCH)
        if known is not None and header.producer_epoch == known.epoch:
            for noted in known.batches:
                if (noted.sequence, noted.count) == (header.base_sequence, header.record_count):
                    return Row(ErrorCode.NONE, noted.offset)
        if header.base_sequence != self._expected(header, known):
            return Row(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
        return Row(ErrorCode.NONE, self._take(header, records))

    def _expected(self, header: BatchHeader, known: Known | None) -> int:
        if known is None:  # any number will do
            return header.base_sequence
        if header.producer_epoch > known.epoch:
            return 0
        last = known.batches[-1]
        return last.sequence + last.count

    def _take(self, header: BatchHeader, records: bytearray) -> int:
        known = self._producers.get(header.producer_id)
        if known is None or known.epoch != header.producer_epoch:
            known = self._producers[header.producer_id] = Known(header.producer_epoch)
        offset = len(self.log)
        self.log += values_of(records)
        known.batches.append(Noted(header.base_sequence, header.record_count, offset))
        del known.batches[:-REMEMBERED]
        return offset


def values_of(records: bytearray) -> list[bytes]:
    return [record.value or b"" for record in iterate_records(records)]
