"""What goes back and forth between a share group and the share coordinators.

The group's shard names what it needs as an effect, once that is in its log. The runtime asks
the share coordinators, and brings their answers back as a `ShareStep`. Neither this nor
`ForgetShares` ever comes from outside of this broker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.broker.coordinator.group.share.prepared import Shares
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
)
from moldau.protocol.wire.schema import Message, Request, Struct
from moldau.protocol.wire.types import Int32, String, Uuid

StateData = InitializeShareGroupStateRequest.InitializeStateData
ANY_START = -1
"""The partition's leader finds out where the group begins."""


class PrepareShares(NamedTuple):
    """An effect: have state made, and bring the answer back as a step."""

    request: InitializeShareGroupStateRequest


class ShareStep(Request):
    """What the share coordinators answered about a group's state."""

    group_id: String
    confirmed: list[TopicPartitions]
    failed: list[TopicPartitions]
    parted: list[Uuid]

    class TopicPartitions(Struct):
        topic_id: Uuid
        partitions: list[Int32]


class ForgetShares(Request):
    """Asks for all state of a group to be deleted, before the group itself is."""

    group_id: String


class Noted(Message):
    """The answer to a step."""


def preparation(group_id: str, epoch: int, shares: Shares) -> InitializeShareGroupStateRequest:
    """Have state made that begins anywhere."""
    starts = {
        topic_id: dict.fromkeys(sorted(one.partitions), ANY_START)
        for topic_id, one in shares.items()
    }
    return preparation_from(group_id, epoch, starts)


def preparation_from(
    group_id: str, epoch: int, starts: Mapping[bytes, Mapping[int, int]]
) -> InitializeShareGroupStateRequest:
    """Have state made that begins at these offsets."""
    return InitializeShareGroupStateRequest(
        group_id=group_id,
        topics=[
            StateData(
                topic_id=topic_id,
                partitions=[
                    StateData.PartitionData(
                        partition=index, state_epoch=epoch, start_offset=start_offset
                    )
                    for index, start_offset in partitions.items()
                ],
            )
            for topic_id, partitions in starts.items()
        ],
    )
