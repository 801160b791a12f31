"""The messages that `bench.messages` measures, as a busy cluster would send them."""

from __future__ import annotations

from dataclasses import dataclass

from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.schema import Message

TOPICS, PARTITIONS_OF_EACH = 10, 100
"""Together the thousand partitions."""
BATCH = b"r" * 16_000
SMALL_BATCH = b"r" * 500
OFFSET = 123_456_789


@dataclass(frozen=True)
class Sample:
    """A message and the versions in which it is measured."""

    label: str
    message: Message
    versions: tuple[int, int]
    """The newest that aiokafka has, and the newest that all others have."""


def samples() -> list[Sample]:
    return [
        Sample("Produce request", produce_request(), (8, 13)),
        Sample("Produce response", produce_response(), (8, 13)),
        Sample("Fetch request, session", fetch_request(1, 3, 7), (11, 18)),
        Sample("Fetch response, session", fetch_response(1, 3, BATCH), (11, 18)),
        Sample("Fetch request, 1,000", fetch_request(TOPICS, PARTITIONS_OF_EACH, 0), (11, 18)),
        Sample("Fetch response, 1,000", thousand_fetched(), (11, 18)),
        Sample("Metadata response, 1,000", metadata_response(), (5, 13)),
        Sample("OffsetCommit request", commit_request(), (3, 10)),
        Sample("OffsetCommit response", commit_response(), (3, 10)),
    ]


def topic_name(number: int) -> str:
    return f"topic-{number}"


def topic_id(number: int) -> bytes:
    return bytes([number + 1]) * 16


def produce_request() -> ProduceRequest:
    topic = ProduceRequest.TopicProduceData
    batch = topic.PartitionProduceData(index=3, records=BATCH)
    data = topic(name=topic_name(0), topic_id=topic_id(0), partition_data=[batch])
    return ProduceRequest(acks=-1, timeout_ms=30_000, topic_data=[data])


def produce_response() -> ProduceResponse:
    topic = ProduceResponse.TopicProduceResponse
    answer = topic.PartitionProduceResponse(
        index=3, error_code=0, base_offset=OFFSET, log_start_offset=0
    )
    answers = topic(name=topic_name(0), topic_id=topic_id(0), partition_responses=[answer])
    return ProduceResponse(responses=[answers])


def fetch_request(topics: int, partitions: int, session_epoch: int) -> FetchRequest:
    topic = FetchRequest.FetchTopic

    def partition(index: int) -> FetchRequest.FetchTopic.FetchPartition:
        return topic.FetchPartition(
            partition=index,
            current_leader_epoch=5,
            fetch_offset=OFFSET,
            partition_max_bytes=1024 * 1024,
        )

    return FetchRequest(
        max_wait_ms=500,
        min_bytes=1,
        session_id=98_765,
        session_epoch=session_epoch,
        topics=[
            topic(
                topic=topic_name(number),
                topic_id=topic_id(number),
                partitions=[partition(index) for index in range(partitions)],
            )
            for number in range(topics)
        ],
    )


def thousand_fetched() -> FetchResponse:
    return fetch_response(TOPICS, PARTITIONS_OF_EACH, SMALL_BATCH)


def fetch_response(topics: int, partitions: int, records: bytes) -> FetchResponse:
    topic = FetchResponse.FetchableTopicResponse

    def partition(index: int) -> FetchResponse.FetchableTopicResponse.PartitionData:
        return topic.PartitionData(
            partition_index=index,
            error_code=0,
            high_watermark=OFFSET + 100,
            last_stable_offset=OFFSET + 100,
            log_start_offset=0,
            aborted_transactions=None,
            records=records,
        )

    return FetchResponse(
        throttle_time_ms=0,
        error_code=0,
        session_id=98_765,
        responses=[
            topic(
                topic=topic_name(number),
                topic_id=topic_id(number),
                partitions=[partition(index) for index in range(partitions)],
            )
            for number in range(topics)
        ],
    )


def metadata_response() -> MetadataResponse:
    topic = MetadataResponse.MetadataResponseTopic

    def partition(index: int) -> MetadataResponse.MetadataResponseTopic.MetadataResponsePartition:
        return topic.MetadataResponsePartition(
            error_code=0,
            partition_index=index,
            leader_id=index % 3,
            leader_epoch=5,
            replica_nodes=[0, 1, 2],
            isr_nodes=[0, 1, 2],
            offline_replicas=[],
        )

    return MetadataResponse(
        throttle_time_ms=0,
        brokers=[
            MetadataResponse.MetadataResponseBroker(
                node_id=index, host=f"broker-{index}.example", port=9092, rack=None
            )
            for index in range(3)
        ],
        cluster_id="moldau-cluster",
        controller_id=1,
        topics=[
            topic(
                error_code=0,
                name=topic_name(number),
                topic_id=topic_id(number),
                is_internal=False,
                partitions=[partition(index) for index in range(PARTITIONS_OF_EACH)],
            )
            for number in range(TOPICS)
        ],
    )


def commit_request() -> OffsetCommitRequest:
    topic = OffsetCommitRequest.OffsetCommitRequestTopic
    partitions = [
        topic.OffsetCommitRequestPartition(
            partition_index=index, committed_offset=OFFSET, committed_metadata=""
        )
        for index in range(10)
    ]
    return OffsetCommitRequest(
        group_id="group",
        generation_id_or_member_epoch=5,
        member_id="member-1234",
        topics=[topic(name=topic_name(0), topic_id=topic_id(0), partitions=partitions)],
    )


def commit_response() -> OffsetCommitResponse:
    topic = OffsetCommitResponse.OffsetCommitResponseTopic
    partitions = [
        topic.OffsetCommitResponsePartition(partition_index=index, error_code=0)
        for index in range(10)
    ]
    topics = [topic(name=topic_name(0), topic_id=topic_id(0), partitions=partitions)]
    return OffsetCommitResponse(throttle_time_ms=0, topics=topics)
