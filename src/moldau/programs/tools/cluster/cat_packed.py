"""kcat's `-s`: keys and values that are packed numbers, shown as text.

    -s 'q$'              keys and values: one signed number of 8 bytes, and nothing behind it
    -s value='>hb s'     of values alone: two numbers, a space between them, and the rest as text

Numbers are big-endian unless `<` stands before them. As with kcat the JSON envelope has the bytes
as they are, and a record that is not packed so ends the program.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from moldau.errors import MoldauError

__all__ = ["Packed", "packed_by"]

NUMBERS = "bBhHiIqQ"
TOKENS = f"{NUMBERS}cs$<> "
OF = ("key", "value")


class Packed:
    """One format, applied to each key or value."""

    def __init__(self, name: str, tokens: str) -> None:
        for token in tokens:
            if token not in TOKENS:
                raise MoldauError(
                    f"-s {name}={tokens}: {token!r} is no token; there are {' '.join(TOKENS)}"
                )
        self._name, self._tokens = name, tokens

    def __repr__(self) -> str:
        return f"<Packed {self._name}={self._tokens}>"

    def text(self, data: bytes) -> bytes:
        shown: list[bytes] = []
        order, place = ">", 0
        for letter in self._tokens:
            if letter in "<>":
                order = letter
            elif letter == " ":
                shown.append(b" ")
            elif letter == "s":
                shown.append(data[place:])
                place = len(data)
            elif letter == "$":
                self._check_end(len(data) - place)
            else:
                part = self._part(data, place, order + letter)
                place += struct.calcsize(order + letter)
                shown.append(part)
        return b"".join(shown)

    def _part(self, data: bytes, place: int, form: str) -> bytes:
        size = struct.calcsize(form)
        if len(data) - place < size:
            raise MoldauError(
                f"-s: a {self._name} is cut short: {size} bytes were expected for {form[1]}, "
                f"{len(data) - place} are left; -s without it shows the bytes as they are"
            )
        (value,) = struct.unpack_from(form, data, place)
        return value if isinstance(value, bytes) else str(value).encode()

    def _check_end(self, left: int) -> None:
        if left:
            raise MoldauError(
                f"-s: a {self._name} has {left} bytes more than {self._tokens}; "
                "without $ they are left out"
            )


def packed_by(given: Sequence[str]) -> dict[str, Packed]:
    """What the flags say of keys and of values; the last one wins."""
    found: dict[str, Packed] = {}
    for text in given:
        name, equals, tokens = text.partition("=")
        names = OF if not equals else (name,)
        tokens = tokens if equals else text
        if name not in OF and equals:
            raise MoldauError(f"-s {text}: write key=… or value=…")
        if tokens == "avro":
            raise MoldauError("-s avro is not done here: moldau schema shows records of a registry")
        found |= {one: Packed(one, tokens) for one in names}
    return found
