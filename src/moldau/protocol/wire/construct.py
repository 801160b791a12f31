"""Constructors, made when a class is first instantiated.

A constructor takes every field by keyword. Fields without a declared default must be given, as
the type checker demands; the others fall back to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.protocol.wire.fields import Field, fields_of
from moldau.protocol.wire.types import Array, StructOf


def install_constructor(cls: type) -> Callable[..., None]:
    """Compile the constructor of a struct class and give it to the class."""
    lines, scope = _source(cls)
    exec("\n".join(lines), scope)  # noqa: S102  # our own text, made from our own declarations
    constructor: Callable[..., None] = scope["__init__"]
    constructor.__qualname__ = f"{cls.__qualname__}.__init__"
    type.__setattr__(cls, "__init__", constructor)
    return constructor


def default_of(field: Field) -> object:
    """A fresh default value of a field."""
    if isinstance(field.type, Array) and field.default is not None:
        return []
    if isinstance(field.type, StructOf) and field.default is not None:
        return blank(field.type.cls)
    return field.default


def blank(cls: type) -> Any:
    """A struct with every field at its default, the required ones too."""
    return cls(**{field.name: default_of(field) for field in fields_of(cls)})


def _source(cls: type) -> tuple[list[str], dict[str, Any]]:
    required = {name for name, place in vars(cls)["DECLARED"].items() if place.is_bare}
    parameters = ["self", "*"] if fields_of(cls) else ["self"]
    body = [" self.unknown_tags = ()"]
    scope: dict[str, Any] = {"UNGIVEN": object(), "default_of": default_of}
    for field in fields_of(cls):
        name = field.name
        body.append(f" self.{field.slot} = {name}")
        if name in required:
            parameters.append(name)
        elif field.is_unseen:
            parameters.append(f"{name}=None")
        elif not _is_plain(field):
            scope[f"{name}_field"] = field
            parameters.append(f"{name}=UNGIVEN")
            default = "[]" if isinstance(field.type, Array) else f"default_of({name}_field)"
            body[-1] = f" self.{name} = {default} if {name} is UNGIVEN else {name}"
        else:
            parameters.append(f"{name}={field.default!r}")
    return [f"def __init__({', '.join(parameters)}):", *body], scope


def _is_plain(field: Field) -> bool:
    """Whether the default can be shared between instances."""
    return field.default is None or not isinstance(field.type, Array | StructOf)
