"""Groups of all kinds: the list, and one with its members, its offsets and how far it is behind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from moldau.client import TopicPartition
from moldau.client.admin import (
    GroupMember,
    GroupType,
    GroupView,
    ListedGroup,
    StreamsGroupView,
    StreamsMember,
)
from moldau.programs.console.api.operations import Operation
from moldau.programs.console.api.refusals import no_such
from moldau.programs.console.lookups.log_offsets import log_offsets
from moldau.programs.console.lookups.long_lists import reply_in_slices
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = [
    "GroupInView",
    "GroupPages",
    "committed_in_pages",
    "committed_offsets",
    "group_in_view",
    "listed_group",
    "owners_of",
    "shown_member",
]

Offsets = dict[TopicPartition, int]
GROUPS_MAX: Final = 1_000
PAGE_GROUPS: Final = 25
"""Whose offsets are asked for at once, for the reason that `log_offsets` has."""
PARTITIONS_MAX: Final = 20_000
"""Of which the ends are asked for to show the lags of all groups."""


class GroupInView(NamedTuple):
    """One group as its coordinator describes it."""

    name: str
    kind: GroupType
    view: GroupView | StreamsGroupView


class GroupPages:
    """See the head of the file."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def operations(self) -> list[Operation]:
        return [
            Operation("GET", "/api/groups", self.list, "All groups, of every kind"),
            Operation("GET", "/api/groups/{group}", self.one, "Members, offsets and lag"),
            Operation("GET", "/api/lags", self.lags, "How many records wait for each group"),
        ]

    async def list(self, request: Request) -> Response:
        found = await self._reach.admin.list_groups()
        groups = found.values
        rows = (
            {"group": name, "type": groups[name].type, "state": groups[name].state}
            for name in sorted(groups)
        )
        errors = [str(error) for error in found.errors.values()]
        return await reply_in_slices(self._reach, "groups", rows, {"errors": errors})

    async def one(self, request: Request) -> Response:
        name, kind, view = await group_in_view(self._reach, request.parameters["group"])
        committed = await committed_offsets(self._reach, name, kind)
        owners = owners_of(view)
        ends = await log_offsets(self._reach.admin, sorted({*committed, *owners}))
        return reply(
            {
                "group": name,
                "type": kind,
                "state": view.state,
                "coordinator": None if view.coordinator is None else view.coordinator.node_id,
                "epoch": view.epoch,
                "assignor": getattr(view, "assignor", ""),
                "members": [shown_member(one) for one in view.members],
                "offsets": _offsets(committed, ends, owners),
            }
        )

    async def lags(self, request: Request) -> Response:
        """Of the first groups in order of their names, where there are very many."""
        listed = (await self._reach.admin.list_groups()).values
        names = sorted(listed)[:GROUPS_MAX]
        lags: list[list[object]] = []
        ends: Offsets = {}
        async for committed in committed_in_pages(self._reach, [listed[name] for name in names]):
            parts = {part for offsets in committed.values() for part in offsets} - ends.keys()
            ends |= await log_offsets(
                self._reach.admin, sorted(parts)[: PARTITIONS_MAX - len(ends)]
            )
            lags += [[name, _lag_in_all(offsets, ends)] for name, offsets in committed.items()]
        return reply({"lags": lags, "is_cut": len(listed) > len(names)})


async def committed_in_pages(
    reach: Reach, groups: Sequence[ListedGroup]
) -> AsyncIterator[dict[str, Offsets]]:
    """Of the groups whose offsets may be seen, in the order that is given."""
    for start in range(0, len(groups), PAGE_GROUPS):
        page = groups[start : start + PAGE_GROUPS]
        share = [one.group_id for one in page if one.type == GroupType.SHARE]
        others = [one.group_id for one in page if one.type != GroupType.SHARE]
        found = await _committed(reach, others, share)
        yield {one.group_id: found[one.group_id] for one in page if one.group_id in found}


async def _committed(
    reach: Reach, others: Sequence[str], share: Sequence[str]
) -> dict[str, Offsets]:
    found: dict[str, Offsets] = {}
    if others:
        by_group = (await reach.admin.list_consumer_group_offsets(others)).values
        for name, offsets in by_group.items():
            found[name] = {part: one.offset for part, one in offsets.items() if one}
    if share:
        shared = (await reach.admin.list_share_group_offsets(share)).values
        for name, starts in shared.items():
            found[name] = {part: one.start_offset for part, one in starts.items() if one}
    return found


async def listed_group(reach: Reach, name: str) -> ListedGroup:
    found = (await reach.admin.list_groups()).values.get(name)
    if found is None:
        raise no_such("group", name)
    return found


async def group_in_view(reach: Reach, name: str) -> GroupInView:
    """By the kind that it is listed with."""
    kind = (await listed_group(reach, name)).type
    return GroupInView(name, kind, await _view(reach, name, kind))


async def _view(reach: Reach, name: str, kind: GroupType) -> GroupView | StreamsGroupView:
    admin = reach.admin
    if kind is GroupType.SHARE:
        return (await admin.describe_share_groups(name))[name]
    if kind is GroupType.STREAMS:
        return (await admin.describe_streams_groups(name))[name]
    return (await admin.describe_consumer_groups(name))[name]


async def committed_offsets(reach: Reach, name: str, kind: str) -> Offsets:
    """From where the group goes on, by partition."""
    if kind == GroupType.SHARE:
        shared = (await reach.admin.list_share_group_offsets(name))[name]
        return {part: one.start_offset for part, one in shared.items() if one is not None}
    found = (await reach.admin.list_consumer_group_offsets(name))[name]
    return {part: one.offset for part, one in found.items() if one is not None}


def shown_member(one: GroupMember | StreamsMember) -> dict[str, Any]:
    found = {
        "member": one.member_id,
        "client": one.client_id,
        "host": one.host.removeprefix("/"),
        "instance": one.instance_id,
    }
    if isinstance(one, GroupMember):
        return {
            **found,
            "assignment": [f"{part.topic}-{part.partition}" for part in one.assignment],
        }
    active = [f"{task.subtopology}_{task.partition}" for task in one.assignment.active]
    return {**found, "assignment": active}


def owners_of(view: GroupView | StreamsGroupView) -> dict[TopicPartition, GroupMember]:
    if isinstance(view, StreamsGroupView):
        return {}
    return {part: one for one in view.members for part in one.assignment}


def _offsets(
    committed: Offsets, ends: Offsets, owners: Mapping[TopicPartition, GroupMember]
) -> list[dict[str, Any]]:
    parts = sorted({**committed, **dict.fromkeys(owners)})
    return [
        {
            "topic": part.topic,
            "partition": part.partition,
            "committed": committed.get(part),
            "end": ends.get(part),
            "lag": _lag(committed.get(part), ends.get(part)),
            "client": owners[part].client_id if part in owners else None,
            "member": owners[part].member_id if part in owners else None,
        }
        for part in parts
    ]


def _lag_in_all(committed: Offsets, ends: Offsets) -> int | None:
    """None where no end is known."""
    lags = [max(ends[part] - offset, 0) for part, offset in committed.items() if part in ends]
    return sum(lags) if lags or not committed else None


def _lag(committed: int | None, end: int | None) -> int | None:
    return None if committed is None or end is None else max(end - committed, 0)
