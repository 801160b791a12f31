"""What one version of a struct looks like: the plan that both emitters follow.

A layout names the fields that are on the wire in order, the tagged ones behind them, and the
absent ones, with the least room and the most memory that one value can take.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.types import BYTE_VIEW, RECORDS, Array, Primitive, StructOf, WireType
from moldau.protocol.wire.weight import PRIMITIVE_BYTES, SLOT_BYTES, STRUCT_BYTES


@dataclass(frozen=True)
class Layout:
    """One struct class in one version."""

    cls: type
    version: int
    flexible: bool
    """Whether strings and arrays are compact and a section of tagged fields ends the struct."""

    @cached_property
    def present(self) -> tuple[Field, ...]:
        return tuple(f for f in self._existing() if self.version not in f.tagged)

    @cached_property
    def tagged(self) -> tuple[Field, ...]:
        """In the order of their tags."""
        tagged = (f for f in self._existing() if self.version in f.tagged)
        return tuple(sorted(tagged, key=lambda field: field.tag or 0))

    @cached_property
    def absent(self) -> tuple[Field, ...]:
        return tuple(f for f in fields_of(self.cls) if self.version not in f.versions)

    def _existing(self) -> tuple[Field, ...]:
        return tuple(f for f in fields_of(self.cls) if self.version in f.versions)

    @cached_property
    def is_fixed(self) -> bool:
        """Whether every value of it without tagged fields has the same length."""
        return all(isinstance(f.type, Primitive) and f.type.code for f in self.present)

    @cached_property
    def has_views(self) -> bool:
        """Whether it holds parts that must stay views of the caller's buffer."""
        return any(self._has_views(field.type) for field in (*self.present, *self.tagged))

    def _has_views(self, wire_type: WireType) -> bool:
        match wire_type:
            case Array(of):
                return self._has_views(of)
            case StructOf(cls):
                return self.inner(cls).has_views
            case _:
                return wire_type is RECORDS or wire_type is BYTE_VIEW

    @cached_property
    def least_bytes(self) -> int:
        """The shortest value on the wire, its section of tagged fields included."""
        return sum(self.least_of(field) for field in self.present) + self.flexible

    @cached_property
    def most_memory(self) -> int:
        """Bytes that one decoded value can take beyond what is charged for its contents."""
        return STRUCT_BYTES + sum(
            SLOT_BYTES + self.memory_of(field) for field in fields_of(self.cls)
        )

    def compact(self, field: Field) -> bool:
        """Whether lengths in this field are varints."""
        return self.flexible and field.flexible

    def nullable(self, field: Field) -> bool:
        return self.version in field.nullable

    def inner(self, cls: type) -> Layout:
        """The layout of a nested struct in the same version."""
        return Layout(cls, self.version, self.flexible)

    def least_of(self, field: Field) -> int:
        if isinstance(field.type, StructOf):
            return 1 if self.nullable(field) else self.inner(field.type.cls).least_bytes
        return self.least_of_type(field.type, self.compact(field))

    def least_of_type(self, wire_type: WireType, compact: bool) -> int:
        """The shortest value of a type; of a string, bytes or an array, its empty one."""
        match wire_type:
            case Primitive(width=width) if width:
                return width
            case Primitive(name="string"):
                return 1 if compact else 2
            case StructOf(cls):
                return self.inner(cls).least_bytes
            case _:
                return 1 if compact else 4

    def memory_of(self, field: Field) -> int:
        """What a field's value takes outside the struct, strings counted at their worst length."""
        if self.version not in field.versions:
            return _memory_of_absent(field)
        return self.memory_of_type(field.type)

    def memory_of_element(self, wire_type: WireType) -> int:
        """What one more element takes; numbers go from a tuple into their list."""
        is_number = isinstance(wire_type, Primitive) and wire_type.code not in ("", "16s")
        return self.memory_of_type(wire_type) + SLOT_BYTES * (2 if is_number else 1)

    def memory_of_type(self, wire_type: WireType) -> int:
        match wire_type:
            case Primitive(name=name):
                return PRIMITIVE_BYTES[name]
            case StructOf(cls):
                return self.inner(cls).most_memory
            case Array():
                return PRIMITIVE_BYTES["array"]


def _memory_of_absent(field: Field) -> int:
    if isinstance(field.type, Primitive) or field.default is None:
        return 0
    if isinstance(field.type, Array):
        return PRIMITIVE_BYTES["array"]
    return sum(SLOT_BYTES + _memory_of_absent(f) for f in fields_of(field.type.cls)) + STRUCT_BYTES


def layout_of(message: Any, version: int) -> Layout:
    """The layout of a whole message."""
    return Layout(message, version, version in message.FLEXIBLE)
