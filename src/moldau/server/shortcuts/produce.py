"""Produce, in the shape that nearly all requests have: one batch for one partition.

    transactional id  null         0      ┐
    acks              int16        1      │
    timeout           int32        3      │ the beginning, the same for all requests
    topics            one          7      │ of a producer to a partition
    name or id        ...          8      │
    partitions        one                 │
    index             int32               ┘
    records           length and one batch
    tags              none, three times

What is to be known of a beginning is found out once, from the decoded request, and kept as a
`Plan` for as long as the metadata is the same: topic, partition, and an answer in which only
three numbers are to be filled in. The rest is asked anew with each request: whether the sender may
write, whether the partition is led here, and everything that the log asks of a batch.

Left to the handler are transactions, acks 0, acks -1 where replicas have to follow, internal
topics, partitions that are just being opened, batches of another shape, and every refusal.
"""

from __future__ import annotations

from struct import Struct as Packer
from typing import NamedTuple

from moldau.errors import MoldauError
from moldau.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.metadata.image import Image
from moldau.network.connection import Connection
from moldau.records.batch import HEADER_SIZE, LENGTH_END, LENGTH_POSITION, MAGIC, TRANSACTIONAL_BIT
from moldau.replica.partition import ALL_REPLICAS, Partition
from moldau.security.access import Operation, Resource
from moldau.server.broker import Broker
from moldau.server.producing import (
    ACKS,
    INTERNAL_TOPICS,
    NO_ACKS,
    TOPIC_IDS_FROM,
    PartitionAnswer,
    TopicAnswer,
)
from moldau.server.shortcuts.shortcut import Reader
from moldau.wire.compile import decode_prefix, encode
from moldau.wire.varint import decode_more

NO_ID, ONE = 0, 2
"""A null string, and an array of one element, in compact form."""
TOPICS_AT, NAME_AT = 7, 8
INDEX_BYTES, ID_BYTES = 4, 16
NO_TAGS = b"\0\0\0"
"""Of the partition, the topic and the request."""
SHORT = 128
"""Compact lengths below it are one byte."""
PLANS_MAX = 10_000
"""Clients may make up timeouts as they like: beyond this all is found out anew."""
_BATCH = Packer(">iibIh")
"""Length, leader epoch, magic, checksum, attributes."""
_NUMBERS = Packer(">qqq")
"""Base offset, time of the append, and start of the log, as they stand in the answer."""
_SENTINELS = (0x0123456789ABCDEF, 0x1123456789ABCDEF, 0x2123456789ABCDEF)


class Plan(NamedTuple):
    """What is known of all requests that begin alike."""

    image: Image
    """As long as this is the metadata, the plan holds."""
    topic: str
    partition_index: int
    acks: int
    answer: bytes
    numbers_at: int


class ProduceShortcut:
    """For one version."""

    def __init__(self, broker: Broker, version: int) -> None:
        self._broker = broker
        self._version = version
        self._has_ids = version >= TOPIC_IDS_FROM
        self._plans: dict[bytes, Plan] = {}

    # hot: a request takes 28 us of the loop, where it took 50 by the handler (bench/requests.py).
    def find(self, connection: Connection, frame: memoryview, position: int) -> bytes | None:
        broker = self._broker
        try:
            name_at = position + NAME_AT
            end = name_at + (ID_BYTES if self._has_ids else frame[name_at])
            size_at = end + 1 + INDEX_BYTES
            beginning = bytes(frame[position:size_at])
            plan = self._plans.get(beginning)
            if plan is None or plan.image is not broker.metadata.image:
                plan = self._make_plan(beginning, frame, position)
                if plan is None:
                    return None
            records = _only_records(frame, size_at)
        except IndexError:
            return None  # it breaks off, or is too short to be one of ours
        if records is None or not _is_ordinary(records):
            return None
        image, topic, index, acks, answer, numbers_at = plan
        if image.quotas.by_entity or not broker.authorizer.allows(
            connection, Operation.WRITE, Resource.TOPIC, topic
        ):
            return None
        partition: Partition | None = broker.replicas.find(topic, index)
        if partition is None or (acks == ALL_REPLICAS and not partition.is_alone):
            return None
        try:
            result = partition.append(records, required_acks=acks)
        except MoldauError:
            return None  # nothing was appended: the handler meets the same, and tells it
        first_offset = result.first_offset
        broker.traffic.produced(topic, len(records), result.last_offset - first_offset + 1)
        filled = bytearray(answer)
        _NUMBERS.pack_into(
            filled, numbers_at, first_offset, result.log_append_time, result.log_start_offset
        )
        return bytes(filled)

    def _make_plan(self, beginning: bytes, frame: memoryview, position: int) -> Plan | None:
        """Look once; None where such requests are not for us."""
        if not self._has_our_shape(beginning):
            return None
        request, _ = decode_prefix(ProduceRequest, self._version, frame, position)
        if [len(topic.partition_data) for topic in request.topic_data] != [1]:
            return None
        topic = request.topic_data[0]
        image = self._broker.metadata.image
        known = image.topics.by_id.get(topic.topic_id) if self._has_ids else (
            image.topics.by_name.get(topic.name)
        )  # fmt: skip
        index = topic.partition_data[0].index
        if known is None or index not in known.partitions or known.name in INTERNAL_TOPICS:
            return None
        if request.acks not in ACKS or request.acks == NO_ACKS:
            return None
        answer = self._answer(topic, index, (0, 0, 0))
        numbers_at = self._answer(topic, index, _SENTINELS).index(_NUMBERS.pack(*_SENTINELS))
        if len(self._plans) >= PLANS_MAX:
            self._plans.clear()
        plan = Plan(image, known.name, index, request.acks, answer, numbers_at)
        self._plans[beginning] = plan
        return plan

    def _has_our_shape(self, beginning: bytes) -> bool:
        """No transactional id, one topic with a short name, one partition."""
        is_one = (
            beginning[0] == NO_ID
            and beginning[TOPICS_AT] == ONE
            and beginning[-1 - INDEX_BYTES] == ONE
        )
        return is_one and (self._has_ids or 0 < beginning[NAME_AT] < SHORT)

    def _answer(
        self, topic: ProduceRequest.TopicProduceData, index: int, numbers: tuple[int, int, int]
    ) -> bytes:
        """As the handler would answer."""
        base_offset, log_append_time_ms, log_start_offset = numbers
        partition = PartitionAnswer(
            index=index,
            error_code=0,
            base_offset=base_offset,
            log_append_time_ms=log_append_time_ms,
            log_start_offset=log_start_offset,
        )
        told = TopicAnswer(
            name=topic.name, topic_id=topic.topic_id, partition_responses=[partition]
        )
        return encode(ProduceResponse(responses=[told]), self._version)


def _only_records(frame: memoryview, position: int) -> memoryview | None:
    """The records whose length stands here, if nothing but empty tags is behind them."""
    size = frame[position]
    position += 1
    if size >= SHORT:
        size, position = decode_more(frame, position, size)
    end = position + size - 1
    if end + len(NO_TAGS) != len(frame) or frame[end:] != NO_TAGS:
        return None
    return frame[position:end]


def _is_ordinary(records: memoryview) -> bool:
    """Whether they are one whole batch in today's format, outside of transactions."""
    size = len(records)
    if size < HEADER_SIZE:
        return False
    length, _, magic, _, attributes = _BATCH.unpack_from(records, LENGTH_POSITION)
    return length + LENGTH_END == size and magic == MAGIC and not attributes & TRANSACTIONAL_BIT


def make(broker: Broker, version: int, read: Reader) -> ProduceShortcut:
    return ProduceShortcut(broker, version)
