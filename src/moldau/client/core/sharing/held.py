"""The records of a partition that this member has acquired, and what became of each.

A record is acquired under a lock that ends by itself. What is acknowledged travels as ranges of
offsets: one type for a range, or one for each offset. Offsets in an acquired range at which there
is no record (control batches, compaction) are acknowledged as gaps, or they would come again.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

from moldau.client.core.consuming.records import ConsumerRecord

__all__ = ["GAP", "AcknowledgeType", "Held", "TypedRange"]

GAP = 0


class AcknowledgeType(IntEnum):
    """What became of a record; the numbers are the wire's."""

    ACCEPT = 1
    """It is done with."""
    RELEASE = 2
    """Another delivery shall be tried."""
    REJECT = 3
    """It cannot be processed, by anyone."""
    RENEW = 4
    """It takes longer: the lock begins anew (KIP-1222)."""


class TypedRange(NamedTuple):
    """Offsets in a row, each with its type."""

    first_offset: int
    last_offset: int
    types: tuple[int, ...]
    """One for all, or one for each."""


class Held:
    """The records of one partition that are acquired, from the broker that gave them."""

    def __init__(self, node_id: int) -> None:
        self.node_id = node_id
        self._records: dict[int, ConsumerRecord] = {}
        """Returned, and not acknowledged yet."""
        self._types: dict[int, int] = {}
        """Acknowledged, and not sent yet."""
        self._unreturned: set[int] = set()
        """Those among them of which the program may say otherwise still."""

    def __len__(self) -> int:
        return len(self._records)

    @property
    def has_types(self) -> bool:
        return bool(self._types)

    @property
    def renews(self) -> bool:
        return AcknowledgeType.RENEW in self._types.values()

    def acquire(self, first: int, last: int, records: Iterable[ConsumerRecord]) -> None:
        """A range of the broker's, with the records that are in it."""
        there = {record.offset: record for record in records}
        self._records |= there
        gaps = (offset for offset in range(first, last + 1) if offset not in there)
        self._types |= dict.fromkeys(gaps, GAP)

    def acknowledge(self, offset: int, kind: AcknowledgeType) -> bool:
        """False where no such record is held."""
        renews = kind is AcknowledgeType.RENEW
        if offset not in self._records and (renews or offset not in self._unreturned):
            return False
        self._types[offset] = kind
        if not renews:
            self._records.pop(offset, None)
        return True

    def give_back(self, offsets: Iterable[int], kind: AcknowledgeType) -> None:
        """They cannot be returned; the program may acknowledge them otherwise until it is sent."""
        for offset in offsets:
            self._records.pop(offset, None)
            self._types[offset] = kind
            self._unreturned.add(offset)

    def acknowledge_all(self, kind: AcknowledgeType, but: Container[int] = ()) -> None:
        """All that have been returned; `but` those at these offsets."""
        for offset in list(self._records):
            if offset not in self._types and offset not in but:
                self.acknowledge(offset, kind)

    def has(self, offset: int) -> bool:
        """Whether the record is held."""
        return offset in self._records

    def unacknowledged(self) -> list[ConsumerRecord]:
        """Which have not been acknowledged."""
        return [record for offset, record in self._records.items() if offset not in self._types]

    def take(self) -> list[TypedRange]:
        """What is to be sent; it is not held any more, but for what is renewed."""
        types, self._types = self._types, {}
        self._unreturned.clear()
        return list(_ranges(types))

    def give_up(self) -> None:
        """The locks are lost."""
        self._records.clear()
        self._types.clear()
        self._unreturned.clear()


def _ranges(types: dict[int, int]) -> Iterator[TypedRange]:
    """As few as hold all offsets."""
    run: list[int] = []
    for offset in sorted(types):
        if run and offset != run[-1] + 1:
            yield _range(run, types)
            run = []
        run.append(offset)
    if run:
        yield _range(run, types)


def _range(run: list[int], types: dict[int, int]) -> TypedRange:
    each = tuple(types[offset] for offset in run)
    return TypedRange(run[0], run[-1], each[:1] if len(set(each)) == 1 else each)
