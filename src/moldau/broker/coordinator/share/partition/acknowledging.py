"""Acknowledgements of records that members have acquired (KIP-932, KIP-1222).

A request either counts as a whole or not at all: the first word that is wrong puts everything back.
Offsets that have fallen behind the start are passed over, for they are settled anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from moldau.broker.coordinator.share.partition.runs import NO_TRANSITION, RecordState, Run
from moldau.broker.coordinator.share.partition.share_partition import SharePartition, Transition
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode


class AcknowledgeType(IntEnum):
    """How a record may be acknowledged."""

    GAP = 0
    """There is none at this offset."""
    ACCEPT = 1
    RELEASE = 2
    REJECT = 3
    RENEW = 4


BECOMES = {
    AcknowledgeType.GAP: RecordState.ARCHIVED,
    AcknowledgeType.ACCEPT: RecordState.ACKNOWLEDGED,
    AcknowledgeType.RELEASE: RecordState.AVAILABLE,
    AcknowledgeType.REJECT: RecordState.ARCHIVED,
}


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """One word for all offsets, or a word for each."""

    first_offset: int
    last_offset: int
    types: Sequence[int]


def acknowledge(
    partition: SharePartition,
    member_id: str,
    acknowledgement: Sequence[Acknowledgement],
    now_ms: int,
) -> Transition:
    """What is to be stored; without changes there is nothing to be."""
    transition = partition.begin_transition()
    try:
        for one in acknowledgement:
            if one.last_offset >= partition.start_offset:
                _check_known(partition, one)
                _acknowledge(partition, transition, member_id, one, now_ms)
    except KafkaError:
        partition.settle(transition, is_stored=False)
        raise
    return transition


def _check_known(partition: SharePartition, acknowledgement: Acknowledgement) -> None:
    if not len(partition.runs):
        raise _invalid("none of these records is acquired")
    if acknowledgement.last_offset >= partition.end_offset:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"offset {acknowledgement.last_offset} cannot be acknowledged: "
            f"nothing from {partition.end_offset} on was handed out",
        )


def _acknowledge(
    partition: SharePartition,
    transition: Transition,
    member_id: str,
    acknowledgement: Acknowledgement,
    now_ms: int,
) -> None:
    for first_offset, last_offset, kind in _runs_of_one_type(acknowledgement):
        first_offset = max(first_offset, partition.start_offset)
        for run in partition.runs.within(first_offset, last_offset):
            _check_holder(run, member_id)
            if kind is AcknowledgeType.RENEW:
                _renew(partition, run, member_id, now_ms)
            else:
                partition.change(transition, run, BECOMES[kind])


def _runs_of_one_type(acknowledgement: Acknowledgement) -> list[tuple[int, int, AcknowledgeType]]:
    """Neighbours of one type as one."""
    kinds = [AcknowledgeType(kind) for kind in acknowledgement.types]
    if len(kinds) == 1:
        return [(acknowledgement.first_offset, acknowledgement.last_offset, kinds[0])]
    runs: list[tuple[int, int, AcknowledgeType]] = []
    for offset, kind in enumerate(kinds, acknowledgement.first_offset):
        if runs and runs[-1][2] is kind:
            runs[-1] = (runs[-1][0], offset, kind)
        else:
            runs.append((offset, offset, kind))
    return runs


def _check_holder(run: Run, member_id: str) -> None:
    if run.transition != NO_TRANSITION:
        raise _invalid("an earlier acknowledgement of these records is not stored yet")
    if run.state is not RecordState.ACQUIRED:
        raise _invalid(f"records {run.first_offset} to {run.last_offset} are not acquired")
    if run.member_id != member_id:
        raise _invalid(f"records {run.first_offset} to {run.last_offset} are another member's")


def _renew(partition: SharePartition, run: Run, member_id: str, now_ms: int) -> None:
    if not partition.limits().may_renew:
        raise _invalid("the group does not renew locks (share.renew.acknowledge.enable)")
    partition.lock(run, member_id, now_ms)


def _invalid(why: str) -> KafkaError:
    return KafkaError(ErrorCode.INVALID_RECORD_STATE, f"This cannot be acknowledged: {why}.")
