"""Produce, in the shape that nearly all requests have: one ordinary batch for each partition.

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

What an opening says is found out once and kept, as long as the metadata is the same. The rest is
asked anew with each request: whether the sender may write, whether the partition is led here, and
everything that the log asks of a batch.

First the whole request is read. If anything in it is out of the ordinary it is left, as it came,
to the handler: transactions, acks 0, acks -1 where replicas have to follow, internal and unknown
topics, partitions that are just being opened, batches of another shape, a partition or a topic
that is named twice. Then batch after batch is appended, and what the handler would answer is put
together from bytes and numbers. Where an append is refused, the handler's own `Production` goes on
from there, and words the whole answer.
"""

from __future__ import annotations

from collections.abc import Collection
from struct import Struct as Packer
from struct import error as StructError

from moldau.broker.log.appending.result import AppendResult
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import INTERNAL_TOPICS
from moldau.broker.replica.partition import ALL_REPLICAS, Partition
from moldau.broker.security.access import Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.produce.appending import (
    ACKS,
    NO_ACKS,
    TOPIC_IDS_FROM,
    Production,
    Tried,
)
from moldau.broker.server.shortcut import Reader
from moldau.errors import DecodeError, MoldauError
from moldau.network.connection import Connection
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    LENGTH_END,
    LENGTH_POSITION,
    MAGIC,
    TRANSACTIONAL_BIT,
)
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.varint import decode_more, decode_uvarint, encode_uvarint

WRITE, TOPIC = Operation.WRITE, Resource.TOPIC
NO_ID, NO_TAGS, TAGS_BYTES = 0, 0, 1
ID_BYTES = 16
SHORT = 128
"""Compact lengths and counts below it are one byte."""
OPENINGS_MAX = 10_000
"""Clients may make up timeouts as they like: beyond this all is found out anew."""
_BEGINNING = Packer(">bhiB")
"""Transactional id, acks, timeout, topics."""
_PARTITION = Packer(">iBB")
"""Index, and the length's first bytes: there is more than one behind the index in any case."""
_INDEX_BYTES = 4
_BATCH = Packer(">i4xb4xh")
"""Length, magic and attributes."""
_ANSWER = Packer(">ihqqqBxx")
"""Index, error code, base offset, time of the append, start of the log; no errors of records (an
empty array), no message, no tags."""
_NO_ERROR, _NO_RECORD_ERRORS = 0, 1
_END = bytes(6)
"""No tags of the last topic, no throttling, no tags."""
NOT_OURS = -1


@dataclass(slots=True)
class Opening:
    """What comes before the partitions of a topic, and what it means."""

    topic: str
    indexes: Collection[int]
    """Partitions that the metadata know of."""
    partition_count: int
    answer: bytes
    """What stands there in the answer."""
    acks: int = 0
    topic_count: int = 0
    """Both follow from the first topic's opening alone."""


Asked = tuple[Opening, dict[Partition, memoryview]]
"""What a request has for a topic."""


