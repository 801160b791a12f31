"""Random messages of every kind and version, made from our declarations.

The same seed makes the same messages. Messages and versions take turns; a pair's first turn is the
default message, its second has every field filled, later ones mix. Values sit on the edges of
their types and of length prefixes more often than chance would have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, NamedTuple

from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.index import all_messages
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import NULL_UUID, Array, Primitive, StructOf, WireType

LEAVES_MOST = 600
"""No more elements of arrays are begun in a message that has as many values."""
STRING_BYTES_MOST = 32767
INTEGER_EDGES = (
    0, 1, -1, 2, 63, 64, 127, 128, -128, 255, 256, 32767, -32768, 65535, 65536,
    2**31 - 1, -(2**31), 2**32 - 1, 2**63 - 1, -(2**63),
)  # fmt: skip
FLOAT_EDGES = (0.0, -0.0, 1.0, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"))
TAG_EDGES = (63, 64, 127, 128, 255, 16383, 16384, 2097151, 2097152, 2**31 - 2)
"""The highest tag is one less than int32 holds: Kafka keeps that one for itself."""
SIZE_EDGES = (0, 0, 0, 1, 62, 63, 64, 125, 126, 127, 128, 129, 255, 300)
ALPHABETS = tuple(
    "".join(map(chr, range(first, last + 1, step)))
    for first, last, step in (
        (0x20, 0x7E, 1), (0x00, 0x7F, 1), (0x80, 0x7FF, 7), (0x800, 0xD7FF, 97),
        (0xE000, 0xFFFF, 31), (0x10000, 0x10FFFF, 4001),
    )
)  # fmt: skip
INTEGERS = {
    "int8": (8, True),
    "int16": (16, True),
    "uint16": (16, False),
    "int32": (32, True),
    "uint32": (32, False),
    "int64": (64, True),
}


class Pair(NamedTuple):
    """A message in one of its versions."""

    message: type[Message]
    version: int


@dataclass(frozen=True)
class Style:
    """How much of a message is filled."""

    sets: float
    nulls: float


DEFAULTS = Style(0.0, 0.0)
FULL = Style(1.0, 0.0)
MIXED = Style(0.75, 0.125)
SPARSE = Style(0.25, 0.125)


def all_pairs() -> list[Pair]:
    """Every message in every version, the unstable ones too."""
    return [Pair(cls, version) for cls in all_messages() for version in cls.VERSIONS.each()]


def random_messages(random: SeededRandom, count: int) -> Iterator[tuple[Pair, Message]]:
    """`count` messages, every pair in turn."""
    pairs = all_pairs()
    for index, pair in enumerate(islice(cycle(pairs), count)):
        yield pair, random_message(random, pair, style_of_round(index // len(pairs)))


def random_message(random: SeededRandom, pair: Pair, style: Style = MIXED) -> Message:
    """One message that its version can carry."""
    made = _Filler(random, pair, style).struct(pair.message, 0, style)
    assert isinstance(made, Message)
    return made


def plainest(pair: Pair, cls: type) -> Any:
    """A struct of that message with as little in it as its version allows."""
    return _Filler(SeededRandom(0), pair, DEFAULTS).struct(cls, 0, DEFAULTS)


def style_of_round(turn: int) -> Style:
    if turn < 2:
        return (DEFAULTS, FULL)[turn]
    return SPARSE if turn % 4 == 3 else MIXED


class _Filler:
    """Fills one message."""

    def __init__(self, random: SeededRandom, pair: Pair, style: Style) -> None:
        self._random = random
        self._version = pair.version
        self._keeps_tags = pair.version in pair.message.FLEXIBLE and style is not DEFAULTS
        self._leaves = 0

    def struct(self, cls: type, depth: int, style: Style) -> Any:
        made = blank(cls)
        for field in fields_of(cls):
            self._set(made, field, depth, style)
        if self._keeps_tags and self._random.random() < 0.1:
            known = {field.tag for field in fields_of(cls)}
            made.unknown_tags = tuple(self._unknown_tags(known))
        return made

    def _set(self, made: Any, field: Field, depth: int, style: Style) -> None:
        random = self._random.random
        present = self._version in field.versions
        if not present and not (field.ignorable and random() < style.sets / 4):
            return
        if self._version in field.nullable and random() < style.nulls:
            setattr(made, field.name, None)
        elif random() < style.sets:
            setattr(made, field.name, self._value(field.type, depth, style))
        elif present and self._must_be_set(field):
            setattr(made, field.name, self._value(field.type, depth, DEFAULTS))

    def _must_be_set(self, field: Field) -> bool:
        """Whether the default is a null that cannot be written, or may hold one."""
        has_null = field.default is None or isinstance(field.type, StructOf)
        return has_null and self._version not in field.nullable

    def _value(self, wire_type: WireType, depth: int, style: Style) -> Any:
        match wire_type:
            case Array(of):
                count = 0 if style is DEFAULTS else self._count(depth, isinstance(of, StructOf))
                return [self._value(of, depth, style) for _ in range(count)]
            case StructOf(cls):
                return self.struct(cls, depth + 1, style)
            case Primitive(name):
                self._leaves += 1
                return self._leaf(name)

    def _count(self, depth: int, of_structs: bool) -> int:
        if self._leaves > LEAVES_MOST:
            return 0
        if self._random.random() < 0.015:
            return (
                self._random.randrange(10, 20) if of_structs else self._random.randrange(120, 140)
            )
        return self._random.randrange(max(2, 5 - depth))

    def _leaf(self, name: str) -> object:
        match name:
            case "string":
                return self._text()
            case "bytes" | "records":
                return self._octets()
            case "bool":
                return self._random.random() < 0.5
            case "uuid":
                return NULL_UUID if self._random.random() < 0.1 else self._random.randbytes(16)
            case "float64":
                return self._real()
            case _:
                return self._integer(*INTEGERS[name])

    def _integer(self, bits: int, signed: bool) -> int:
        random = self._random
        if random.random() < 0.4:
            number = random.choice(INTEGER_EDGES)
        else:
            number = random.getrandbits(64) >> random.randrange(64)
        number &= (1 << bits) - 1
        return number - (1 << bits) if signed and number >> (bits - 1) else number

    def _real(self) -> float:
        random = self._random
        if random.random() < 0.3:
            return random.choice(FLOAT_EDGES)
        return (random.random() - 0.5) * 10.0 ** random.randrange(-300, 300)

    def _size(self) -> int:
        random = self._random
        if random.random() > 0.1:
            return random.randrange(12)
        return (
            random.randrange(16000, 16800) if random.random() < 0.005 else random.choice(SIZE_EDGES)
        )

    def _octets(self) -> bytes:
        return self._random.randbytes(70_000 if self._random.random() < 0.001 else self._size())

    def _text(self) -> str:
        random = self._random
        alphabet = random.choice(ALPHABETS)
        size = STRING_BYTES_MOST if random.random() < 0.001 else self._size()
        widest = len(alphabet[-1].encode())
        return "".join(random.choices(alphabet, k=min(size, STRING_BYTES_MOST // widest)))

    def _unknown_tags(self, known: set[int | None]) -> Iterator[tuple[int, bytes]]:
        random = self._random
        tags = {
            random.choice(TAG_EDGES) if random.random() < 0.3 else random.randrange(20)
            for _ in range(random.randrange(1, 4))
        }
        yield from ((tag, self._octets()) for tag in sorted(tags - known))
