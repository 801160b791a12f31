"""What the compiler of hot modules is to know of a class; at run time it is nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

__all__ = ["mypyc_attr"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_hints: bool) -> Callable[[type], type]:
        """The compiler reads it where it stands; the class is what it is without."""
        return lambda kind: kind
