"""Murmur2 as Kafka's Java client computes it: which partition a key belongs to.

The seed, the mixing and the signed arithmetic are those of `org.apache.kafka.common.utils.Utils`;
all clients that share keyed topics with Java's have to agree on every bit.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import BytesWriter, read_i32_le, read_i64_le, write_i32_le

if TYPE_CHECKING:
    from mypy_extensions import i32, i64

SEED: Final = 0x9747B28C
FACTOR: Final = 0x5BD1E995
MASK: Final = 0xFFFFFFFF
POSITIVE: Final = 0x7FFFFFFF


def murmur2(data: bytes) -> int:
    """The hash as 32 bits without a sign."""
    hashed: i64 = _murmur2(data, 0, len(data))
    return hashed


def keyed_partition(key: bytes, partition_count: i64) -> int:
    """The partition of a key among so many."""
    hashed: i64 = _murmur2(key, 0, len(key))
    return (hashed & POSITIVE) % partition_count


# hot: one call for a column of keys; no object per key.
def keyed_partitions(
    data: bytes, base: i64, offsets: bytes, lengths: bytes, partition_count: i64
) -> bytes:
    """For each key its partition, int32; -1 for those that are null, whose length is negative."""
    partitions = BytesWriter()
    position: i64 = 0
    end: i64 = len(offsets)
    while position < end:
        length: i64 = read_i64_le(lengths, position)
        partition: i32 = -1
        if length >= 0:
            start: i64 = read_i64_le(offsets, position) - base
            chosen: int = (_murmur2(data, start, length) & POSITIVE) % partition_count
            partition = chosen
        write_i32_le(partitions, partition)
        position += 8
    return partitions.getvalue()


def _murmur2(data: bytes, start: i64, length: i64) -> i64:
    hashed: i64 = SEED ^ length
    position: i64 = start
    end: i64 = start + (length & ~3)
    while position < end:
        word: i64 = int(read_i32_le(data, position)) & MASK
        word = (word * FACTOR) & MASK
        word ^= word >> 24
        word = (word * FACTOR) & MASK
        hashed = ((hashed * FACTOR) & MASK) ^ word
        position += 4
    rest: i64 = length & 3
    if rest == 3:
        hashed ^= data[position + 2] << 16
    if rest >= 2:
        hashed ^= data[position + 1] << 8
    if rest >= 1:
        hashed ^= data[position]
        hashed = (hashed * FACTOR) & MASK
    hashed ^= hashed >> 13
    hashed = (hashed * FACTOR) & MASK
    hashed ^= hashed >> 15
    return hashed
