"""Things that have to be there: `all(…)` holds of nothing as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

__all__ = ["present"]

Item = TypeVar("Item")


def present(items: Iterable[Item]) -> list[Item]:
    """All of them, of which there is at least one."""
    found = list(items)
    assert found, "there is nothing to look at"
    return found
