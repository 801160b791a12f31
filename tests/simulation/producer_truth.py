"""Producers, transactions and epochs, derived from the batches alone, without any cleverness."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from moldau.broker.log.producers.end_marker import read_end_marker
from tests.simulation.truth import Cell


@dataclass
class ProducerTruth:
    """What the batches show of one producer."""

    epoch: int = -1
    last_sequence: int = -1
    last_offset: int = -1
    open_since: int | None = None


@dataclass
class ProducerTruths:
    """What a sequence of batches shows of all producers."""

    producers: dict[int, ProducerTruth] = field(default_factory=dict)
    aborted: list[tuple[int, int, int]] = field(default_factory=list)
    """(producer id, first offset, offset of the marker)"""
    committed: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def first_open(self) -> int | None:
        opened = [p.open_since for p in self.producers.values() if p.open_since is not None]
        return min(opened, default=None)

    def is_aborted(self, cell: Cell) -> bool:
        """Whether these are records that a reader of committed data must not see."""
        header = cell.header
        return header.is_transactional and any(
            producer_id == header.producer_id and first <= header.base_offset < marker
            for producer_id, first, marker in self.aborted
        )


def producer_truths(cells: Iterable[Cell]) -> ProducerTruths:
    """Read the batches in order."""
    truths = ProducerTruths()
    for cell in cells:
        if cell.header.producer_id >= 0:
            _take(truths, cell)
    return truths


def _take(truths: ProducerTruths, cell: Cell) -> None:
    header = cell.header
    producer = truths.producers.setdefault(header.producer_id, ProducerTruth())
    if producer.epoch != header.producer_epoch:
        producer.epoch = header.producer_epoch
        producer.last_sequence = producer.last_offset = -1
    if header.is_control:
        if producer.open_since is not None:
            ended = header.producer_id, producer.open_since, header.base_offset
            aborts = not read_end_marker(cell.data).is_commit
            (truths.aborted if aborts else truths.committed).append(ended)
            producer.open_since = None
        return
    producer.last_sequence, producer.last_offset = header.last_sequence, header.last_offset
    if header.is_transactional and producer.open_since is None:
        producer.open_since = header.base_offset
