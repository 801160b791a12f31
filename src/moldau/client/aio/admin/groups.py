"""Groups of every kind: members, and offsets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from moldau.client.aio.admin.asking import AsyncAsking
from moldau.client.arguments.admin import GroupsGiven, group_of, group_parts_of
from moldau.client.arguments.places import (
    AnyPartition,
    OffsetsGiven,
    StartOffsetsGiven,
    committed_offsets_of,
    listed_partitions,
    offsets_of,
)
from moldau.client.core import admin as calls
from moldau.client.core.admin.choices import GroupType
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.topic_partition import TopicPartition

if TYPE_CHECKING:
    from moldau.client.core.admin.group_offsets import CommittedOffset
    from moldau.client.core.admin.group_views import GroupView
    from moldau.client.core.admin.groups import ListedGroup, MemberToRemove
    from moldau.client.core.admin.share_offsets import ShareOffset
    from moldau.client.core.admin.streams_views import StreamsGroupView

__all__ = ["AsyncGroupCalls"]


class AsyncGroupCalls(AsyncAsking):
    """Who reads, and how far it has come."""

    async def list_groups(
        self,
        *,
        types: Iterable[GroupType | str] | None = None,
        states: Iterable[str] | None = None,
        protocol_types: Iterable[str] | None = None,
    ) -> Outcomes[str, ListedGroup]:
        """All groups by name, or those of these types, states and protocol types.

        A broker that cannot answer is an error under its name, such as `broker 3`.
        """
        return await self._hold(
            calls.list_groups(
                self._call(), types=types, states=states, protocol_types=protocol_types
            )
        )

    async def describe_consumer_groups(
        self, names: str | Iterable[str], *, operations: bool = False
    ) -> Outcomes[str, GroupView]:
        """Groups of consumers, of either protocol, with their members and what those read."""
        return await self._hold(
            calls.describe_consumer_groups(self._call(), names, operations=operations)
        )

    async def describe_classic_groups(
        self, names: str | Iterable[str], *, operations: bool = False
    ) -> Outcomes[str, GroupView]:
        """Groups of the classic protocol: of consumers, of Connect, and others."""
        return await self._hold(
            calls.describe_classic_groups(self._call(), names, operations=operations)
        )

    async def describe_share_groups(
        self, names: str | Iterable[str], *, operations: bool = False
    ) -> Outcomes[str, GroupView]:
        """Share groups with their members (KIP-932)."""
        return await self._hold(
            calls.describe_share_groups(self._call(), names, operations=operations)
        )

    async def describe_streams_groups(
        self, names: str | Iterable[str], *, operations: bool = False
    ) -> Outcomes[str, StreamsGroupView]:
        """Groups of Kafka Streams with topology and tasks (KIP-1071)."""
        return await self._hold(
            calls.describe_streams_groups(self._call(), names, operations=operations)
        )

    async def delete_groups(self, names: str | Iterable[str]) -> Outcomes[str, None]:
        """Delete groups of any kind that have no members."""
        return await self._hold(calls.delete_groups(self._call(), names))

    async def remove_members_from_consumer_group(
        self, group: str, members: Iterable[MemberToRemove] | None = None, *, reason: str = ""
    ) -> Outcomes[MemberToRemove, None]:
        """Remove members of a classic group, all of them or these."""
        if members is None:
            view = (await self.describe_consumer_groups(group_of(group)))[group]
            members = [calls.MemberToRemove(one.instance_id, one.member_id) for one in view.members]
        return await self._hold(calls.remove_members(self._call(), group, members, reason))

    async def list_consumer_group_offsets(
        self, groups: GroupsGiven, *, require_stable: bool = False
    ) -> Outcomes[str, dict[TopicPartition, CommittedOffset | None]]:
        """What groups have committed, by group and partition; also of Kafka Streams."""
        return await self._hold(
            calls.list_group_offsets(
                self._call(), group_parts_of(groups), require_stable=require_stable
            )
        )

    async def alter_consumer_group_offsets(
        self, group: str, offsets: OffsetsGiven
    ) -> Outcomes[TopicPartition, None]:
        """Set the offsets from which a group without members will go on."""
        return await self._hold(
            calls.alter_group_offsets(self._call(), group, committed_offsets_of(offsets))
        )

    async def delete_consumer_group_offsets(
        self, group: str, parts: Sequence[AnyPartition]
    ) -> Outcomes[TopicPartition, None]:
        """Forget offsets of topics that no member subscribes to."""
        wanted = listed_partitions(parts)
        return await self._hold(calls.delete_group_offsets(self._call(), group, wanted))

    async def list_share_group_offsets(
        self, groups: GroupsGiven
    ) -> Outcomes[str, dict[TopicPartition, ShareOffset | None]]:
        """Where share groups begin in each partition, and how much they have still to settle."""
        return await self._hold(
            calls.list_share_group_offsets(self._call(), group_parts_of(groups))
        )

    async def alter_share_group_offsets(
        self, group: str, offsets: StartOffsetsGiven
    ) -> Outcomes[TopicPartition, None]:
        """Set where a share group without members begins."""
        return await self._hold(
            calls.alter_share_group_offsets(self._call(), group, offsets_of(offsets))
        )

    async def delete_share_group_offsets(
        self, group: str, topics: Iterable[str]
    ) -> Outcomes[str, None]:
        """Forget where a share group without members is in these topics."""
        return await self._hold(calls.delete_share_group_offsets(self._call(), group, topics))
