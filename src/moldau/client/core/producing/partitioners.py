"""Which partition a record goes to that names none.

With a key it is the key's own, by Java's murmur2 or librdkafka's CRC-32, so that records of a key
stay in order and clients of all languages agree. Without one it is whatever partition the last
record went to, until that has got a batch's worth of bytes; then another is drawn (KIP-480). With
adaptive partitioning those with less to do are drawn more often (KIP-794).

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeAlias
from zlib import crc32

from moldau.client.core.failure import Failure
from moldau.client.core.producing.murmur2 import keyed_partition
from moldau.client.errors import InvalidArgumentError, PartitionerError
from moldau.platform.ports.randomness import Random

__all__ = [
    "InTurn",
    "KeyPartitioner",
    "Partitioner",
    "Sticky",
    "key_partitioner",
    "own_partition",
]

Partitioner: TypeAlias = Callable[[str, bytes | None, bytes | None, int], int | None]
"""Of your own: topic, key, value and the count of partitions; None leaves it to the sticky one."""
KeyPartitioner: TypeAlias = Callable[[bytes, int], int]


def key_partitioner(name: str) -> KeyPartitioner | None:
    """The partition of a key; None where keys have no say."""
    match name:
        case "murmur2":
            return keyed_partition
        case "consistent_random":
            return _consistent
        case _:
            return None


def _consistent(key: bytes, partition_count: int) -> int:
    """As librdkafka's default; to which an empty key is none."""
    return crc32(key) % partition_count if key else -1


def own_partition(
    choose: Callable[[str, bytes | None, bytes | None, int], object],
    topic: str,
    key: bytes | None,
    value: bytes | None,
    partition_count: int,
) -> int:
    """By a partitioner of the user's own; -1 where it leaves that to the sticky one."""
    with Failure() as failure:
        return _checked(choose(topic, key, value, partition_count), partition_count)
    assert failure.error is not None, "nothing was chosen"
    if isinstance(failure.error, InvalidArgumentError):
        raise failure.error
    refused = PartitionerError(topic, failure.error)
    refused.__cause__ = failure.error  # a compiled module loses what stands behind `from`
    raise refused


def _checked(partition: object, partition_count: int) -> int:
    """What a partitioner of the user's own returned."""
    if partition is None:
        return -1
    if not isinstance(partition, int) or not 0 <= partition < partition_count:
        raise InvalidArgumentError(
            f"the partitioner chose partition {partition!r}: the topic has 0 to "
            f"{partition_count - 1}"
        )
    return partition


class Sticky:
    """Where the keyless records of a topic go at the moment."""

    __slots__ = ("_bytes", "_random", "_switch_bytes", "partition")

    def __init__(self, random: Random, switch_bytes: int) -> None:
        self._random = random
        self._switch_bytes = max(switch_bytes, 1)
        self._bytes = 0
        self.partition = -1

    def __repr__(self) -> str:
        return f"<Sticky: partition {self.partition}, {self._bytes} bytes>"

    def took(self, size: int) -> bool:
        """So many bytes went there; whether that is enough for it."""
        self._bytes += size
        return self._bytes >= self._switch_bytes

    def choose(self, available: Sequence[int], loads: Sequence[int] | None) -> int:
        """Another one of these, each with what waits for it already, if that counts."""
        self._bytes = 0
        self.partition = available[self._index(len(available), loads)]
        return self.partition

    def _index(self, count: int, loads: Sequence[int] | None) -> int:
        if loads is None or len(set(loads)) == 1:
            return self._random.randrange(0, count)
        most = max(loads) + 1
        weights = list(accumulate(most - load for load in loads))
        return bisect_right(weights, self._random.randrange(0, weights[-1]))


class InTurn:
    """One partition after the other."""

    __slots__ = ("_next",)

    def __init__(self, first: int) -> None:
        self._next = first

    def choose(self, partitions: Sequence[int]) -> int:
        self._next += 1
        return partitions[self._next % len(partitions)]
