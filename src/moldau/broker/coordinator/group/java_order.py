"""Sets in the order in which Java's hash tables go through them.

Kafka's assignors walk through hash tables, and where several assignments are as good as each other
the order of the walk decides. To give the same partitions to the same members we walk as Java does:
a table is a power of two of buckets; an element's bucket is its hash, the upper half stirred into
the lower, modulo that; within a bucket the order is that of insertion. A table doubles when it is
more than three quarters full, and a copy is made large enough for what it copies.

Java turns a bucket of more than eight elements into a tree and may then change its order; that is
so rare that it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from struct import Struct
from typing import Generic, TypeVar

from moldau.platform.java_hash import java_hash

SMALLEST_TABLE = 16
_ID_HALVES = Struct(">QQ")
_MASK32 = (1 << 32) - 1

Element = TypeVar("Element")
HashOf = Callable[[Element], int]


def int_hash(number: int) -> int:
    """`Integer.hashCode`."""
    return number


def id_hash(topic_id: bytes) -> int:
    """`hashCode` of Kafka's Uuid."""
    high, low = _ID_HALVES.unpack(topic_id)
    word: int = high ^ low
    return (word >> 32 ^ word) & _MASK32


def text_hash(text: str) -> int:
    """`String.hashCode`."""
    return java_hash(text)


class JavaSet(Generic[Element]):
    """A `java.util.HashSet`, or the keys of a `java.util.HashMap`."""

    __slots__ = ("_elements", "_hash_of", "_table_size")

    def __init__(
        self,
        hash_of: HashOf[Element],
        elements: Iterable[Element] = (),
        table_size: int = SMALLEST_TABLE,
    ) -> None:
        self._hash_of = hash_of
        self._elements: dict[Element, None] = {}
        self._table_size = table_size
        for element in elements:
            self.add(element)

    @classmethod
    def copied(
        cls, hash_of: HashOf[Element], elements: Iterable[Element], count: int | None = None
    ) -> JavaSet[Element]:
        """As from the constructor that takes a collection; `count` is the size that it reports."""
        listed = list(elements)
        return cls(hash_of, listed, table_size_for(len(listed) if count is None else count))

    def __iter__(self) -> Iterator[Element]:
        last = self._table_size - 1

        def bucket(element: Element) -> int:
            code = self._hash_of(element) & _MASK32
            return (code ^ code >> 16) & last

        return iter(sorted(self._by_age(), key=bucket))

    def _by_age(self) -> Iterable[Element]:
        """The elements as they stand within a bucket."""
        return self._elements

    def __len__(self) -> int:
        return len(self._elements)

    def __contains__(self, element: Element) -> bool:
        return element in self._elements

    def __repr__(self) -> str:
        return f"JavaSet({list(self)!r})"

    def add(self, element: Element) -> None:
        self._elements[element] = None
        if 4 * len(self._elements) > 3 * self._table_size:
            self._table_size *= 2

    def remove(self, element: Element) -> None:
        """The table stays as large as it is."""
        del self._elements[element]


class ComputedKeys(JavaSet[Element]):
    """The keys of a `HashMap` that is filled by `computeIfAbsent` alone.

    It puts the newest key first in its bucket, and lets the table grow only when it is next asked.
    """

    __slots__ = ()

    def add(self, element: Element) -> None:
        if 4 * len(self._elements) > 3 * self._table_size:
            self._table_size *= 2
        self._elements.setdefault(element)

    def _by_age(self) -> Iterable[Element]:
        return reversed(self._elements)


def table_size_for(count: int) -> int:
    """The table of a copy of so many elements."""
    return max(presized_table(count), SMALLEST_TABLE)


def presized_table(count: int) -> int:
    """The size of a table that is made for so many elements."""
    return 1 << int(count / 0.75).bit_length()
