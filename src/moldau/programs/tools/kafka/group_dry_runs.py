"""What deleting groups, or their offsets, would do: for `--dry-run` of the tools about groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from moldau.programs.tools.command import World

if TYPE_CHECKING:
    from moldau.client.admin import ListedGroup

__all__ = ["show_deletion", "show_forgetting"]

AT_REST = ("Empty", "Dead")


def show_deletion(
    groups: Iterable[str], listed: Mapping[str, ListedGroup], world: World, kind: str
) -> None:
    """Each with what stands against it."""
    for name in groups:
        print(
            f"DRY RUN of deleting {kind} group '{name}'{_objection(listed.get(name))}",
            file=world.out,
        )


def _objection(group: ListedGroup | None) -> str:
    if group is None:
        return ": it would fail, for there is no such group"
    if group.state not in AT_REST:
        return f": it would fail, for the group is {group.state}"
    return " with its offsets"


def show_forgetting(group: str, places: Iterable[object], world: World) -> None:
    for place in places:
        print(f"DRY RUN of deleting the offsets of group '{group}' in {place}", file=world.out)
