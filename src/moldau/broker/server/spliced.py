"""An answer whose longest list is encoded already.

What an answer has of a topic, for instance, is the same for all clients, and is encoded once. The
encoded elements are spliced into the answer where its empty list stands: behind all that comes
before the list, which may be of any length, and before what follows it, which is of fixed width.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct as Packer
from typing import Final

from moldau.platform.buffers import Buffer
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.schema import Message, Struct
from moldau.protocol.wire.varint import encode_uvarint

__all__ = ["Splice", "SplicedAnswer"]

_COUNT: Final = Packer(">i")


class Splice:
    """Where a list stands in a response of one version."""

    def __init__(self, blank: Message, name: str, element: Struct, version: int) -> None:
        """The list `name` of `blank`, which is empty, can hold such elements."""
        self._blank = blank
        self._name = name
        self._version = version
        self._is_compact = version in type(blank).FLEXIBLE
        none = encode(blank, version)
        one = self._with([element])
        same = next(at for at, byte in enumerate(none) if byte != one[at])
        width = 1 if self._is_compact else _COUNT.size
        self._start = same + 1 - width
        """Of the number of elements, in a blank response."""
        self._tail = len(none) - self._start - width
        """Bytes behind the list."""
        self._width = width

    def _with(self, elements: Sequence[Struct]) -> bytes:
        setattr(self._blank, self._name, elements)
        try:
            return encode(self._blank, self._version)
        finally:
            setattr(self._blank, self._name, [])

    def elements(self, elements: Sequence[Struct]) -> bytes:
        """What these take within a response."""
        whole = self._with(elements)
        return whole[self._start + len(self._count(len(elements))) : len(whole) - self._tail]

    def join(self, message: Message, count: int, elements: Sequence[Buffer]) -> bytes:
        """The response with these in the place of its empty list."""
        whole = encode(message, self._version)
        end = len(whole) - self._tail
        return b"".join((whole[: end - self._width], self._count(count), *elements, whole[end:]))

    def _count(self, count: int) -> bytes:
        return encode_uvarint(count + 1) if self._is_compact else _COUNT.pack(count)


class SplicedAnswer:
    """A message, and so many encoded elements of its longest list."""

    __slots__ = ("_count", "_elements", "_splice", "message")

    def __init__(
        self, message: Message, splice: Splice, count: int, elements: Sequence[Buffer]
    ) -> None:
        self.message = message
        self._splice = splice
        self._count = count
        self._elements = elements

    def __repr__(self) -> str:
        return f"SplicedAnswer({type(self.message).__name__} with {self._count} elements)"

    def encode(self) -> bytes:
        """The whole answer, as the message is now."""
        return self._splice.join(self.message, self._count, self._elements)
