"""What calls of an admin client are given, in every form in which programs write it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from moldau.client.arguments.places import AnyPartition, AnyTime, named_partition, time_ms_of
from moldau.client.core import admin as calls

if TYPE_CHECKING:
    from moldau.client.core.admin.group_offsets import GroupParts
    from moldau.client.core.admin.offsets import OffsetPlace

__all__ = ["GroupsGiven", "group_parts_of", "offset_place_of", "partitions_of"]

GroupsGiven: TypeAlias = str | Iterable[str] | Mapping[str, Iterable[AnyPartition] | None]
"""Groups with all their offsets; or by group the partitions that are asked for, None for all."""


def offset_place_of(given: OffsetPlace | AnyTime) -> int:
    """A place, or a time; times before 1970 are taken for it: below 0 are names of places."""
    return given if isinstance(given, calls.OffsetPlace) else max(time_ms_of(given), 0)


def partitions_of(given: Iterable[AnyPartition] | None) -> GroupParts:
    """None stays: it stands for all."""
    return None if given is None else [named_partition(part) for part in given]


def group_parts_of(given: GroupsGiven) -> dict[str, GroupParts]:
    if isinstance(given, str):
        return {given: None}
    if isinstance(given, Mapping):
        return {group: partitions_of(parts) for group, parts in given.items()}
    return dict.fromkeys(given)
