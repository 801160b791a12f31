"""What a leader's answer about one partition asks of its follower.

records, or none                      append, and fetch on
diverging epoch                       cut, then fetch again
OFFSET_OUT_OF_RANGE                   ask for the leader's ends, and begin within them
FENCED_LEADER_EPOCH                   the metadata here are old: wait for newer ones
UNKNOWN_LEADER_EPOCH, not leader…     the leader's metadata are old: ask again after a pause
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from moldau.broker.replica.fetching import Divergence
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Demand", "PartitionAnswer", "demand_of"]

NO_ERROR: Final = 0


class Demand(Enum):
    """What is to be done."""

    APPEND = auto()
    CUT = auto()
    FIND_RANGE = auto()
    WAIT_FOR_METADATA = auto()
    PAUSE = auto()


class PartitionAnswer:
    """What the leader's answer has of one partition."""

    __slots__ = (
        "divergence", "error_code", "high_watermark", "index", "log_start_offset", "records",
        "topic_id",
    )  # fmt: skip

    def __init__(
        self,
        topic_id: bytes,
        index: int,
        error_code: int,
        high_watermark: int,
        log_start_offset: int,
        divergence: Divergence | None,
        records: memoryview,
    ) -> None:
        self.topic_id = topic_id
        self.index = index
        self.error_code = error_code
        self.high_watermark = high_watermark
        """How far the leader's log is replicated."""
        self.log_start_offset = log_start_offset
        """Where the leader's log begins."""
        self.divergence = divergence
        """Where the logs part, if the leader found that they do."""
        self.records = records
        """Valid until the next answer of the leader comes."""

    def __repr__(self) -> str:
        return f"PartitionAnswer({self.index}, error {self.error_code}, {len(self.records)} bytes)"


_OF_ERROR: Final = {
    ErrorCode.OFFSET_OUT_OF_RANGE: Demand.FIND_RANGE,
    ErrorCode.FENCED_LEADER_EPOCH: Demand.WAIT_FOR_METADATA,
}


def demand_of(answer: PartitionAnswer) -> Demand:
    """What this answer asks for."""
    if answer.error_code != NO_ERROR:
        return _OF_ERROR.get(ErrorCode.read(answer.error_code), Demand.PAUSE)
    return Demand.APPEND if answer.divergence is None else Demand.CUT
