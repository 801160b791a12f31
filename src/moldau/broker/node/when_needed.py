"""A part that is made when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar, cast

__all__ = ["when_needed"]

Part = TypeVar("Part")

NOTHING: Mapping[str, object] = MappingProxyType({})


def when_needed(make: Callable[[], Part], meanwhile: Mapping[str, object] = NOTHING) -> Part:
    """Stands where the part will be, and has it made by the first look at any of its names.

    `make` gives the part, the same one each time; it may put it where this object was. For the
    names in `meanwhile` it need not be made.
    """
    return cast("Part", _Unmade(make, meanwhile))


class _Unmade:
    __slots__ = ("_make", "_meanwhile")

    def __init__(self, make: Callable[[], object], meanwhile: Mapping[str, object]) -> None:
        self._make = make
        self._meanwhile = meanwhile

    def __getattr__(self, name: str) -> object:
        if name in self._meanwhile:
            return self._meanwhile[name]
        return getattr(self._make(), name)
