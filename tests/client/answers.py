"""What brokers say, in few words."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.messages.data.list_offsets import ListOffsetsResponse
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorResponse
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.wire.error_codes import ErrorCode

TOPIC_ID = bytes(15) + b"\x07"
OTHER_ID = bytes(15) + b"\x08"
FetchedTopic = FetchResponse.FetchableTopicResponse
Row = FetchedTopic.PartitionData
Found = ListOffsetsResponse.ListOffsetsTopicResponse
TopicRow = MetadataResponse.MetadataResponseTopic


def metadata(
    topics: Mapping[str, Mapping[int, tuple[int, int]]],
    *,
    brokers: int = 2,
    refused: Mapping[str, ErrorCode] | None = None,
    topic_id: bytes = TOPIC_ID,
    internal: tuple[str, ...] = (),
) -> MetadataResponse:
    """Leader and epoch by topic and partition; brokers 1, 2 … on hosts `b1`, `b2` …"""
    rows = [
        TopicRow(
            error_code=0,
            name=name,
            topic_id=topic_id,
            is_internal=name in internal,
            partitions=[
                TopicRow.MetadataResponsePartition(
                    error_code=0,
                    partition_index=partition,
                    leader_id=leader,
                    leader_epoch=epoch,
                    replica_nodes=[],
                    isr_nodes=[],
                    offline_replicas=[],
                )
                for partition, (leader, epoch) in leaders.items()
            ],
        )
        for name, leaders in topics.items()
    ]
    rows += [
        TopicRow(error_code=code, name=name, partitions=[])
        for name, code in (refused or {}).items()
    ]
    return MetadataResponse(
        brokers=[
            MetadataResponse.MetadataResponseBroker(node_id=node, host=f"b{node}", port=9092)
            for node in range(1, brokers + 1)
        ],
        topics=rows,
    )


def unknown(*names: str) -> MetadataResponse:
    """None of these is there."""
    return metadata({}, refused=dict.fromkeys(names, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))


def offsets(
    found: Mapping[TopicPartition, int], code: ErrorCode = ErrorCode.NONE
) -> ListOffsetsResponse:
    """One answer for all of these."""
    topics: dict[str, list[Found.ListOffsetsPartitionResponse]] = {}
    for part, offset in found.items():
        row = Found.ListOffsetsPartitionResponse(
            partition_index=part.partition, error_code=code, offset=offset
        )
        topics.setdefault(part.topic, []).append(row)
    return ListOffsetsResponse(
        topics=[Found(name=name, partitions=rows) for name, rows in topics.items()]
    )


def coordinator(node_id: int, code: ErrorCode = ErrorCode.NONE) -> FindCoordinatorResponse:
    row = FindCoordinatorResponse.Coordinator(
        key="g", node_id=node_id, host=f"b{node_id}", port=9092, error_code=code
    )
    return FindCoordinatorResponse(coordinators=[row])


def row(
    records: bytes | None = b"",
    *,
    partition: int = 0,
    code: ErrorCode = ErrorCode.NONE,
    high_watermark: int = 100,
    last_stable_offset: int = 100,
    aborted: tuple[tuple[int, int], ...] = (),
    leader: tuple[int, int] = (-1, -1),
    diverging: tuple[int, int] = (-1, -1),
) -> Row:
    """One partition of a fetch; transactions by producer and first offset."""
    return Row(
        partition_index=partition,
        error_code=code,
        high_watermark=high_watermark,
        last_stable_offset=last_stable_offset,
        diverging_epoch=Row.EpochEndOffset(epoch=diverging[0], end_offset=diverging[1]),
        current_leader=Row.LeaderIdAndEpoch(leader_id=leader[0], leader_epoch=leader[1]),
        aborted_transactions=[
            Row.AbortedTransaction(producer_id=producer, first_offset=first)
            for producer, first in aborted
        ],
        records=records,
    )


def fetched(
    *rows: Row,
    session_id: int = 0,
    code: ErrorCode = ErrorCode.NONE,
    throttle_time_ms: int = 0,
    endpoints: Mapping[int, str] | None = None,
    topic_id: bytes = TOPIC_ID,
) -> FetchResponse:
    return FetchResponse(
        throttle_time_ms=throttle_time_ms,
        error_code=code,
        session_id=session_id,
        responses=[FetchedTopic(topic_id=topic_id, partitions=list(rows))] if rows else [],
        node_endpoints=[
            FetchResponse.NodeEndpoint(node_id=node, host=host, port=9092)
            for node, host in (endpoints or {}).items()
        ],
    )
