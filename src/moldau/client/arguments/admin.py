"""What calls of an admin client are given, in every form in which programs write it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from moldau.client.arguments.places import (
    AnyPartition,
    AnyTime,
    listed_partitions,
    seconds_of,
    time_ms_of,
)
from moldau.client.core import admin as calls
from moldau.client.errors import InvalidArgumentError

if TYPE_CHECKING:
    from moldau.client.core.admin.group_offsets import GroupParts
    from moldau.client.core.admin.offsets import OffsetPlace

__all__ = [
    "GroupsGiven",
    "group_of",
    "group_parts_of",
    "limit_ms_of",
    "offset_place_of",
    "partitions_of",
]

MS_PER_SECOND = 1000
LIMIT_MAX_MS = 0x7FFFFFFF
"""Requests name their time in 31 bits."""

GroupsGiven: TypeAlias = str | Iterable[str] | Mapping[str, Iterable[AnyPartition] | None]
"""Groups with all their offsets; or by group the partitions that are asked for, None for all."""


def limit_ms_of(seconds: float) -> int:
    """How long calls may take."""
    limit_ms = seconds_of(seconds) * MS_PER_SECOND
    if not limit_ms <= LIMIT_MAX_MS:
        raise InvalidArgumentError(f"a limit is at most {LIMIT_MAX_MS} ms, and not {seconds!r} s")
    return int(limit_ms)


def offset_place_of(given: OffsetPlace | AnyTime) -> int:
    """A place, or a time; times before 1970 are taken for it: below 0 are names of places."""
    return given if isinstance(given, calls.OffsetPlace) else max(time_ms_of(given), 0)


def partitions_of(given: Iterable[AnyPartition] | None) -> GroupParts:
    """None stays: it stands for all."""
    return None if given is None else listed_partitions(given)


def group_parts_of(given: GroupsGiven) -> dict[str, GroupParts]:
    if isinstance(given, str):
        return {given: None}
    if isinstance(given, Mapping):
        return {group_of(group): partitions_of(parts) for group, parts in given.items()}
    if not isinstance(given, Iterable):
        raise InvalidArgumentError(f"groups are names, or partitions by name, and not {given!r}")
    return dict.fromkeys(map(group_of, given))


def group_of(given: object) -> str:
    """The name of one."""
    if not isinstance(given, str):
        raise InvalidArgumentError(f"the name of a group is text, and not {given!r}")
    return given
