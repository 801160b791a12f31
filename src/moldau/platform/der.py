"""DER, as far as names in certificates and wrapped keys need it: tag, length, body, and no more.

Lengths are checked against what is there; nothing is copied but bodies that are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.errors import MoldauError

__all__ = ["DerError", "Element", "read_der"]

LONG_FORM = 0x80
LENGTH_BYTES_MAX = 4


class DerError(MoldauError):
    """Bytes that are not DER."""


class Element(NamedTuple):
    """One value with its tag."""

    tag: int
    body: bytes
    whole: bytes
    """With tag and length."""

    def children(self) -> list[Element]:
        """What is in it, one after the other."""
        found, rest = [], self.body
        while rest:
            child = read_der(rest)
            found.append(child)
            rest = rest[len(child.whole) :]
        return found


def read_der(data: bytes) -> Element:
    """The first element; what follows it is left alone."""
    if len(data) < 2:
        raise DerError("an element of DER ends before it begins")
    size, start = data[1], 2
    if size & LONG_FORM:
        count = size & ~LONG_FORM
        if not 0 < count <= LENGTH_BYTES_MAX:
            raise DerError(f"a length of DER takes {count} bytes")
        start += count
        size = int.from_bytes(data[2:start], "big")
    end = start + size
    if end > len(data):
        raise DerError(f"an element of DER claims {size} bytes, and {len(data) - start} are there")
    return Element(data[0], data[start:end], data[:end])
