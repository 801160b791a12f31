"""OffsetCommit and TxnOffsetCommit: a group has come so far.

Who may commit is the group's decision. A commit without a member (generation -1) makes a
simple group if there is none: it has offsets and no members. Metadata longer than
`offset.metadata.max.bytes` are refused for their partition alone. An epoch that is too old for one
partition refuses them all.

A transactional commit is the same record in a transactional batch; it counts when the marker comes
(KIP-98), and its member and generation are checked so that zombies are fenced (KIP-447).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.group import Committed, Group
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.records import NEVER, commit_record
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.transaction.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

NO_GENERATION = -1
KNOWS_MEMBER_EPOCHS = 9
"""From this version on the client knows the errors of KIP-848."""

TouchSession = Callable[[Group, str, int], None]
"""Called with a group, the id of a member that has committed, and the time."""

Look = Callable[[Committed], None]
"""Whether a partition may be committed with an older epoch; refuses the whole request if not."""

_AskedTopic = OffsetCommitRequest.OffsetCommitRequestTopic
_PendingTopic = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
_PendingPartition = _PendingTopic.TxnOffsetCommitRequestPartition
_Topic = OffsetCommitResponse.OffsetCommitResponseTopic
_Partition = _Topic.OffsetCommitResponsePartition
_TxnTopic = TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic
_TxnPartition = _TxnTopic.TxnOffsetCommitResponsePartition


class Commits:
    """Answers OffsetCommit and TxnOffsetCommit for groups of all kinds."""

    def __init__(self, groups: Groups, touch_session: TouchSession) -> None:
        self._groups = groups
        self._touch_session = touch_session

    # Plain.

    def commit(self, request: OffsetCommitRequest, asking: RequestContext, now_ms: int) -> Decision:
        """One record for each partition, all in one batch."""
        group, looks = self._committing_group(request, asking, now_ms)
        self._touch_session(group, request.member_id, now_ms)
        records: list[StoredRecord] = []
        topics = [
            _Topic(
                name=topic.name,
                topic_id=topic.topic_id,
                partitions=[
                    self._commit_one(request, topic, partition, looks, records, now_ms)
                    for partition in topic.partitions
                ],
            )
            for topic in request.topics
        ]
        response = OffsetCommitResponse(throttle_time_ms=0, topics=topics)
        return Decision(records, [Reply(asking.ticket, response)])

    def _committing_group(
        self, request: OffsetCommitRequest, asking: RequestContext, now_ms: int
    ) -> tuple[Group, Look | None]:
        """The group, if the sender may commit to it, and how to look at each partition."""
        epoch = request.generation_id_or_member_epoch
        group = self._groups.by_id.get(request.group_id)
        if group is None:
            if epoch < 0:
                return ClassicGroup(request.group_id, now_ms), None
            is_modern = asking.version >= KNOWS_MEMBER_EPOCHS
            raise KafkaError(
                ErrorCode.GROUP_ID_NOT_FOUND if is_modern else ErrorCode.ILLEGAL_GENERATION
            )
        looks = group.check_commit(
            request.member_id,
            request.group_instance_id,
            epoch,
            is_transactional=False,
            version=asking.version,
        )
        look = partial(group.check_commit_of, request.member_id, epoch)
        return group, look if looks else None

    def _commit_one(
        self,
        request: OffsetCommitRequest,
        topic: _AskedTopic,
        partition: _AskedTopic.OffsetCommitRequestPartition,
        look: Look | None,
        records: list[StoredRecord],
        now_ms: int,
    ) -> _Partition:
        code = self._obstacle(partition.committed_metadata)
        if code is ErrorCode.NONE:
            if look is not None:
                look(Committed(topic.name, topic.topic_id, partition.partition_index))
            retention_ms = request.retention_time_ms
            record = commit_record(
                request.group_id,
                Place(topic.name, partition.partition_index),
                offset=partition.committed_offset,
                leader_epoch=partition.committed_leader_epoch,
                metadata=partition.committed_metadata,
                now_ms=now_ms,
                expire_at_ms=NEVER if retention_ms == NEVER else now_ms + retention_ms,
                topic_id=topic.topic_id,
            )
            records.append(record)
        return _Partition(partition_index=partition.partition_index, error_code=code)

    def _obstacle(self, metadata: str | None) -> ErrorCode:
        size_max = self._groups.world.settings.offset_metadata_max_bytes
        if metadata is not None and len(metadata) > size_max:
            return ErrorCode.OFFSET_METADATA_TOO_LARGE
        return ErrorCode.NONE

    # In a transaction.

    def commit_in_transaction(
        self, request: TxnOffsetCommitRequest, asking: RequestContext, now_ms: int
    ) -> Decision:
        """The same records, pending until the marker."""
        look = self._check_transactional(request, asking)
        records: list[StoredRecord] = []
        topics = [
            _TxnTopic(
                name=topic.name,
                partitions=[
                    self._commit_pending(request, topic.name, partition, look, records, now_ms)
                    for partition in topic.partitions
                ],
            )
            for topic in request.topics
        ]
        response = TxnOffsetCommitResponse(throttle_time_ms=0, topics=topics)
        producer = request.producer_id, request.producer_epoch
        return Decision(records, [Reply(asking.ticket, response)], producer=producer)

    def _check_transactional(
        self, request: TxnOffsetCommitRequest, asking: RequestContext
    ) -> Look | None:
        group = self._groups.by_id.get(request.group_id)
        if group is None:
            if request.generation_id >= 0:
                raise KafkaError(ErrorCode.ILLEGAL_GENERATION)
            return None
        with _epochs_as_generations():
            looks = group.check_commit(
                request.member_id,
                request.group_instance_id,
                request.generation_id,
                is_transactional=True,
                version=asking.version,
            )
        return (
            partial(group.check_commit_of, request.member_id, request.generation_id)
            if looks
            else None
        )

    def _commit_pending(
        self,
        request: TxnOffsetCommitRequest,
        topic: str,
        partition: _PendingPartition,
        look: Look | None,
        records: list[StoredRecord],
        now_ms: int,
    ) -> _TxnPartition:
        code = self._obstacle(partition.committed_metadata)
        if code is ErrorCode.NONE:
            if look is not None:
                with _epochs_as_generations():
                    look(Committed(topic, self._id_of(topic), partition.partition_index))
            record = commit_record(
                request.group_id,
                Place(topic, partition.partition_index),
                offset=partition.committed_offset,
                leader_epoch=partition.committed_leader_epoch,
                metadata=partition.committed_metadata,
                now_ms=now_ms,
            )
            records.append(record)
        return _TxnPartition(partition_index=partition.partition_index, error_code=code)

    def _id_of(self, topic: str) -> bytes:
        """Transactions name topics; what a member has been given has ids."""
        known = self._groups.world.image().topics.by_name.get(topic)
        if known is None:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION, f"There is no topic {topic}.")
        return known.topic_id


@contextmanager
def _epochs_as_generations() -> Iterator[None]:
    """Producers do not know of member epochs; to them a stale one is an old generation."""
    try:
        yield
    except KafkaError as error:
        if error.code == ErrorCode.STALE_MEMBER_EPOCH:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION, error.message) from error
        raise
