"""Asking a leader where its log begins and ends, after a fetch from outside it."""

from __future__ import annotations

from moldau.broker.replica.positions import EARLIEST, LATEST
from moldau.broker.runtime.replication.followed import Followed
from moldau.broker.runtime.replication.ports import Channel
from moldau.errors import KafkaError
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["ask_ends"]

Topic = ListOffsetsRequest.ListOffsetsTopic


async def ask_ends(
    channel: Channel, replica_id: int, followed: Followed, timeout_ms: int
) -> tuple[int, int]:
    """The start of the leader's log and its end; `KafkaError` if it does not lead any more."""
    end = await _ask(channel, replica_id, followed, LATEST, timeout_ms)
    start = await _ask(channel, replica_id, followed, EARLIEST, timeout_ms)
    return start, end


async def _ask(
    channel: Channel, replica_id: int, followed: Followed, place: int, timeout_ms: int
) -> int:
    partition = followed.partition
    asked = Topic.ListOffsetsPartition(
        partition_index=partition.index,
        current_leader_epoch=followed.leader_epoch,
        timestamp=place,
    )
    request = ListOffsetsRequest(
        replica_id=replica_id,
        isolation_level=0,
        topics=[Topic(name=partition.topic, partitions=[asked])],
    )
    response = await channel.ask(request, timeout_ms)
    assert isinstance(response, ListOffsetsResponse)
    found = response.topics[0].partitions[0]
    if found.error_code != ErrorCode.NONE:
        reason = f"{partition.name}: the leader does not send its log's ends"
        raise KafkaError(found.error_code, reason)
    return found.offset
