"""OffsetCommit and TxnOffsetCommit: a group has come so far.

Who may commit is the group's decision. A commit without a member (generation -1) makes a
simple group if there is none: it has offsets and no members. Metadata longer than
`offset.metadata.max.bytes` are refused for their partition alone. An epoch that is too old for one
partition refuses them all.

A transactional commit is the same record in a transactional batch; it counts when the marker comes
(KIP-98), and its member and generation are checked so that zombies are fenced (KIP-447).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from moldau.broker.coordinator.encoded_decision import EncodedDecision, Pair
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.group import Committed, Group
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.offsets.encoding import encode_ordinary
from moldau.broker.coordinator.group.offsets.offset_commit import (
    Committer,
    OffsetCommit,
    Position,
    respond,
)
from moldau.broker.coordinator.group.offsets.records import NEVER, commit_record
from moldau.broker.coordinator.group.offsets.store import CommittedOffset, Place
from moldau.broker.coordinator.record_codec import encode_stored
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.offsets import OffsetCommitKey
from moldau.protocol.messages.transaction.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

NO_GENERATION: Final = -1
KNOWS_MEMBER_EPOCHS: Final = 9
"""From this version on the client knows the errors of KIP-848."""

TouchSession = Callable[[Group, str, int], None]
"""Called with a group, the id of a member that has committed, and the time."""

Look = Callable[[Committed], None]
"""Whether a partition may be committed with an older epoch; refuses the whole request if not."""

_PendingTopic = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
_PendingPartition = _PendingTopic.TxnOffsetCommitRequestPartition
_TxnTopic = TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic
_TxnPartition = _TxnTopic.TxnOffsetCommitResponsePartition


class DecidedCommit:
    """Offsets that count once their records are in the log."""

    __slots__ = ("_commit", "_expire_at_ms", "_groups", "_now_ms")

    def __init__(
        self, groups: Groups, commit: OffsetCommit, now_ms: int, expire_at_ms: int
    ) -> None:
        self._groups = groups
        self._commit = commit
        self._now_ms = now_ms
        self._expire_at_ms = expire_at_ms

    def apply(self, first_offset: int, now_ms: int) -> None:
        """As the shard applies the records when it is loaded."""
        groups, committer, positions = self._groups, self._commit.committer, self._commit.positions
        offsets, group_id, topic_ids = groups.offsets, committer.group_id, committer.topic_ids
        for at, place in enumerate(committer.places):
            one = positions[at]
            committed = CommittedOffset(
                one.offset, one.leader_epoch, one.metadata, self._now_ms, self._expire_at_ms,
                topic_ids[at], first_offset + at,
            )  # fmt: skip
            offsets.put(group_id, place, committed)
        if positions and group_id not in groups.by_id:
            groups.by_id[group_id] = ClassicGroup(group_id, now_ms)


class Commits:
    """Answers OffsetCommit and TxnOffsetCommit for groups of all kinds."""

    def __init__(self, groups: Groups, touch_session: TouchSession) -> None:
        self._groups = groups
        self._touch_session = touch_session

    # Plain.

    # hot: once for each commit of a group.
    def commit(self, commit: OffsetCommit, now_ms: int) -> EncodedDecision:
        """One record for each partition, all in one batch."""
        committer = commit.committer
        request, group_id, response = committer.request, committer.group_id, committer.response
        group, look = self._committing_group(committer, now_ms)
        if request.member_id:
            self._touch_session(group, request.member_id, now_ms)
        codes = self._too_large(commit.positions)
        if codes:
            response = respond(request, iter(codes))
            commit = commit.with_only([not code for code in codes])
            committer = commit.committer
        retention_ms = request.retention_time_ms
        expire_at_ms = NEVER if retention_ms == NEVER else now_ms + retention_ms
        pairs: list[Pair] = []
        topic_ids, positions = committer.topic_ids, commit.positions
        for at, place in enumerate(committer.places):
            topic_id, one = topic_ids[at], positions[at]
            if look is not None:
                look(Committed(place.topic, topic_id, place.partition))
            pair = None
            if expire_at_ms == NEVER:
                pair = encode_ordinary(
                    group_id, place, one.offset, one.leader_epoch, one.metadata, now_ms, topic_id
                )
            pairs.append(pair or _encoded(group_id, place, topic_id, one, now_ms, expire_at_ms))
        decided = DecidedCommit(self._groups, commit, now_ms, expire_at_ms)
        return EncodedDecision(OffsetCommitKey, pairs, response, decided.apply)

    def _too_large(self, positions: Sequence[Position]) -> list[ErrorCode]:
        """The code of each partition, if the metadata of any of them are too large."""
        size_max = self._groups.context.settings.offset_metadata_max_bytes
        for position in positions:
            if len(position.metadata) > size_max:
                return [self._obstacle(one.metadata) for one in positions]
        return []

    def _committing_group(self, committer: Committer, now_ms: int) -> tuple[Group, Look | None]:
        """The group, if the sender may commit to it, and how to look at each partition."""
        request, version = committer.request, committer.version
        epoch = request.generation_id_or_member_epoch
        group = self._groups.by_id.get(request.group_id)
        if group is None:
            if epoch < 0:
                return ClassicGroup(request.group_id, now_ms), None
            is_modern = version >= KNOWS_MEMBER_EPOCHS
            raise KafkaError(
                ErrorCode.GROUP_ID_NOT_FOUND if is_modern else ErrorCode.ILLEGAL_GENERATION
            )
        looks = group.check_commit(
            request.member_id,
            request.group_instance_id,
            epoch,
            is_transactional=False,
            version=version,
        )
        return group, partial(group.check_commit_of, request.member_id, epoch) if looks else None

    def _obstacle(self, metadata: str | None) -> ErrorCode:
        size_max = self._groups.context.settings.offset_metadata_max_bytes
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
        known = self._groups.context.image().topics.by_name.get(topic)
        if known is None:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION, f"There is no topic {topic}.")
        return known.topic_id


def _encoded(
    group_id: str, place: Place, topic_id: bytes, one: Position, now_ms: int, expire_at_ms: int
) -> Pair:
    record = commit_record(
        group_id, place, offset=one.offset, leader_epoch=one.leader_epoch, metadata=one.metadata,
        now_ms=now_ms, expire_at_ms=expire_at_ms, topic_id=topic_id,
    )  # fmt: skip
    return encode_stored(record)


@contextmanager
def _epochs_as_generations() -> Iterator[None]:
    """Producers do not know of member epochs; to them a stale one is an old generation."""
    try:
        yield
    except KafkaError as error:
        if error.code == ErrorCode.STALE_MEMBER_EPOCH:
            raise KafkaError(ErrorCode.ILLEGAL_GENERATION, error.message) from error
        raise
