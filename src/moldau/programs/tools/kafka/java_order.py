"""The order in which Kafka's tools show what Java's HashMap has kept for them.

Scripts that take the first line, or that compare two outputs, depend on it. A HashMap has 16
buckets and doubles them when they are three quarters full. A key's bucket is its hash, the upper
half mixed into the lower; within a bucket, keys stay as they came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from moldau.client import TopicPartition

__all__ = ["in_java_order", "partitions_in_java_order"]

Key = TypeVar("Key")

BUCKETS = 16
MASK_32 = 0xFFFFFFFF


def in_java_order(texts: Iterable[str], buckets: int = BUCKETS) -> list[str]:
    """These texts as a HashMap gives them back, if it was made for so many."""
    return _ordered(list(texts), _text_hash, buckets)


def partitions_in_java_order(parts: Iterable[TopicPartition]) -> list[TopicPartition]:
    """Likewise, if they came in the order of their names."""
    return _ordered(sorted(parts), _partition_hash, BUCKETS)


def _ordered(kept: list[Key], hash_of: Callable[[Key], int], buckets: int) -> list[Key]:
    buckets = 1 << max(buckets - 1, 0).bit_length()
    while len(kept) > buckets * 3 // 4:
        buckets *= 2
    return sorted(kept, key=lambda one: _spread(hash_of(one)) & (buckets - 1))


def _spread(code: int) -> int:
    return code ^ code >> 16


def _text_hash(text: str) -> int:
    code = 0
    units = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + (high << 8 | low)) & MASK_32
    return code


def _partition_hash(part: TopicPartition) -> int:
    return (31 * (31 + part.partition) + _text_hash(part.topic)) & MASK_32
