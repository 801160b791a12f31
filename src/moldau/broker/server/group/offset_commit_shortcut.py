"""OffsetCommit of who says the same again but for the numbers, as consumers do.

    group, generation, member, instance     ┐
    topics, topic, partitions, index        ┘ the beginning, the same for all commits of a member
    offset, leader epoch, metadata            for each partition, and between two of them
    tags; index, or topic and index           what is the same as well

What is to be known of a beginning is found out once, from the decoded request, and kept as a
`Plan` for as long as the metadata is the same: the records' keys, and the whole answer. The rest
is asked anew with each request: whether the sender may, whether the group takes the commit from it,
and everything that the log asks of a batch.

Who has the shard to itself is answered at once. Others share a batch with what comes in the same
turn, or wait for replicas, and are answered later. Left to the handler are the first commit of a
group, topics that are not known, long or strange metadata, whatever is not written as we would
write it, and every refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from struct import Struct as Packer
from typing import NamedTuple

from moldau.broker.coordinator.group.offsets.encoding import encode_key
from moldau.broker.coordinator.group.offsets.ordinary import (
    CommitPart,
    Committer,
    OrdinaryCommits,
    Pair,
    Progress,
)
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.coordinator.shard import Reply, Ticket
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import TopicState
from moldau.broker.runtime.joining import Prepared
from moldau.broker.runtime.running_shard import RunningShard
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.group.offset_commit import TOPIC_IDS_SINCE, response_to
from moldau.broker.server.shortcut import SHORT_BYTES_MAX, Postponed, Reader
from moldau.errors import KafkaError, MoldauError
from moldau.network.connection import Connection
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.stored.offsets import OffsetCommitKey
from moldau.protocol.wire.compile import decode_prefix, encode
from moldau.protocol.wire.schema import Message

GENERATION_BYTES, ID_BYTES, COUNT_BYTES, INDEX_BYTES = 4, 16, 1, 4
SHORT = 128
"""Compact lengths below it are one byte."""
PLANS_MAX = 10_000
"""A member has one for each beginning of its commits: beyond this all is found out anew."""
PARTITIONS_MAX = 100
"""Of a commit, so that a plan stays small."""
_NUMBERS = Packer(">qiB")
"""Offset, leader epoch, and the compact length of the metadata."""
_OFFSET = Packer(">q")
_SENTINEL = 0x0123456789ABCDEF

Topic = OffsetCommitResponse.OffsetCommitResponseTopic
Partition = Topic.OffsetCommitResponsePartition


class Plan(NamedTuple):
    """What is known of all commits that begin alike."""

    shard_index: int
    request: OffsetCommitRequest
    """The first of them."""
    topics: tuple[str, ...]
    committer: Committer
    between: tuple[bytes, ...]
    """What stands behind the metadata of each partition."""
    response: OffsetCommitResponse
    answer: bytes
    """The same, encoded."""


class OffsetCommitShortcut:
    """For one version."""

    def __init__(self, broker: Broker, version: int) -> None:
        self._broker = broker
        self._version = version
        self._has_ids = version >= TOPIC_IDS_SINCE
        self._image: Image = EMPTY_IMAGE
        """As long as this is the metadata, the plans hold."""
        self._plans: dict[bytes, Plan] = {}

    # hot: a commit takes 20 us of the loop, where it took 43 by the handler; sockets not counted.
    def find(
        self, connection: Connection, frame: memoryview, position: int
    ) -> bytes | Postponed | None:
        if len(frame) > SHORT_BYTES_MAX:
            return None
        broker = self._broker
        image = broker.metadata.image
        if image is not self._image:
            self._image = image
            self._plans.clear()
        try:
            start = self._first_numbers(frame, position)
            beginning = bytes(frame[position:start])
            plan = self._plans.get(beginning)
            if plan is None:
                plan = self._make_plan(beginning, frame, position)
            said = None if plan is None else _progress(plan.between, frame, start)
        except (IndexError, MoldauError):
            return None  # it breaks off, or is none of ours: the handler knows what to say
        if plan is None or said is None:
            self._plans.pop(beginning, None)  # the next of this shape gets a plan
            return None
        if image.quotas.by_entity or not self._may(connection, plan):
            return None
        shard: RunningShard | None = broker.groups.find(plan.shard_index)
        if shard is None:
            return None
        return self._commit(connection.number, plan, said, shard)

    def _commit(
        self, asker: int, plan: Plan, said: list[Progress], shard: RunningShard
    ) -> bytes | Postponed | None:
        commits: OrdinaryCommits = shard.shard.ordinary_commits  # type: ignore[attr-defined]  # a shard of groups
        now_ms = self._broker.clock.now_ms()
        pairs = commits.decide(plan.committer, said, now_ms)
        if pairs is None:
            return None
        if shard.is_alone(asker):
            first_offset = shard.append_alone(OffsetCommitKey, pairs, now_ms)
            if first_offset is None:
                return None  # nothing was appended: the handler meets the same, and tells it
            commits.apply(plan.committer, said, now_ms, first_offset)
            return plan.answer
        commit = _Commit(plan, self._version, pairs)
        commit.apply = partial(commits.apply, plan.committer, said, now_ms)
        shard.join(commit.told, asker, commit.prepared)
        return commit.answered_or_postponed()

    def _first_numbers(self, frame: memoryview, position: int) -> int:
        """Where the first offset stands, if all that is before it is short."""
        position += frame[position] + GENERATION_BYTES
        position += frame[position]
        position += (frame[position] or 1) + COUNT_BYTES
        position += ID_BYTES if self._has_ids else frame[position]
        return position + COUNT_BYTES + INDEX_BYTES

    def _may(self, connection: Connection, plan: Plan) -> bool:
        allows = self._broker.authorizer.allows
        if not allows(connection, Operation.READ, Resource.GROUP, plan.committer.group_id):
            return False
        for topic in plan.topics:
            if not allows(connection, Operation.READ, Resource.TOPIC, topic):
                return False
        return True

    def _make_plan(self, beginning: bytes, frame: memoryview, position: int) -> Plan | None:
        """Look once; None where such requests are not for us."""
        request, _ = decode_prefix(OffsetCommitRequest, self._version, frame, position)
        layout = self._layout(request, frame, position)
        topics = [self._known(topic) for topic in request.topics]
        if layout is None or layout[0] != beginning or self._broker.groups is None:
            return None
        parts: list[CommitPart] = []
        for asked, topic in zip(request.topics, topics, strict=True):
            if topic is None or not asked.partitions:
                return None
            for one in asked.partitions:
                if one.partition_index not in topic.partitions:
                    return None
                key = encode_key(request.group_id, topic.name, one.partition_index)
                place = Place(topic.name, one.partition_index)
                parts.append(CommitPart(place, key, topic.topic_id))
        committer = Committer(
            request.group_id,
            request.member_id,
            request.group_instance_id,
            request.generation_id_or_member_epoch,
            self._version,
            tuple(parts),
        )
        names = tuple(topic.name for topic in topics if topic is not None)
        index = self._broker.groups.partition_for(request.group_id)
        response = _response(request)
        answer = encode(response, self._version)
        plan = Plan(index, request, names, committer, layout[1:], response, answer)
        if len(self._plans) >= PLANS_MAX:
            self._plans.clear()
        self._plans[beginning] = plan
        return plan

    def _known(self, asked: OffsetCommitRequest.OffsetCommitRequestTopic) -> TopicState | None:
        topics = self._image.topics
        if self._has_ids:
            return topics.by_id.get(asked.topic_id)
        return topics.by_name.get(asked.name)

    def _layout(
        self, request: OffsetCommitRequest, frame: memoryview, position: int
    ) -> tuple[bytes, ...] | None:
        """The frame without its numbers and metadata; None if it is written in another way."""
        partitions = [one for topic in request.topics for one in topic.partitions]
        body = encode(request, self._version)
        if body != frame[position:] or not 0 < len(partitions) <= PARTITIONS_MAX:
            return None
        start, pieces = 0, list[bytes]()
        for one in partitions:
            offset, one.committed_offset = one.committed_offset, _SENTINEL
            marked = encode(request, self._version)
            one.committed_offset = offset
            size = len((one.committed_metadata or "").encode())
            if marked.count(_OFFSET.pack(_SENTINEL)) != 1 or size + 1 >= SHORT:
                return None
            numbers_at = marked.index(_OFFSET.pack(_SENTINEL))
            pieces.append(body[start:numbers_at])
            start = numbers_at + _NUMBERS.size + size
        return (*pieces, body[start:])


def _response(request: OffsetCommitRequest) -> OffsetCommitResponse:
    """As the handler would answer."""
    topics = [
        Topic(
            name=topic.name,
            topic_id=topic.topic_id,
            partitions=[
                Partition(partition_index=one.partition_index, error_code=0)
                for one in topic.partitions
            ],
        )
        for topic in request.topics
    ]
    return OffsetCommitResponse(throttle_time_ms=0, topics=topics)


class _Commit(Postponed):
    """One that may have to wait for others, or for replicas."""

    __slots__ = ("_answer", "_is_awaited", "_pairs", "_plan", "_version", "apply")

    apply: Callable[[int], None]

    def __init__(self, plan: Plan, version: int, pairs: list[Pair]) -> None:
        self._plan = plan
        self._version = version
        self._pairs = pairs
        self._answer: bytes | None = None
        self._is_awaited = False

    def prepared(self, ticket: Ticket) -> Prepared:
        reply = Reply(ticket, self._plan.response)
        return Prepared(OffsetCommitKey, self._pairs, self.apply, (reply,))

    def told(self, said: Message | KafkaError) -> None:
        answer = self._plan.answer
        if isinstance(said, KafkaError):
            refusal = response_to(self._plan.request, self._version, said, {})
            answer = encode(refusal, self._version)
        if self._is_awaited:
            self.later.reply(answer)
        else:
            self._answer = answer

    def answered_or_postponed(self) -> bytes | Postponed:
        self._is_awaited = self._answer is None
        return self if self._answer is None else self._answer


def _progress(between: tuple[bytes, ...], frame: memoryview, start: int) -> list[Progress] | None:
    """What is committed for each partition, if the rest is as expected."""
    said: list[Progress] = []
    end = len(frame)
    for expected in between:
        metadata_at = start + _NUMBERS.size
        if metadata_at > end:
            return None
        offset, leader_epoch, size = _NUMBERS.unpack_from(frame, start)
        start = metadata_at + (size - 1 if size > 1 else 0)
        after = start + len(expected)
        if size >= SHORT or frame[start:after] != expected:
            return None
        metadata = bytes(frame[metadata_at:start]) if size > 1 else b""
        said.append(Progress(offset, leader_epoch, metadata))
        start = after
    return said if start == end else None


def make(broker: Broker, version: int, read: Reader) -> OffsetCommitShortcut:
    return OffsetCommitShortcut(broker, version)
