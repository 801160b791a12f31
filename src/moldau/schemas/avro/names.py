"""Names of Avro: what they may be, and what they mean inside a namespace."""

from __future__ import annotations

import re
from typing import Final

from moldau.schemas.model import InvalidSchemaError

__all__ = ["ensure_name", "split_name"]

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def ensure_name(name: object, what: str, *, as_new: bool = True) -> str:
    """What is not new, and has been registered elsewhere, may have any name."""
    if not isinstance(name, str):
        raise InvalidSchemaError(f"No name in schema: {what} has no name")
    if as_new and not _NAME.fullmatch(name):
        raise InvalidSchemaError(f"Illegal character in: {name}, the name of {what}")
    return name


def split_name(
    name: object, space: object, enclosing: str, *, as_new: bool = True
) -> tuple[str, str]:
    """The name itself and its namespace."""
    if not isinstance(name, str) or not name:
        raise InvalidSchemaError("No name in schema: a record, enum or fixed has to have one")
    front, dot, last = name.rpartition(".")
    if dot:
        found = front
    elif space is None:
        found = enclosing
    elif isinstance(space, str):
        found = space
    else:
        raise InvalidSchemaError(f"The namespace of {name} is no text: {space!r}")
    for part in found.split(".") if found else ():
        ensure_name(part, f"the namespace of {name}", as_new=as_new)
    return ensure_name(last, "a type", as_new=as_new), found
