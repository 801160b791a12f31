"""Frames that buy the most memory with the fewest bytes: long arrays of next to nothing.

For every array in a message, its elements, or those of an array around it, are repeated many
times. Numbers are such that Python has no object ready for them; texts are empty, or of one
character that makes the whole text wide; all else is as plain as the version allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack
from typing import Any, NamedTuple

from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.types import Array, Primitive, StructOf
from tests.protocol.messages.plain_encoder import plain_varint
from tests.protocol.messages.random_messages import Pair, plainest

HEAVY: dict[str, object] = {
    "bool": True,
    "int8": -100,
    "uint16": 40_000,
    "uint32": 40_000,
    "float64": 0.5,
    "uuid": bytes(16),
    "bytes": b"",
    "records": b"",
}
HEAVY_NUMBER = 1_000
WIDE = "\U0001f600"
LEAST_TAG = (127, b"")
"""A tag that nothing uses, in two bytes."""
SAMPLE = 200
"""One element more changes only the last byte of a count, or the first of two."""


class Weight(NamedTuple):
    """Which array of a message is made long, and of what."""

    pair: Pair
    path: tuple[Field, ...]
    level: int
    """The array on that path whose elements are repeated; the others have one each."""
    text: str
    """What every text in the repeated elements is."""
    tagged: bool
    """Whether each repeated struct has an unknown tagged field."""

    def __str__(self) -> str:
        path = ".".join(field.name for field in self.path)
        extras = (" with tags" if self.tagged else "") + (" with wide texts" if self.text else "")
        return f"{self.pair.message.__name__} v{self.pair.version} {path}[{self.level}]{extras}"

    def message(self, count: int) -> Any:
        """The message with `count` elements in that array."""
        root = plainest(self.pair, self.pair.message)
        arrays = [place for place, field in enumerate(self.path) if isinstance(field.type, Array)]
        self._fill(root, 0, arrays[self.level], count)
        return root

    def _fill(self, struct: Any, place: int, repeated: int, count: int) -> None:
        field = self.path[place]
        wire_type = field.type.of if isinstance(field.type, Array) else field.type
        if isinstance(wire_type, StructOf):
            element = plainest(self.pair, wire_type.cls)
            self._burden(element)
            if place + 1 < len(self.path):
                self._fill(element, place + 1, repeated, count)
            if self.tagged and place == repeated:
                element.unknown_tags = (LEAST_TAG,)
        else:
            element = self._leaf(wire_type)
        times = count if place == repeated else 1
        setattr(struct, field.name, [element] * times if field.type != wire_type else element)

    def _burden(self, struct: Any) -> None:
        """Give every field that costs no more for it a value of its own."""
        cls: type = type(struct)
        for field in fields_of(cls):
            on_wire = self.pair.version in field.versions and self.pair.version not in field.tagged
            if on_wire and isinstance(field.type, Primitive) and (field.type.code or self.text):
                setattr(struct, field.name, self._leaf(field.type))

    def _leaf(self, wire_type: object) -> object:
        assert isinstance(wire_type, Primitive)
        if wire_type.name == "string":
            return self.text
        return HEAVY.get(wire_type.name, HEAVY_NUMBER)

    def frame(self, count: int) -> bytes:
        """The encoded message with `count` elements, put together without encoding each."""
        if any(self.pair.version in field.tagged for field in self.path):
            return encode(self.message(count), self.pair.version)
        one = encode(self.message(SAMPLE), self.pair.version)
        two = encode(self.message(SAMPLE + 1), self.pair.version)
        place = next(
            i for i, (mine, other) in enumerate(zip(one, two, strict=False)) if mine != other
        )
        size = len(two) - len(one)
        if self.pair.version in self.pair.message.FLEXIBLE:
            head, elements = one[:place] + plain_varint(count + 1), place + 2
        else:
            head, elements = one[: place - 3] + pack(">i", count), place + 1
        element = one[elements : elements + size]
        return head + element * count + one[elements + size * SAMPLE :]


def weights(pair: Pair) -> Iterator[Weight]:
    """Every way to make one array of this message long."""
    flexible = pair.version in pair.message.FLEXIBLE
    for path in array_paths(pair, pair.message):
        level = 0
        for level in range(sum(isinstance(field.type, Array) for field in path)):
            yield Weight(pair, path, level, "", tagged=False)
        yield Weight(pair, path, level, WIDE, tagged=False)
        of_structs = isinstance(path[-1].type, Array) and isinstance(path[-1].type.of, StructOf)
        if of_structs and flexible:
            yield Weight(pair, path, level, "", tagged=True)


def array_paths(pair: Pair, cls: type) -> Iterator[tuple[Field, ...]]:
    for field in fields_of(cls):
        if pair.version not in field.versions:
            continue
        element = field.type.of if isinstance(field.type, Array) else field.type
        if isinstance(field.type, Array):
            yield (field,)
        if isinstance(element, StructOf):
            yield from ((field, *rest) for rest in array_paths(pair, element.cls))
