"""A part that is made when somebody first asks it for something."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["WhenNeeded"]


class WhenNeeded:
    """Stands where the part will be, and has it made by the first look at any of its names."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        """Gives the part, the same one each time; it may put it where this object was."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # whatever the part has
        return getattr(self._make(), name)
