"""OffsetFetch: how far a group has come.

The shard answers for one group, in the form of version 8 and later; several groups, and older
forms, are the server's. A partition without a commit answers offset -1 and no error, and so does
every partition of a group that is not there. Readers that ask for stable offsets have to come
back while a transaction may still change one (KIP-447).
"""

from __future__ import annotations

from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.store import NO_OFFSET, Commits, CommittedOffset, Place
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest, OffsetFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID

NO_LEADER_EPOCH = -1

_Group = OffsetFetchResponse.OffsetFetchResponseGroup
_Topic = _Group.OffsetFetchResponseTopics
_Partition = _Topic.OffsetFetchResponsePartitions
_AskedGroup = OffsetFetchRequest.OffsetFetchRequestGroup
_AskedTopic = _AskedGroup.OffsetFetchRequestTopics


class Fetches:
    """Answers OffsetFetch for groups of all kinds."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups

    def fetch(self, request: OffsetFetchRequest, asking: RequestContext, now_ms: int) -> Decision:
        """What the one group of the request has committed."""
        (asked,) = request.groups
        commits = self._commits(asked)
        topics = self._all_topics(commits) if asked.topics is None else asked.topics
        answered = [self._topic(asked.group_id, topic, commits, request) for topic in topics]
        group = _Group(group_id=asked.group_id, topics=answered)
        response = OffsetFetchResponse(throttle_time_ms=0, topics=[], groups=[group])
        return Decision(replies=[Reply(asking.ticket, response)])

    def _commits(self, asked: _AskedGroup) -> Commits:
        """The group's offsets; a group that does not exist has none."""
        group = self._groups.by_id.get(asked.group_id)
        if group is None:
            return {}
        group.check_fetch(asked.member_id, asked.member_epoch)
        return self._groups.offsets.of_group(asked.group_id)

    def _all_topics(self, commits: Commits) -> list[_AskedTopic]:
        indexes: dict[str, list[int]] = {}
        for place in commits:
            indexes.setdefault(place.topic, []).append(place.partition)
        return [
            _AskedTopic(name=topic, topic_id=NULL_UUID, partition_indexes=partitions)
            for topic, partitions in indexes.items()
        ]

    def _topic(
        self, group_id: str, topic: _AskedTopic, commits: Commits, request: OffsetFetchRequest
    ) -> _Topic:
        partitions = []
        for index in topic.partition_indexes:
            place = Place(topic.name, index)
            committed = commits.get(place)
            if committed is not None and committed.is_of_other_topic(topic.topic_id):
                committed = None
            unstable = request.require_stable and self._groups.offsets.has_pending(group_id, place)
            partitions.append(_answer(index, committed, unstable=unstable))
        return _Topic(name=topic.name, topic_id=topic.topic_id, partitions=partitions)


def _answer(index: int, committed: CommittedOffset | None, *, unstable: bool) -> _Partition:
    if committed is None or unstable:
        return _Partition(
            partition_index=index,
            committed_offset=NO_OFFSET,
            committed_leader_epoch=NO_LEADER_EPOCH,
            metadata="",
            error_code=ErrorCode.UNSTABLE_OFFSET_COMMIT if unstable else ErrorCode.NONE,
        )
    return _Partition(
        partition_index=index,
        committed_offset=committed.offset,
        committed_leader_epoch=committed.leader_epoch,
        metadata=committed.metadata,
        error_code=ErrorCode.NONE,
    )
