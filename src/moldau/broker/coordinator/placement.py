"""Which partition of a coordinator's topic a key belongs to.

Every broker and every client of the topic's files has to find the same one, so the arithmetic is
Java's: `String.hashCode`, over UTF-16 units, and the absolute value, with 0 for the one number
that has none. A test holds it against Java.
"""

from __future__ import annotations

from functools import lru_cache

from moldau.platform.java_hash import INT_BITS, java_hash

REMEMBERED_KEYS = 4096
"""Groups ask again and again: so many of them need no hashing."""


@lru_cache(maxsize=REMEMBERED_KEYS)
def partition_of(key: str, partition_count: int) -> int:
    """The partition that holds everything about this key."""
    number = java_hash(key)
    absolute = 0 if number == -(1 << INT_BITS - 1) else abs(number)
    return absolute % partition_count
