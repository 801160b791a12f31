"""A part that is made when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["WhenNeeded"]


NOTHING: Mapping[str, Any] = MappingProxyType({})


class WhenNeeded:
    """Stands where the part will be, and has it made by the first look at any of its names."""

    __slots__ = ("_make", "_meanwhile")

    def __init__(self, make: Callable[[], Any], meanwhile: Mapping[str, Any] = NOTHING) -> None:
        self._make = make
        """Gives the part, the same one each time; it may put it where this object was."""
        self._meanwhile = meanwhile
        """What it need not be made for."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the part has
        if name in self._meanwhile:
            return self._meanwhile[name]
        return getattr(self._make(), name)
