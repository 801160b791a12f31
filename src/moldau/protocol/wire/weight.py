"""How much memory a decoded value takes, so that a frame cannot buy more than it pays for.

A frame of two million empty strings is two megabytes, but a list of two million structs is two
hundred. The decoders therefore charge every array, before they build it, with what its elements
will take at their worst, and refuse a message whose charges exceed what its frame entitles it to
(`allowance`): so many bytes of memory for each byte of the frame, and some on the house. What is
The ordinary decides how many: topics of short names, each with one partition, take 20 for a byte,
and a list of partitions by number 11. Above `LARGE` a frame buys less with each further byte: it
would be a list of a million partitions, or it is records, which are not charged.

The figures are CPython's own object sizes, rounded up to its allocation steps. Contents of
strings and bytes are not charged: they take what they took in the frame.

At their worst is far from what ordinary structs take: small numbers are shared, and tagged fields
are seldom there. So an array of structs that would be too heavy at the worst is not refused yet,
but weighed: each struct is charged, once it is read, with what it really takes. That is slow, and
only large frames meet it: a Fetch of 20,000 topics, for example.

# weighing takes 2 µs for a partition of a Fetch request that is read in 0.3.
"""

from __future__ import annotations

from functools import cache
from sys import getsizeof
from typing import Any

from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.fields import fields_of

PER_BYTE = 24
"""What a decoded message may take per byte of its frame: ordinary requests take 2 to 20."""
LARGE = 16 * 1024 * 1024
PER_BYTE_BEYOND = 8
FREE = 896 * 1024
"""Allowance for small frames; with what is not charged it stays within one MiB."""
PEER_PER_BYTE = 64
"""For answers, which come from nodes that we chose to ask: of some, ordinary ones take 16."""

SLOT_BYTES = 9
"""A pointer, with the room that a growing list keeps in reserve."""
STRUCT_BYTES = 48
TAG_BYTES = 176
"""An unknown tagged field that is kept: a tuple, its number and its bytes."""

PRIMITIVE_BYTES = {
    "bool": 0,
    "int8": 32,
    "int16": 32,
    "uint16": 32,
    "int32": 32,
    "uint32": 32,
    "int64": 48,
    "float64": 24,
    "uuid": 64,
    "string": 80,
    "bytes": 64,
    "records": 208,
    "array": 72,
}

_STEP = 16
_ALWAYS = object()
_SHARED_MIN, _SHARED_MAX = -5, 256
"""The numbers that exist once."""


def allowance(size: int, per_byte: int) -> int:
    """The memory that a frame of this size may cost."""
    if size <= LARGE:
        return FREE + per_byte * size
    return FREE + per_byte * LARGE + min(per_byte, PER_BYTE_BEYOND) * (size - LARGE)


def weigh(struct: Any, *, with_elements: bool) -> int:
    """What this struct really takes in a list; elements of its arrays if not charged before."""
    memory = SLOT_BYTES + getsizeof(struct)
    cls: Any = type(struct)
    for name, default in _slots(cls):
        value = getattr(struct, name)
        if default is _ALWAYS or value != default or type(value) is list:
            memory += _weigh_value(value, with_elements)
    return memory


@cache
def _slots(cls: Any) -> tuple[tuple[str, object], ...]:
    """The slots, and of tagged fields what all structs share where the frame has none.

    Where it has just that, its bytes and the tag's own pay for a value more than it takes.
    """
    unset = blank(cls)
    return tuple(
        (field.slot, _ALWAYS if field.tag is None else getattr(unset, field.slot))
        for field in fields_of(cls)
    )


def _weigh_value(value: object, with_elements: bool) -> int:
    match value:
        case memoryview() | float():
            return _stepped(getsizeof(value))
        case None | bool() | "" | b"":
            return 0
        case int():
            return 0 if _SHARED_MIN <= value <= _SHARED_MAX else _stepped(getsizeof(value))
        case list():
            inside = sum(_weigh_value(each, False) for each in value) if with_elements else 0
            return _stepped(getsizeof(value)) + inside
        case str() | bytes():
            return _stepped(getsizeof(value))
        case _:
            return weigh(value, with_elements=with_elements)


def _stepped(size: int) -> int:
    return -(-size // _STEP) * _STEP
