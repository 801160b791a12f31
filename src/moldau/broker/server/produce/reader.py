"""Reading Produce in the shape that nearly all have: one ordinary batch for each partition.

    transactional id  null                 ┐
    acks              int16                │
    timeout           int32                │ the opening of the first topic
    topics            how many             │
      name or id                           │
      partitions      how many             ┘
        index         int32
        records       length and one batch
        tags          none
      tags            none
      name or id                           ┐ the opening of another topic
      partitions      how many             ┘
        ...
    tags              none

What an opening says is found out once and kept, as long as the metadata is the same. Left to the
reader of messages is what is out of the ordinary: transactions, acks 0, internal, forbidden and
unknown topics, partitions that are not here or just being opened, batches of another shape, a
partition or a topic that is named twice. What is read is appended and answered by
`appending.Production`, as all else is.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct as Packer
from struct import error as StructError
from typing import Any, Final

from moldau.broker.log.appending.result import AppendResult
from moldau.broker.metadata.image import EMPTY_IMAGE
from moldau.broker.metadata.topics import INTERNAL_TOPICS, Topics, TopicState
from moldau.broker.replica.partition import Partition
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.produce.batches import ACKS, NO_ACKS, TOPIC_IDS_FROM
from moldau.errors import DecodeError
from moldau.network.connection import Connection
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    LENGTH_END,
    LENGTH_POSITION,
    MAGIC,
    TRANSACTIONAL_BIT,
)
from moldau.protocol.wire.varint import decode_more, decode_uvarint, encode_uvarint

TopicData = ProduceRequest.TopicProduceData
WRITE: Final = Operation.WRITE
TOPIC: Final = Resource.TOPIC
NO_ID: Final = 0
NO_TAGS: Final = 0
TAGS_BYTES: Final = 1
ID_BYTES: Final = 16
SHORT: Final = 128
"""Compact lengths and counts below it are one byte."""
OPENINGS_MAX: Final = 10_000
"""Clients may make up timeouts as they like: beyond this all is found out anew."""
_BEGINNING: Final = Packer(">bhiB")
"""Transactional id, acks, timeout, topics."""
_PARTITION: Final = Packer(">iBB")
"""Index, and the length's first bytes: there is more than one behind the index in any case."""
_INDEX_BYTES: Final = 4
_BATCH: Final = Packer(">i4xb4xh")
"""Length, magic and attributes."""
_ANSWER: Final = Packer(">ihqqqBxx")
"""Index, error code, base offset, time of the append, start of the log; no errors of records (an
empty array), no message, no tags."""
_NO_ERROR: Final = 0
_NO_RECORD_ERRORS: Final = 1
_END: Final = bytes(6)
"""No tags of the last topic, no throttling, no tags."""
NOT_OURS: Final = -1


class Opening:
    """What comes before the partitions of a topic, and what it means."""

    __slots__ = (
        "acks", "answer", "partition_count", "timeout_ms", "topic", "topic_count",
    )  # fmt: skip

    def __init__(self, topic: TopicState, partition_count: int, answer: bytes) -> None:
        self.topic = topic
        self.partition_count = partition_count
        self.answer = answer
        """What stands there in the answer."""
        self.acks = 0
        self.timeout_ms = 0
        self.topic_count = 0

    """Both follow from the first topic's opening alone."""


Asked = tuple[Opening, dict[Partition, memoryview]]
"""What a request has for a topic."""


class ReadProduce:
    """One request, read."""

    __slots__ = ("_has_ids", "acks", "timeout_ms", "topics")

    def __init__(self, topics: list[Asked], *, has_ids: bool) -> None:
        first = topics[0][0]
        self.topics = topics
        self.acks = first.acks
        self.timeout_ms = first.timeout_ms
        self._has_ids = has_ids

    def message(self) -> ProduceRequest:
        """The same without records."""
        data = [
            TopicData(
                **self.names(opening),
                partition_data=[
                    TopicData.PartitionProduceData(index=one.index, records=None) for one in batches
                ],
            )
            for opening, batches in self.topics
        ]
        return ProduceRequest(acks=self.acks, timeout_ms=self.timeout_ms, topic_data=data)

    def names(self, opening: Opening) -> dict[str, Any]:
        """What the request calls a topic."""
        topic = opening.topic
        return {"topic_id": topic.topic_id} if self._has_ids else {"name": topic.name}

    def answer(self, results: Iterator[AppendResult]) -> bytes:
        """The response where all went well, as the codec writes it."""
        # hot: once for each request.
        parts: list[bytes] = []
        for opening, batches in self.topics:
            parts.append(opening.answer)
            for partition in batches:
                first, _, _, append_time, start, _ = next(results)
                index = partition.index
                parts.append(
                    _ANSWER.pack(index, _NO_ERROR, first, append_time, start, _NO_RECORD_ERRORS)
                )
        parts.append(_END)
        return b"".join(parts)


