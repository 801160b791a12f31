"""The order in which a Java `HashMap` with keys of type `Long` yields its entries.

The order has no meaning, but Kafka writes snapshots and reports in this order, and files and
outputs of the two can be compared byte by byte where we keep it: by slot of the table, and within a
slot by arrival. The table doubles when it is more than three quarters full, and never shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Entry = TypeVar("Entry")

TABLE_SIZE_MIN = 16
"""Slots of a fresh map."""


def table_size(entries: int, size: int = TABLE_SIZE_MIN) -> int:
    """Slots of a map of `size` slots after it has grown to hold `entries`."""
    while entries > size * 3 // 4:
        size *= 2
    return size


def in_map_order(entries: Iterable[Entry], key: Callable[[Entry], int], slots: int) -> list[Entry]:
    """The entries, which come in the order of their arrival, as a map of so many slots has them."""
    return sorted(entries, key=lambda entry: _spread(key(entry)) & (slots - 1))


def _spread(number: int) -> int:
    folded = (number ^ (number >> 32)) & 0xFFFFFFFF
    return folded ^ (folded >> 16)
