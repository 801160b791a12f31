"""The primitive types."""

from __future__ import annotations

from struct import calcsize
from typing import get_args

import moldau.protocol.wire.types as types
from moldau.protocol.wire.types import Primitive
from moldau.protocol.wire.weight import PRIMITIVE_BYTES


def primitives() -> list[Primitive]:
    return [value for value in vars(types).values() if isinstance(value, Primitive)]


def test_widths_are_what_struct_packs():
    for primitive in primitives():
        assert primitive.width == calcsize(">" + primitive.code)


def test_every_type_has_a_weight():
    assert {p.name for p in primitives()} <= PRIMITIVE_BYTES.keys()


def test_entities_are_still_the_type_they_stand_for():
    assert get_args(types.BrokerId)[1] is types.INT32
    assert get_args(types.TopicName)[1] is types.STRING
