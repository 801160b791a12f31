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

What an opening means is found out once and kept, as long as the metadata is the same. Left to the
reader of messages is what is out of the ordinary: transactions, acks 0, internal, forbidden and
unknown topics, partitions that are not here or just being opened, batches of another shape, a
partition or a topic that is named twice. What is read is appended and answered by
`appending.Production`, as all else is.
"""

from __future__ import annotations

from collections.abc import Container
from struct import Struct as Packer
from typing import Any, Final

from librt.strings import BytesWriter, read_i32_be, write_i16_be, write_i32_be, write_i64_be

from moldau.broker.log.appending.result import AppendResult
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import INTERNAL_TOPICS, Topics, TopicState
from moldau.broker.replica.partition import Partition, Partitions
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import FastReader
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
INDEX_BYTES: Final = 4
SHORT: Final = 128
"""Compact lengths and counts below it are one byte."""
OPENINGS_MAX: Final = 10_000
"""Clients may make up timeouts as they like: beyond this all is found out anew."""
_BEGINNING: Final = Packer(">bhiB")
"""Transactional id, acks, timeout, topics."""
BEGINNING_BYTES: Final = 8
WINDOW_BYTES: Final = 256
"""What is copied of a long request at a time, to be read: more than the opening of a topic, and
than what is read of a partition."""
NEEDED_BYTES: Final = 160
MAGIC_AT: Final = 16
ATTRIBUTES_AT: Final = 22
"""In a batch: the byte of them that has the bit for transactions."""
_NO_ERROR: Final = 0
_PARTITION_END: Final = bytes((1, 0, 0))
"""No errors of records (an empty array), no message, no tags."""
_END: Final = bytes(6)
"""No tags of the last topic, no throttling, no tags."""
NOT_OURS: Final = -1
NO_RECORDS: Final = memoryview(b"")


class Opening:
    """What comes before the partitions of a topic, and what it means."""

    __slots__ = (
        "acks", "answer", "indexes", "name", "partition_count", "timeout_ms", "topic",
        "topic_count",
    )  # fmt: skip

    def __init__(self, topic: TopicState, partition_count: int, answer: bytes) -> None:
        self.topic = topic
        self.name = topic.name
        self.indexes: Container[int] = topic.partitions
        self.partition_count = partition_count
        self.answer = answer
        """What stands there in the answer."""
        self.acks = 0
        self.timeout_ms = 0
        self.topic_count = 0
        """These three are in the opening of the first topic alone."""


Asked = tuple[Opening, dict[Partition, memoryview]]
"""What a request has for a topic."""


class ReadProduce:
    """A Produce request, as the fast reader makes it."""

    __slots__ = ("_has_ids", "acks", "timeout_ms", "topics")

    def __init__(self, topics: list[Asked], *, has_ids: bool) -> None:
        first = topics[0][0]
        self.topics = topics
        self.acks = first.acks
        self.timeout_ms = first.timeout_ms
        self._has_ids = has_ids

    def message(self) -> ProduceRequest:
        """The request as a message, without its records."""
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

    def release_records(self) -> None:
        """Hold no memory of the frame any more."""
        for _, batches in self.topics:
            for partition in batches:
                batches[partition] = NO_RECORDS

    def names(self, opening: Opening) -> dict[str, Any]:
        """What the request calls a topic."""
        topic = opening.topic
        return {"topic_id": topic.topic_id} if self._has_ids else {"name": topic.name}

    def answer(self, results: list[AppendResult]) -> bytes:
        """The response where all went well, as the codec writes it."""
        # hot: once for each request.
        writer, at = BytesWriter(), 0
        for opening, batches in self.topics:
            writer.write(opening.answer)
            for partition in batches:
                result = results[at]
                at += 1
                write_i32_be(writer, partition.index)
                write_i16_be(writer, _NO_ERROR)
                write_i64_be(writer, result.first_offset)
                write_i64_be(writer, result.log_append_time)
                write_i64_be(writer, result.log_start_offset)
                writer.write(_PARTITION_END)
        writer.write(_END)
        return writer.getvalue()


class ProduceReader(FastReader):
    """A fast reader of Produce, for one version."""

    def __init__(self, broker: Broker, version: int) -> None:
        self._broker = broker
        self._here = Partitions()
        self._has_ids = version >= TOPIC_IDS_FROM
        self._topics: Topics = EMPTY_IMAGE.topics
        """As long as these are the topics, the openings hold."""
        self._first: dict[bytes, Opening] = {}
        self._later: dict[bytes, Opening] = {}

    # hot: 2.1 us and 0.9 for each partition.
    def read(
        self, connection: Connection, frame: memoryview, head: bytes, position: int, image: Image
    ) -> ReadProduce | None:
        topics = image.topics
        if topics is not self._topics:
            self._topics = topics
            self._first.clear()
            self._later.clear()
        try:
            asked = self._read_topics(connection, frame, head, position)
        except (IndexError, DecodeError):
            return None  # it breaks off
        return ReadProduce(asked, has_ids=self._has_ids) if asked else None

    def _read_topics(
        self, connection: Connection, frame: memoryview, head: bytes, position: int
    ) -> list[Asked] | None:
        """What is to be appended where; None if anything is not for us."""
        # hot: once for each request. What is read lies in `head`, which begins at `base`.
        authorizer, base = self._broker.authorizer, 0
        asked: list[Asked] = []
        known, name_at, topic_count = self._first, position + BEGINNING_BYTES, 1
        while len(asked) < topic_count:
            if name_at + NEEDED_BYTES > base + len(head) < len(frame):
                head, base = bytes(frame[position : position + WINDOW_BYTES]), position
            end = self._opening_end(head, name_at - base) + base
            words = head[position - base : end - base]
            opening = known.get(words) or self._open(words, name_at - position)
            if opening is None or not authorizer.allows(connection, WRITE, TOPIC, opening.name):
                return None
            if not asked:
                known, topic_count = self._later, opening.topic_count
            batches: dict[Partition, memoryview] = {}
            name_at = position = self._read_batches(frame, head, base, end, opening, batches)
            if position == NOT_OURS:
                return None
            asked.append((opening, batches))
        if position + TAGS_BYTES != len(frame) or _byte(frame, head, base, position) != NO_TAGS:
            return None
        return asked if topic_count == 1 or _are_distinct(asked) else None

    def _opening_end(self, head: bytes, name_at: int) -> int:
        """Behind the name or id, and the count of partitions."""
        end = name_at + (ID_BYTES if self._has_ids else head[name_at])
        return end + 1 if head[end] < SHORT else end + 2

    def _read_batches(
        self,
        frame: memoryview,
        head: bytes,
        base: int,
        position: int,
        opening: Opening,
        batches: dict[Partition, memoryview],
    ) -> int:
        """Where the topic ends."""
        # hot: once for each topic.
        here, topic, indexes, frame_size = self._here, opening.name, opening.indexes, len(frame)
        for _ in range(opening.partition_count):
            if position + NEEDED_BYTES > base + len(head) < frame_size:
                head, base = bytes(frame[position : position + WINDOW_BYTES]), position
            at = position - base
            index: int = read_i32_be(head, at)
            at += INDEX_BYTES
            size = head[at]
            at += 1
            if size >= SHORT:
                size, at = decode_more(head, at, size)
            position = base + at
            end = position + size - 1
            if (
                size <= HEADER_SIZE
                or end >= frame_size
                or read_i32_be(head, at + LENGTH_POSITION) + LENGTH_END != size - 1
                or head[at + MAGIC_AT] != MAGIC
                or head[at + ATTRIBUTES_AT] & TRANSACTIONAL_BIT
                or _byte(frame, head, base, end) != NO_TAGS
            ):
                return NOT_OURS
            partition = here.find(topic, index)
            if partition is None or index not in indexes:
                return NOT_OURS
            batches[partition] = frame[position:end]
            position = end + TAGS_BYTES
        if len(batches) < opening.partition_count:
            return NOT_OURS
        if _byte(frame, head, base, position) != NO_TAGS:
            return NOT_OURS
        return position + TAGS_BYTES

    def _open(self, words: bytes, name_at: int) -> Opening | None:
        """Look once what these words mean; None where such requests are not for us."""
        self._here = self._broker.replicas.here
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


def _are_distinct(asked: list[Asked]) -> bool:
    """Whether no topic is named twice."""
    return len({opening.name for opening, _ in asked}) == len(asked)


def _byte(frame: memoryview, head: bytes, base: int, position: int) -> int:
    """Of the frame, from its copied part where it lies there."""
    at = position - base
    return head[at] if at < len(head) else frame[position]


def _name(named: bytes) -> str:
    """As a compact string; empty where its length takes more than a byte."""
    return str(named[1:], "utf-8", "replace") if 0 < named[0] < SHORT else ""
