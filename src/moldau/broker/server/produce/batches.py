"""What producers send, looked at before anything is appended: the beginnings of batches.

Kafka looks at the first bytes of every batch before it looks at anything else. Bytes that cannot
be the beginning of a batch in any format spoil the whole request; a batch in an old format, one
that is cut short, and a second one behind the first spoil their own partition. Everything deeper is
found by the log when it appends.

A partition that is named twice has one answer. The last batch that is well formed is appended; what
is wrong with another one is answered all the same, since there is only one place for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from struct import Struct as Packer

from moldau.broker.replica.partition import ALL_REPLICAS
from moldau.broker.server.produce.verification import ATTRIBUTES_LOW_AT
from moldau.errors import KafkaError
from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.records.batch import LENGTH_END, LENGTH_POSITION, MAGIC
from moldau.protocol.records.compression import Codec
from moldau.protocol.wire.error_codes import ErrorCode

NO_ACKS = 0
ACKS = frozenset({ALL_REPLICAS, NO_ACKS, 1})
TOPIC_IDS_FROM = 13
MAGIC_AT = 16
ZSTD_FROM = 7
PART = 64
"""Batches of a long request that are looked at before others may go on."""
SMALLEST = 14
"""Bytes behind the length of the smallest batch in the oldest format."""
_CODEC_BITS = 0x07
_HEAD = Packer(">iib")
"""Length, leader epoch, magic."""
_HEAD_END = MAGIC_AT + 1


TopicData = ProduceRequest.TopicProduceData


@dataclass(slots=True)
class AskedTopic:
    """All that one request has for a topic."""

    name: str
    topic_id: bytes
    batches: dict[int, list[Buffer]] = field(default_factory=dict)
    """By partition; usually one for each."""


Topics = dict[tuple[str, bytes], AskedTopic]


def each_topic_once(request: ProduceRequest) -> list[AskedTopic]:
    """Topics with their batches; one without any is left out, as in Kafka."""
    topics: Topics = {}
    gather(topics, request.topic_data)
    return list(topics.values())


def gather(topics: Topics, data: Iterable[TopicData]) -> None:
    """These batches belong to the request, too."""
    # hot: once for each request.
    for topic in data:
        if not topic.partition_data:
            continue
        key = topic.name, topic.topic_id
        asked = topics.get(key)
        if asked is None:
            asked = topics[key] = AskedTopic(topic.name, topic.topic_id)
        for one in topic.partition_data:
            asked.batches.setdefault(one.index, []).append(one.records or b"")


def in_parts(request: ProduceRequest) -> Iterator[TopicData]:
    """The same batches in the same order, a few at a time."""
    for topic in request.topic_data:
        for start in range(0, len(topic.partition_data), PART):
            yield TopicData(
                name=topic.name,
                topic_id=topic.topic_id,
                partition_data=topic.partition_data[start : start + PART],
            )


def check_start(records: Buffer, position: int = 0) -> None:
    """Refuse bytes that begin like no batch of any format; too few of them say nothing."""
    # hot: for each batch of each request.
    size = len(records) - position
    if size < LENGTH_END:
        return
    if size < _HEAD_END:
        length = int.from_bytes(records[position + LENGTH_POSITION :][:4], "big", signed=True)
        magic = MAGIC
    else:
        length, _, magic = _HEAD.unpack_from(records, position + LENGTH_POSITION)
    if length < SMALLEST:
        raise KafkaError(ErrorCode.CORRUPT_MESSAGE, f"a batch of {length} bytes cannot be")
    if not 0 <= magic <= MAGIC:
        raise KafkaError(ErrorCode.CORRUPT_MESSAGE, f"batch format {magic} is not known")


def check_batch(records: Buffer, version: int) -> None:
    """Refuse what is not one whole batch in today's format, in a codec that the version has."""
    # hot: for each batch of each request.
    size = len(records)
    if size <= MAGIC_AT or size < (end := _end_of(records, 0)):
        raise KafkaError(ErrorCode.INVALID_RECORD, "no whole batch: one per partition is wanted")
    if records[MAGIC_AT] != MAGIC:
        raise KafkaError(
            ErrorCode.INVALID_RECORD, f"batch format {records[MAGIC_AT]}: only {MAGIC} is taken"
        )
    if version < ZSTD_FROM and records[ATTRIBUTES_LOW_AT] & _CODEC_BITS == Codec.ZSTD:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, "zstd needs Produce 7: update the client"
        )
    if size > end:
        _check_behind(records, end)


def _check_behind(records: Buffer, position: int) -> None:
    """Bytes behind a batch are passed over, unless they are another one."""
    check_start(records, position)
    rest = len(records) - position
    if rest > MAGIC_AT and rest >= _end_of(records, position):
        raise KafkaError(
            ErrorCode.INVALID_RECORD, "more than one batch: one per partition is wanted"
        )


def _end_of(records: Buffer, position: int) -> int:
    """The size of the batch that begins here, by its own word."""
    length = records[position + LENGTH_POSITION : position + LENGTH_END]
    return int.from_bytes(length, "big") + LENGTH_END
