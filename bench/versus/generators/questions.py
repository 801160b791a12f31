"""The small requests that are asked over and over: as frames, with an answer, and how to judge one.

Every connection has a frame of its own, because its correlation id is written into it; a commit
also has a group of its own, as each consumer would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from bench.versus.asking import frame
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.headers import ResponseHeader
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.records.builder import BatchBuilder
from moldau.protocol.wire.compile import decode, decode_prefix
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.frame import response_header_version
from moldau.protocol.wire.schema import Response

PRODUCE_VERSION = 12
METADATA_VERSION = 12
COMMIT_VERSION = 9
"""The newest versions that name topics instead of giving their ids."""
RECORD_BYTES = 100
TIMESTAMP_MS = 1_750_000_000_000
TIMEOUT_MS = 30_000
Answer = TypeVar("Answer", bound=Response)


class Question(NamedTuple):
    """How to ask on the connection of this number, and what an answer's error code is."""

    frame: Callable[[str, int], bytes]
    error_code: Callable[[bytes], int]


def answer(cls: type[Answer], version: int, body: bytes) -> Answer:
    """What a frame says, given without its size."""
    _, position = decode_prefix(ResponseHeader, response_header_version(cls, version), body)
    return decode(cls, version, body[position:])


def produce_frame(topic: str, records: bytes, partition: int = 0) -> bytes:
    entry = ProduceRequest.TopicProduceData.PartitionProduceData(index=partition, records=records)
    data = ProduceRequest.TopicProduceData(name=topic, partition_data=[entry])
    request = ProduceRequest(acks=1, timeout_ms=TIMEOUT_MS, topic_data=[data])
    return frame(request, PRODUCE_VERSION)


def one_record(value: bytes) -> bytes:
    """A batch of it."""
    builder = BatchBuilder()
    builder.append(TIMESTAMP_MS, None, value)
    return bytes(builder.build())


def _produce(topic: str, number: int) -> bytes:
    return produce_frame(topic, one_record(bytes(RECORD_BYTES)))


def _produced(body: bytes) -> int:
    (topic,) = answer(ProduceResponse, PRODUCE_VERSION, body).responses
    return topic.partition_responses[0].error_code


def _metadata(topic: str, number: int) -> bytes:
    wanted = MetadataRequest.MetadataRequestTopic(name=topic)
    return frame(MetadataRequest(topics=[wanted]), METADATA_VERSION)


def _described(body: bytes) -> int:
    (topic,) = answer(MetadataResponse, METADATA_VERSION, body).topics
    return topic.error_code if topic.partitions else ErrorCode.LEADER_NOT_AVAILABLE


def group(topic: str, number: int) -> str:
    return f"{topic}-{number}"


def _commit(topic: str, number: int) -> bytes:
    partition = OffsetCommitRequest.OffsetCommitRequestTopic.OffsetCommitRequestPartition(
        partition_index=0, committed_offset=1, committed_metadata=""
    )
    entry = OffsetCommitRequest.OffsetCommitRequestTopic(name=topic, partitions=[partition])
    request = OffsetCommitRequest(group_id=group(topic, number), member_id="", topics=[entry])
    return frame(request, COMMIT_VERSION)


def _committed(body: bytes) -> int:
    (topic,) = answer(OffsetCommitResponse, COMMIT_VERSION, body).topics
    return topic.partitions[0].error_code


QUESTIONS = {
    "produce": Question(_produce, _produced),
    "metadata": Question(_metadata, _described),
    "commit": Question(_commit, _committed),
}
