"""`dataclass` at a fifth of its price: a node makes a hundred such classes before it answers.

Python's decorator writes, compiles and runs the source of six methods for each frozen class, which
takes most of a millisecond; this one has `__init__` alone written, when a class has its first
instance, for plain classes without the module `dataclasses` (`plain_dataclass`), and gives all
classes the same few functions for the rest.
To a type checker it is the decorator of the standard library, and `fields`, `replace` and `asdict`
work as ever. One thing is left out: nothing but the checker stops an assignment to a frozen
instance. That makes instances cheaper too.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

from moldau.platform.plain_dataclass import STANDARD, Fresh, plain_dataclass

if TYPE_CHECKING:
    from dataclasses import dataclass, field
else:

    def field(**wishes: Any) -> Any:  # noqa: ANN401
        """As the standard library's, which makes all but a factory of defaults."""
        if wishes.keys() == {"default_factory"}:
            return Fresh(wishes["default_factory"])
        return import_module(STANDARD).field(**wishes)

    def dataclass(cls: type | None = None, /, **wishes: bool) -> Any:  # noqa: ANN401
        """As the standard library's."""
        return _made(cls) if cls is not None else lambda cls: _made(cls, **wishes)


__all__ = ["dataclass", "field"]

SHOWN = "__shown_fields__"
"""Where a class has the names of the fields that it shows."""


def _made(
    cls: type,
    *,
    frozen: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002 - the name that the standard library gave it
    **others: bool,
) -> type:
    def methods(shown: list[str], compared: list[str]) -> dict[str, object]:
        """What the class does not have of its own."""
        own = vars(cls)
        made: dict[str, object] = {}
        if repr and "__repr__" not in own:
            made |= {SHOWN: shown, "__repr__": _represent}
        if eq and "__eq__" not in own:
            values_of = _getter(compared)
            made["__eq__"] = _equality(values_of)
            if own.get("__hash__") is None:
                made["__hash__"] = _hash(values_of) if frozen else None
        return made

    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # or Python would find out and print its signature
    made = plain_dataclass(cls, lambda names: methods(names, names), **others)
    return made if made is not None else _standard(cls, methods, others)


def _standard(
    cls: type, methods: Callable[[list[str], list[str]], dict[str, object]], others: dict[str, bool]
) -> type:
    """One that is not plain."""
    _make_standard(cls)
    library = import_module(STANDARD)
    made: type = library.dataclass(cls, eq=False, repr=False, **others)
    fields = library.fields(made)
    shown = [one.name for one in fields if one.repr]
    for name, value in methods(shown, [one.name for one in fields if one.compare]).items():
        setattr(made, name, value)
    return made


def _make_standard(cls: type) -> None:
    """Its factories of defaults, for the standard library."""
    for name, value in list(vars(cls).items()):
        if isinstance(value, Fresh):
            setattr(cls, name, import_module(STANDARD).field(default_factory=value.factory))


def _getter(names: list[str]) -> Callable[[object], object]:
    return attrgetter(*names) if names else type


@recursive_repr()
def _represent(self: object) -> str:
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in getattr(self, SHOWN))
    return f"{type(self).__qualname__}({values})"


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
