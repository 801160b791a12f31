"""Writes how a struct comes to be before the wire fills it: the object and its defaults."""

from __future__ import annotations

from typing import Any

from moldau.protocol.wire.emitter import Emitter
from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.layout import Layout
from moldau.protocol.wire.types import Array, StructOf


class BlankEmitter(Emitter):
    """What the emitters of decoders have in common."""

    def __init__(self, scope: dict[str, Any], *, pauses: bool = False) -> None:
        super().__init__({"new": object.__new__, **scope}, pauses=pauses)

    def start_struct(self, layout: Layout) -> str:
        """Make the struct and set what the wire will not, or may not."""
        target = self.new_struct(layout.cls)
        self.set_defaults(layout, target)
        return target

    def set_defaults(self, layout: Layout, target: str) -> None:
        self.line(f"{target}.unknown_tags = ()")
        for field in (*layout.absent, *layout.tagged):
            self.line(f"{target}.{field.slot} = {self.default(field)}")

    def new_struct(self, cls: type) -> str:
        target = self.fresh("o")
        self.line(f"{target} = new({self.constant(cls.__name__, cls)})")
        return target

    def blank_struct(self, cls: type) -> str:
        """Make a struct with all its defaults in place: a constructor costs ten times that."""
        target = self.new_struct(cls)
        self.line(f"{target}.unknown_tags = ()")
        for field in fields_of(cls):
            self.line(f"{target}.{field.slot} = {self.default(field)}")
        return target

    def default(self, field: Field) -> str:
        if field.is_unseen:
            return "None"
        if isinstance(field.type, StructOf) and field.default is not None:
            return self.blank_struct(field.type.cls)
        if isinstance(field.type, Array) and field.default is not None:
            return "[]"
        return repr(field.default)
