"""In which order Java meets the entries of a store: by the hashes of their aliases.

Its key manager (SunX509) shows the first key of the sort that is wanted, and keeps them in a
HashMap, into which they come as the store lists them: of PKCS#12 as in the file, of JKS and JCEKS
as a Hashtable has them. So which of two RSA keys is shown follows from their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moldau.platform.java_hash import java_hash

__all__ = ["as_a_hash_map", "as_a_hashtable"]

HASH_MASK = 0xFFFF_FFFF
POSITIVE = 0x7FFF_FFFF
MAP_SIZE, TABLE_SIZE = 16, 11
"""Of empty ones."""


def as_a_hash_map(aliases: Sequence[str]) -> list[str]:
    """In its buckets' order; within a bucket, and where it has grown, they stay as they came."""
    size = MAP_SIZE
    while len(aliases) > size * 3 // 4:
        size *= 2

    def bucket(alias: str) -> int:
        found = java_hash(alias) & HASH_MASK
        return (found ^ found >> 16) & size - 1

    return sorted(aliases, key=bucket)


def as_a_hashtable(aliases: Iterable[str]) -> list[str]:
    """From its last bucket to the first, and of each the youngest first."""
    table: list[list[str]] = [[] for _ in range(TABLE_SIZE)]
    for count, alias in enumerate(aliases):
        if count >= len(table) * 3 // 4:
            table = _grown(table)
        _put(table, alias)
    return [alias for bucket in reversed(table) for alias in bucket]


def _grown(table: list[list[str]]) -> list[list[str]]:
    larger: list[list[str]] = [[] for _ in range(2 * len(table) + 1)]
    for bucket in reversed(table):
        for alias in bucket:
            _put(larger, alias)
    return larger


def _put(table: list[list[str]], alias: str) -> None:
    table[(java_hash(alias) & POSITIVE) % len(table)].insert(0, alias)
