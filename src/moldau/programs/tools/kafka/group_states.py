"""What the tools for groups of one kind have in common: how they are listed and described."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from moldau.client.admin import ListedGroup
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Given, WrongUsageError
from moldau.programs.tools.kafka.java_order import in_java_order

__all__ = ["AVAILABLE_WITH", "check_states", "check_ways", "list_with_states", "need_groups"]

AVAILABLE_WITH = {
    "members": ("describe",),
    "offsets": ("describe",),
    "state": ("describe", "list"),
    "verbose": ("describe",),
}
"""By flag, the actions of which it needs one."""
WAYS = ("members", "offsets", "state")

WIDTH_MIN = 15
"""Of the column with the names of groups."""


def need_groups(given: Given, action: str) -> None:
    if not given.has("group") and not given.has("all-groups"):
        raise WrongUsageError(
            f"Option [{action}] takes one of these options: [all-groups], [group]"
        )


def check_ways(given: Given) -> None:
    """Refuse more than one thing to be described."""
    if sum(given.has(way) for way in WAYS) > 1:
        raise WrongUsageError(
            "Option [describe] takes at most one of these options: [members], [offsets], [state]"
        )


def check_states(given: Given, states: Collection[str]) -> None:
    """Refuse a value of --state with names that are none of these; an empty one is none."""
    wanted = given.text("state")
    if wanted and _lower(wanted) - {state.lower() for state in states}:
        raise WrongUsageError(
            f"Invalid state list '{wanted}'. Valid states are: {', '.join(states)}"
        )


def list_with_states(given: Given, groups: Mapping[str, ListedGroup], world: World) -> bool:
    """Print them with their states; False where names alone are to be printed."""
    wanted = given.text("state")
    listed = [
        (name, groups[name].state)
        for name in in_java_order(groups)
        if not wanted or groups[name].state.lower() in _lower(wanted)
    ]
    if world.takes(("GROUP", "STATE"), listed):
        return True
    if not given.has("state"):
        return False
    rows = [("GROUP", "STATE"), *listed]
    width = max(WIDTH_MIN, *(len(name) for name, _ in rows))
    for name, state in rows:
        print(f"{name:<{width}} {state}", file=world.out)
    return True


def _lower(text: str) -> set[str]:
    return {one.strip().lower() for one in text.split(",")}
