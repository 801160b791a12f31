"""What a leader's answer about one batch means for it.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple, TypeAlias

from moldau.client.core.cluster import Cluster, Leader
from moldau.client.core.producing.batch import Outcome, ProducerBatch
from moldau.client.errors import (
    AccessDeniedError,
    ClientError,
    FencedError,
    RecordTooLargeError,
    refusal,
)
from moldau.errors import MoldauError
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Next", "Row", "Verdict", "cause_of", "judge_row"]

Row: TypeAlias = ProduceResponse.TopicProduceResponse.PartitionProduceResponse
LOST: Final = (
    ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER,
    ErrorCode.UNKNOWN_PRODUCER_ID,
    ErrorCode.INVALID_PRODUCER_EPOCH,
)
"""The broker does not know the sequences that come before, or the epoch."""


class Next(Enum):
    """What becomes of a batch."""

    DONE = auto()
    FAIL = auto()
    AGAIN = auto()
    """The same again, after a while."""
    SPLIT = auto()
    """In two halves."""
    ANEW = auto()
    """Again under another epoch, if nothing before it is open."""


class Verdict(NamedTuple):
    """With the error, where there is one."""

    next: Next
    outcome: Outcome = Outcome()
    error: ClientError | None = None


def judge_row(cluster: Cluster, batch: ProducerBatch, row: Row, answer: ProduceResponse) -> Verdict:
    """Look at the answer, and follow its hints of leaders."""
    code = ErrorCode.read(row.error_code)
    match code:
        case ErrorCode.NONE | ErrorCode.DUPLICATE_SEQUENCE_NUMBER:
            return Verdict(Next.DONE, Outcome(row.base_offset, row.log_append_time_ms))
        case ErrorCode.MESSAGE_TOO_LARGE if batch.count > 1:
            return Verdict(Next.SPLIT)
        case _:
            pass
    if code in LOST:
        return Verdict(Next.ANEW, error=refusal(str(batch.part), code, row.error_message))
    error = _refusal(batch, row, code)
    if not code.retriable:
        return Verdict(Next.FAIL, error=error)
    hinted = row.current_leader
    leader = Leader(hinted.leader_id, hinted.leader_epoch)
    is_news = cluster.apply_hint(batch.part, leader, answer.node_endpoints)
    if code.refreshes_metadata and not is_news:
        cluster.mark_stale(batch.part.topic)
    return Verdict(Next.AGAIN, error=error)


def cause_of(error: MoldauError) -> ClientError:
    """What broke a connection, as a client's error."""
    assert isinstance(error, ClientError), f"{error!r} is not translated"
    return error


def _refusal(batch: ProducerBatch, row: Row, code: ErrorCode) -> ClientError:
    match code:
        case ErrorCode.TOPIC_AUTHORIZATION_FAILED:
            return AccessDeniedError(f"topic {batch.part.topic}", "WRITE on it")
        case ErrorCode.MESSAGE_TOO_LARGE | ErrorCode.RECORD_LIST_TOO_LARGE:
            return RecordTooLargeError(
                batch.part.topic, len(batch.records), "max.message.bytes of the topic"
            )
        case ErrorCode.PRODUCER_FENCED:
            return FencedError("producer")
        case _:
            pass
    errors = row.record_errors
    detail = row.error_message or (errors[0].batch_index_error_message if errors else None)
    return refusal(str(batch.part), code, detail)
