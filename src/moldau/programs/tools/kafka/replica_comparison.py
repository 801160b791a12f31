"""Whether replicas agree: which batches of theirs are compared, and what is reported of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.records.batch import BatchHeader

if TYPE_CHECKING:
    from moldau.client.admin import ReplicaBatches

__all__ = ["Comparison", "OffsetMismatchError"]

Found: TypeAlias = Mapping[int, Mapping[TopicPartition, "ReplicaBatches"]]


class OffsetMismatchError(MoldauError):
    """Batches of replicas end at different offsets: what follows cannot be compared."""


class Comparison:
    """How far each partition has been compared."""

    def __init__(
        self,
        replicas: Mapping[TopicPartition, Sequence[int]],
        starts: Mapping[TopicPartition, int],
    ) -> None:
        self._replicas = replicas
        self._offsets = dict(starts)
        self._lags: dict[TopicPartition, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return f"<Comparison of {len(self._replicas)} partitions>"

    def wanted(self) -> dict[int, dict[TopicPartition, int]]:
        """From which offset each broker's replicas are read next."""
        found: dict[int, dict[TopicPartition, int]] = {}
        for part, brokers in self._replicas.items():
            for broker in brokers:
                found.setdefault(broker, {})[part] = self._offsets[part]
        return found

    def compare(self, found: Found) -> list[str]:
        """What differs, a sentence each; `OffsetMismatchError` where nothing fits any more."""
        return [line for part in self._replicas for line in self._compared(part, found)]

    @property
    def report(self) -> str:
        """The partition whose replicas are furthest from the newest high watermark."""
        part, (lag, offset) = max(self._lags.items(), key=lambda one: one[1][0])
        among = f"among {len(self._replicas)} partitions"
        return f"max lag is {lag} for partition {part} at offset {offset} {among}"

    def _compared(self, part: TopicPartition, found: Found) -> Iterator[str]:
        replicas = {broker: found[broker][part] for broker in self._replicas[part]}
        newest = max(one.high_watermark for one in replicas.values())
        for headers in zip(*(one.headers for one in replicas.values()), strict=False):
            batches = dict(zip(replicas, headers, strict=True))
            if any(one.last_offset >= replicas[of].high_watermark for of, one in batches.items()):
                break
            first, *others = batches
            for other in others:
                yield from _difference(part, (first, batches[first]), (other, batches[other]))
            self._offsets[part] = batches[first].next_offset
        self._lags[part] = newest - self._offsets[part], self._offsets[part]


def _difference(
    part: TopicPartition, one: tuple[int, BatchHeader], other: tuple[int, BatchHeader]
) -> Iterator[str]:
    (first, batch), (second, beside) = one, other
    if batch.last_offset != beside.last_offset:
        raise OffsetMismatchError(
            f"partition {part}: replica {first}'s offset {batch.last_offset} doesn't match replica "
            f"{second}'s offset {beside.last_offset}"
        )
    if batch.crc != beside.crc:
        yield (
            f"partition {part} has unmatched checksum at offset {batch.last_offset}; replica "
            f"{first}'s checksum {batch.crc}; replica {second}'s checksum {beside.crc}"
        )
