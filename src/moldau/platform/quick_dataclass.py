"""`dataclass` at a fifth of its price: a node makes a hundred such classes before it answers.

Python's decorator writes, compiles and runs the source of six methods for each frozen class, which
takes most of a millisecond; this one lets it write `__init__` and gives all classes the same few
functions for the rest. To a type checker it is the decorator of the standard library, and `fields`,
`replace` and `asdict` work as ever. One thing is left out: nothing stops who assigns to a frozen
instance in spite of the checker. That makes instances cheaper too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass as whole_dataclass
from dataclasses import fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **wishes: bool) -> Any:  # noqa: ANN401
        """As the standard library's."""
        return _made(cls) if cls is not None else lambda cls: _made(cls, **wishes)


__all__ = ["dataclass"]


def _made(
    cls: type,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002 - the name that the standard library gave it
    **others: bool,
) -> type:
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # or Python would find out and print its signature
    made: Any = whole_dataclass(cls, eq=False, repr=False, **others)
    own = vars(made)
    if repr and "__repr__" not in own:
        made.__repr__ = _representation([field.name for field in fields(made) if field.repr])
    if eq and "__eq__" not in own:
        values_of = _getter([field.name for field in fields(made) if field.compare])
        made.__eq__ = _equality(values_of)
        if own.get("__hash__") is None:
            made.__hash__ = _hash(values_of) if frozen else None
    return made  # type: ignore[no-any-return]


def _getter(names: list[str]) -> Callable[[object], object]:
    return attrgetter(*names) if names else type


def _representation(names: list[str]) -> Callable[[object], str]:
    @recursive_repr()
    def represent(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({values})"

    return represent


def _equality(values_of: Callable[[object], object]) -> Callable[[object, object], bool]:
    def equals(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented  # type: ignore[no-any-return]  # as every comparison may
        return bool(values_of(self) == values_of(other))

    return equals


def _hash(values_of: Callable[[object], object]) -> Callable[[object], int]:
    def hash_of(self: object) -> int:
        return hash(values_of(self))

    return hash_of