class ProduceShortcut:
    """For one version."""

    def __init__(self, broker: Broker, version: int, read: Reader) -> None:
        self._broker = broker
        self._version = version
        self._read = read
        self._has_ids = version >= TOPIC_IDS_FROM
        self._image: Image = EMPTY_IMAGE
        self._first: dict[bytes, Opening] = {}
        self._later: dict[bytes, Opening] = {}

    # hot: 2.1 us and 0.9 for each partition, beyond the appends; with all that is around it, a
    # request for one takes 26 us of the loop, for six 62: by the handler 44 and 104
    # (bench/requests.py, the best of many rounds, for the machine was busy).
    def find(self, connection: Connection, frame: memoryview, position: int) -> bytes | None:
        image = self._broker.metadata.image
        if image is not self._image:
            self._image = image
            self._first.clear()
            self._later.clear()
        if image.quotas.by_entity:
            return None
        try:
            asked = self._read_topics(connection, frame, position)
        except (IndexError, StructError, DecodeError):
            return None  # it breaks off
        return self._append(connection, frame, asked) if asked else None

    def _read_topics(
        self, connection: Connection, frame: memoryview, position: int
    ) -> list[Asked] | None:
        """What is to be appended where; None if anything is not for us."""
        # hot: once for each request.
        authorizer = self._broker.authorizer
        asked: list[Asked] = []
        known, name_at, acks, topic_count = self._first, position + _BEGINNING.size, 0, 1
        while len(asked) < topic_count:
            end = name_at + (ID_BYTES if self._has_ids else frame[name_at]) + 1
            if frame[end - 1] >= SHORT:
                end += 1
            words = bytes(frame[position:end])
            opening = known.get(words) or self._open(words, name_at - position)
            if opening is None or not authorizer.allows(connection, WRITE, TOPIC, opening.topic):
                return None
            if not asked:
                known, acks, topic_count = self._later, opening.acks, opening.topic_count
            batches: dict[Partition, memoryview] = {}
            name_at = position = self._read_batches(frame, end, opening, acks, batches)
            if position == NOT_OURS:
                return None
            asked.append((opening, batches))
        if position + TAGS_BYTES != len(frame) or frame[position] != NO_TAGS:
            return None
        if topic_count > 1 and len({opening.topic for opening, _ in asked}) < topic_count:
            return None
        return asked

    def _read_batches(
        self,
        frame: memoryview,
        position: int,
        opening: Opening,
        acks: int,
        batches: dict[Partition, memoryview],
    ) -> int:
        """Where the topic ends."""
        # hot: once for each topic.
        find, topic, indexes = self._broker.replicas.find, opening.topic, opening.indexes
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
            if (
                partition is None
                or index not in indexes
                or (acks == ALL_REPLICAS and not partition.is_alone)
            ):
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
        topics = self._image.topics
        known = topics.by_id.get(named) if self._has_ids else topics.by_name.get(_name(named))
        count, _ = decode_uvarint(words, name_end)
        if known is None or known.name in INTERNAL_TOPICS or count < 2:
            return None
        rest = words[name_at:]
        if not name_at:
            opening = Opening(known.name, known.partitions, count - 1, bytes((NO_TAGS,)) + rest)
            return self._keep(self._later, words, opening)
        transactional_id, acks, _, topic_count = _BEGINNING.unpack_from(words)
        if transactional_id != NO_ID or acks not in ACKS or acks == NO_ACKS:
            return None
        if not 1 < topic_count < SHORT:
            return None
        rest = encode_uvarint(topic_count) + rest
        opening = Opening(known.name, known.partitions, count - 1, rest, acks, topic_count - 1)
        return self._keep(self._first, words, opening)

    def _keep(self, known: dict[bytes, Opening], words: bytes, opening: Opening) -> Opening:
        if len(known) >= OPENINGS_MAX:
            known.clear()
        known[words] = opening
        return opening

    def _append(self, connection: Connection, frame: memoryview, asked: list[Asked]) -> bytes:
        """Append, count and answer as the handler does."""
        # hot: once for each request.
        produced, acks = self._broker.traffic.produced, asked[0][0].acks
        results: list[AppendResult] = []
        parts: list[bytes] = []
        for opening, batches in asked:
            parts.append(opening.answer)
            size = messages = 0
            for partition, records in batches.items():
                try:
                    result = partition.append(records, required_acks=acks)
                except MoldauError as error:
                    produced(opening.topic, size, messages, list(batches).index(partition))
                    return self._go_on(connection, frame, asked, [*results, error])
                results.append(result)
                first, last, _, append_time, start, _ = result
                size += len(records)
                messages += last - first + 1
                parts.append(
                    _ANSWER.pack(
                        partition.index, _NO_ERROR, first, append_time, start, _NO_RECORD_ERRORS
                    )
                )
            produced(opening.topic, size, messages, len(batches))
        parts.append(_END)
        return b"".join(parts)

    def _go_on(
        self,
        connection: Connection,
        frame: memoryview,
        asked: list[Asked],
        outcomes: list[AppendResult | MoldauError],
    ) -> bytes:
        """The last of these appends was refused: the rest, and the answer, as by the handler."""
        partitions = [partition for _, batches in asked for partition in batches]
        tried = {
            (partition.topic, partition.index): Tried(partition, outcome)
            for partition, outcome in zip(partitions, outcomes, strict=False)
        }
        call = self._read(connection, frame)
        answer = Production(call, self._broker, tried=tried).run()
        assert isinstance(answer, ProduceResponse), "no wait for replicas that are not there"
        return encode(answer, self._version)


def _name(named: bytes) -> str:
    """As a compact string; empty where its length takes more than a byte."""
    return str(named[1:], "utf-8", "replace") if 0 < named[0] < SHORT else ""


def make(broker: Broker, version: int, read: Reader) -> ProduceShortcut:
    return ProduceShortcut(broker, version, read)