class ProduceReader:
    """For one version."""

    def __init__(self, broker: Broker, version: int) -> None:
        self._broker = broker
        self._has_ids = version >= TOPIC_IDS_FROM
        self._topics: Topics = EMPTY_IMAGE.topics
        """As long as these are the topics, the openings hold."""
        self._first: dict[bytes, Opening] = {}
        self._later: dict[bytes, Opening] = {}

    # hot: 2.1 us and 0.9 for each partition.
    def read(self, connection: Connection, frame: memoryview, position: int) -> ReadProduce | None:
        topics = self._broker.metadata.image.topics
        if topics is not self._topics:
            self._topics = topics
            self._first.clear()
            self._later.clear()
        try:
            asked = self._read_topics(connection, frame, position)
        except (IndexError, StructError, DecodeError):
            return None  # it breaks off
        return ReadProduce(asked, has_ids=self._has_ids) if asked else None

    def _read_topics(
        self, connection: Connection, frame: memoryview, position: int
    ) -> list[Asked] | None:
        """What is to be appended where; None if anything is not for us."""
        # hot: once for each request.
        allows = self._broker.authorizer.allows
        asked: list[Asked] = []
        known, name_at, topic_count = self._first, position + _BEGINNING.size, 1
        while len(asked) < topic_count:
            end = name_at + (ID_BYTES if self._has_ids else frame[name_at]) + 1
            if frame[end - 1] >= SHORT:
                end += 1
            words = bytes(frame[position:end])
            opening = known.get(words) or self._open(words, name_at - position)
            if opening is None or not allows(connection, WRITE, TOPIC, opening.topic.name):
                return None
            if not asked:
                known, topic_count = self._later, opening.topic_count
            batches: dict[Partition, memoryview] = {}
            name_at = position = self._read_batches(frame, end, opening, batches)
            if position == NOT_OURS:
                return None
            asked.append((opening, batches))
        if position + TAGS_BYTES != len(frame) or frame[position] != NO_TAGS:
            return None
        if topic_count > 1 and len({opening.topic.name for opening, _ in asked}) < topic_count:
            return None
        return asked

    def _read_batches(
        self,
        frame: memoryview,
        position: int,
        opening: Opening,
        batches: dict[Partition, memoryview],
    ) -> int:
        """Where the topic ends."""
        # hot: once for each topic.
        find, topic = self._broker.replicas.find, opening.topic.name
        indexes = opening.topic.partitions
        for _ in range(opening.partition_count):
            index, size, second = _PARTITION.unpack_from(frame, position)
            position += _INDEX_BYTES + 1
            if size >= SHORT:
                if second < SHORT:
                    size += second - 1 << 7
                    position += 1
                else:
                    size, position = decode_more(frame, position, size)
            end = position + size - 1
            length, magic, attributes = _BATCH.unpack_from(frame, position + LENGTH_POSITION)
            if (
                size <= HEADER_SIZE
                or length + LENGTH_END != size - 1
                or magic != MAGIC
                or attributes & TRANSACTIONAL_BIT
                or frame[end] != NO_TAGS
            ):
                return NOT_OURS
            partition: Partition | None = find(topic, index)
            if partition is None or index not in indexes:
                return NOT_OURS
            batches[partition] = frame[position:end]
            position = end + TAGS_BYTES
        if len(batches) < opening.partition_count or frame[position] != NO_TAGS:
            return NOT_OURS
        return position + TAGS_BYTES

    def _open(self, words: bytes, name_at: int) -> Opening | None:
        """Look once what these words mean; None where such requests are not for us."""
        name_end = name_at + (ID_BYTES if self._has_ids else words[name_at])
        named = words[name_at:name_end]
        topics = self._topics
        known = topics.by_id.get(named) if self._has_ids else topics.by_name.get(_name(named))
        count, _ = decode_uvarint(words, name_end)
        if known is None or known.name in INTERNAL_TOPICS or count < 2:
            return None
        rest = words[name_at:]
        if not name_at:
            opening = Opening(known, count - 1, bytes((NO_TAGS,)) + rest)
            return self._keep(self._later, words, opening)
        transactional_id, acks, timeout_ms, topic_count = _BEGINNING.unpack_from(words)
        if transactional_id != NO_ID or acks not in ACKS or acks == NO_ACKS:
            return None
        if not 1 < topic_count < SHORT:
            return None
        rest = encode_uvarint(topic_count) + rest
        opening = Opening(known, count - 1, rest)
        opening.acks, opening.timeout_ms, opening.topic_count = acks, timeout_ms, topic_count - 1
        return self._keep(self._first, words, opening)

    def _keep(self, known: dict[bytes, Opening], words: bytes, opening: Opening) -> Opening:
        if len(known) >= OPENINGS_MAX:
            known.clear()
        known[words] = opening
        return opening


def _name(named: bytes) -> str:
    """As a compact string; empty where its length takes more than a byte."""
    return str(named[1:], "utf-8", "replace") if 0 < named[0] < SHORT else ""
