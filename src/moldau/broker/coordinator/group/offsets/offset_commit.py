"""OffsetCommit as the coordinator takes it: who commits for what, and how far it has come.

A member commits for the same partitions again and again, so what does not change from one commit
to the next (`Committer`) is apart from what does (`Position`): a reader of requests may keep it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, repeat
from typing import Final

from moldau.broker.coordinator.group.offsets.store import Place
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Committer", "OffsetCommit", "Position", "respond"]

Topic = OffsetCommitResponse.OffsetCommitResponseTopic
Partition = Topic.OffsetCommitResponsePartition


class Committer:
    """Who commits, and for what."""

    __slots__ = ("answer", "group_id", "places", "request", "response", "topic_ids", "version")

    def __init__(self, request: OffsetCommitRequest, version: int) -> None:
        """Of a request whose topics are known: they have their names and ids."""
        topics = request.topics
        self.request = request
        """The first one of this committer: later ones say the same but for the numbers."""
        self.version = version
        """Of the request's API."""
        self.group_id = request.group_id
        self.places = [Place(topic.name, one.partition_index) for topic, one in _each(topics)]
        self.topic_ids = [topic.topic_id for topic, _ in _each(topics)]
        self.response = respond(request)
        """The answer when all is committed."""
        self.answer = b""
        """The same, encoded, where a committer is kept: then neither of them may be changed."""


class Position:
    """How far a group has come in one partition."""

    __slots__ = ("leader_epoch", "metadata", "offset")

    def __init__(self, offset: int, leader_epoch: int, metadata: str) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata


class OffsetCommit:
    """One request, read."""

    __slots__ = ("committer", "positions")

    def __init__(self, committer: Committer, positions: Sequence[Position]) -> None:
        self.committer = committer
        self.positions = positions
        """In the order of the committer's places."""

    @classmethod
    def of(cls, request: OffsetCommitRequest, version: int) -> OffsetCommit:
        """Read the message."""
        positions = [
            Position(one.committed_offset, one.committed_leader_epoch, one.committed_metadata or "")
            for _, one in _each(request.topics)
        ]
        return cls(Committer(request, version), positions)

    def with_only(self, taken: Sequence[bool]) -> OffsetCommit:
        """Of some of the partitions alone."""
        whole = self.committer
        committer = Committer(whole.request, whole.version)
        committer.places = list(compress(whole.places, taken))
        committer.topic_ids = list(compress(whole.topic_ids, taken))
        return OffsetCommit(committer, list(compress(self.positions, taken)))

    def message(self) -> OffsetCommitRequest:
        """A request of the same shape."""
        return self.committer.request


AskedTopic = OffsetCommitRequest.OffsetCommitRequestTopic
AskedPartition = AskedTopic.OffsetCommitRequestPartition


ALL_WELL: Final[Iterator[int]] = repeat(ErrorCode.NONE)


def _each(topics: Sequence[AskedTopic]) -> Iterator[tuple[AskedTopic, AskedPartition]]:
    for topic in topics:
        for one in topic.partitions:
            yield topic, one


def respond(request: OffsetCommitRequest, codes: Iterator[int] = ALL_WELL) -> OffsetCommitResponse:
    """The answer that has these codes for the request's partitions, in their order."""
    topics = [
        Topic(
            name=topic.name,
            topic_id=topic.topic_id,
            partitions=[
                Partition(partition_index=one.partition_index, error_code=next(codes))
                for one in topic.partitions
            ],
        )
        for topic in request.topics
    ]
    return OffsetCommitResponse(throttle_time_ms=0, topics=topics)
