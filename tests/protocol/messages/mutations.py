"""Ways to spoil a good message: what an attacker, a broken peer or a bad disk would send.

Each mutation knows where lengths, counts and tags lie, because random damage almost never makes a
wrong length that is still plausible. All of it follows one seeded source of randomness.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import pack
from typing import NamedTuple

from moldau.platform.simulated.randomness import SeededRandom
from tests.protocol.messages.plain_encoder import INT16, LENGTH_FORMS, VARINT, Span, plain_varint

FAR_NUMBERS = (
    0, 1, 2, 127, 128, 255, 256, 10_000, 10_001, 32767, 32768, 65535, 65536, 1_000_000, 1_000_001,
    2**24, 2**31 - 2, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1,
)  # fmt: skip
BROKEN_VARINTS = (
    b"\x80", b"\xff" * 4, b"\x80" * 4 + b"\x00", b"\xff" * 4 + b"\x0f", b"\xff" * 4 + b"\x7f",
    b"\x80" * 5 + b"\x01", b"\xff" * 10, b"\x81\x00",
)  # fmt: skip
"""Cut off, longer than they need be, wider than 32 bits, and endless."""
CHANGES_MOST = 3


class Encoded(NamedTuple):
    """A good message."""

    data: bytes
    spans: list[Span]


Mutation = Callable[[SeededRandom, Encoded, Encoded], bytes]


def mutate(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    """`good` with some damage, perhaps with a piece of `other` in it."""
    data = random.choice(MUTATIONS)(random, good, other)
    for _ in range(random.randrange(CHANGES_MOST)):
        data = flip_bits(random, Encoded(data, []), other)
    return data


def change_length(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    """A length, count or tag that lies: by one, by far, or beyond what its form can say."""
    spans = [span for span in good.spans if span.form in LENGTH_FORMS]
    if not spans:
        return flip_bits(random, good, other)
    span = random.choice(spans)
    return replace(good.data, span, lie(random, span, good.data))


def lie(random: SeededRandom, span: Span, data: bytes) -> bytes:
    if span.form == VARINT and random.random() < 0.2:
        return random.choice(BROKEN_VARINTS)
    rest = len(data) - span.end
    near = (rest, rest + 1, rest + 2, rest // 2, data[span.end - 1] + 1, data[span.end - 1] - 1)
    number = random.choice(near if random.random() < 0.5 else FAR_NUMBERS) & 0xFFFFFFFF
    if span.form == VARINT:
        return plain_varint(number)
    return pack(">H", number & 0xFFFF) if span.form == INT16 else pack(">I", number)


def flip_bits(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    if not good.data:
        return random.randbytes(1)
    changed = bytearray(good.data)
    changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def truncate(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    return good.data[: boundary(random, good)]


def extend(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    return good.data + random.randbytes(random.randrange(1, 9))


def insert(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    place = boundary(random, good)
    return good.data[:place] + random.randbytes(random.randrange(1, 9)) + good.data[place:]


def remove_part(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    return replace(good.data, a_span(random, good), b"")


def repeat_part(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    span = a_span(random, good)
    return replace(good.data, span, good.data[span.start : span.end] * random.randrange(2, 50))


def fill_part(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    span = a_span(random, good)
    return replace(good.data, span, random.choice((b"\x00", b"\xff")) * (span.end - span.start))


def splice(random: SeededRandom, good: Encoded, other: Encoded) -> bytes:
    """The beginning of one message and the end of another."""
    return good.data[: boundary(random, good)] + other.data[boundary(random, other) :]


def replace(data: bytes, span: Span, by: bytes) -> bytes:
    return data[: span.start] + by + data[span.end :]


def a_span(random: SeededRandom, good: Encoded) -> Span:
    return random.choice(good.spans) if good.spans else Span(0, 0, VARINT)


def boundary(random: SeededRandom, good: Encoded) -> int:
    """A place between two parts; now and then one inside a part."""
    if random.random() < 0.2:
        return random.randrange(len(good.data) + 1)
    return a_span(random, good).start


MUTATIONS: tuple[Mutation, ...] = (
    change_length, change_length, change_length, flip_bits, truncate, extend, insert, remove_part,
    repeat_part, fill_part, splice,
)  # fmt: skip
"""Lies about lengths come three times as often: they are what decoders die of."""
