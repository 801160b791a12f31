"""Deleting offsets: single ones (OffsetDelete), those of deleted topics, those of a whole group."""

from __future__ import annotations

from collections.abc import Collection

from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.records import tombstone
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.protocol.messages.group.offset_delete import OffsetDeleteRequest, OffsetDeleteResponse
from moldau.protocol.wire.error_codes import ErrorCode

_Topic = OffsetDeleteResponse.OffsetDeleteResponseTopic
_Partition = _Topic.OffsetDeleteResponsePartition


class OffsetDeletes:
    """Forgets offsets of groups of all kinds."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups

    def delete(self, request: OffsetDeleteRequest, asking: RequestContext, now_ms: int) -> Decision:
        """Forget these offsets, but for topics that a live member reads."""
        group = self._groups.get(request.group_id)
        group.check_offset_delete()
        records: list[StoredRecord] = []
        topics = []
        for topic in request.topics:
            is_read = group.is_subscribed_to(topic.name)
            places = [Place(topic.name, one.partition_index) for one in topic.partitions]
            if not is_read:
                records += self._tombstones(request.group_id, places)
            code = ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if is_read else ErrorCode.NONE
            partitions = [
                _Partition(partition_index=place.partition, error_code=code) for place in places
            ]
            topics.append(_Topic(name=topic.name, partitions=partitions))
        response = OffsetDeleteResponse(
            error_code=ErrorCode.NONE, throttle_time_ms=0, topics=topics
        )
        return Decision(records, [Reply(asking.ticket, response)])

    def of_group(self, group_id: str) -> list[StoredRecord]:
        """Tombstones for all that the group has committed, or may yet commit."""
        offsets = self._groups.offsets
        places = dict.fromkeys((*offsets.of_group(group_id), *offsets.pending_places(group_id)))
        return [tombstone(group_id, place) for place in places]

    def of_topics(self, topics: Collection[str]) -> list[StoredRecord]:
        """Tombstones for what all groups have committed for these topics."""
        offsets = self._groups.offsets
        return [
            tombstone(group_id, place)
            for group_id in offsets.group_ids()
            for place in dict.fromkeys(
                (*offsets.of_group(group_id), *offsets.pending_places(group_id))
            )
            if place.topic in topics
        ]

    def _tombstones(self, group_id: str, places: list[Place]) -> list[StoredRecord]:
        offsets = self._groups.offsets
        committed = offsets.of_group(group_id)
        return [
            tombstone(group_id, place)
            for place in places
            if place in committed or offsets.has_pending(group_id, place)
        ]
