"""The five answers of a share coordinator, each about one share partition."""

from __future__ import annotations

from typing import Any

from moldau.broker.coordinator.share.state import ShareKey, ShareState, batches_as
from moldau.errors import KafkaError
from moldau.protocol.messages.share.delete_share_group_state import (
    DeleteShareGroupStateRequest,
    DeleteShareGroupStateResponse,
)
from moldau.protocol.messages.share.initialize_share_group_state import (
    InitializeShareGroupStateRequest,
    InitializeShareGroupStateResponse,
)
from moldau.protocol.messages.share.read_share_group_state import (
    ReadShareGroupStateRequest,
    ReadShareGroupStateResponse,
)
from moldau.protocol.messages.share.read_share_group_state_summary import (
    ReadShareGroupStateSummaryRequest,
    ReadShareGroupStateSummaryResponse,
)
from moldau.protocol.messages.share.write_share_group_state import (
    WriteShareGroupStateRequest,
    WriteShareGroupStateResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

NULL_TOPIC = "A share partition needs the id of its topic."
NEGATIVE_PARTITION = "A share partition's number cannot be negative."
WRITE_BEFORE_INITIALIZED = "A share partition has to be initialized before it is written."
READ_BEFORE_INITIALIZED = "A share partition has to be initialized before it is read."

Initialized = InitializeShareGroupStateResponse
Deleted = DeleteShareGroupStateResponse
Read = ReadShareGroupStateResponse
Summary = ReadShareGroupStateSummaryResponse
Written = WriteShareGroupStateResponse


def initialized(key: ShareKey, code: int = 0, message: str | None = None) -> Initialized:
    result = Initialized.InitializeStateResult.PartitionResult(
        partition=key.partition, error_code=code, error_message=message
    )
    topic = Initialized.InitializeStateResult(topic_id=key.topic_id, partitions=[result])
    return Initialized(results=[topic])


def deleted(key: ShareKey, code: int = 0, message: str | None = None) -> Deleted:
    result = Deleted.DeleteStateResult.PartitionResult(
        partition=key.partition, error_code=code, error_message=message
    )
    topic = Deleted.DeleteStateResult(topic_id=key.topic_id, partitions=[result])
    return Deleted(results=[topic])


def written(key: ShareKey, code: int = 0, message: str | None = None) -> Written:
    result = Written.WriteStateResult.PartitionResult(
        partition=key.partition, error_code=code, error_message=message
    )
    return Written(results=[Written.WriteStateResult(topic_id=key.topic_id, partitions=[result])])


def read(key: ShareKey, state: ShareState) -> Read:
    """Everything that is stored."""
    form = Read.ReadStateResult.PartitionResult
    result = form(
        partition=key.partition,
        error_code=ErrorCode.NONE,
        state_epoch=state.state_epoch,
        start_offset=state.start_offset,
        state_batches=batches_as(form.StateBatch, state.state_batches),
    )
    return Read(results=[Read.ReadStateResult(topic_id=key.topic_id, partitions=[result])])


def summed_up(key: ShareKey, state: ShareState | None) -> Summary:
    """Start offset and epochs; -1 where nothing is stored."""
    result = Summary.ReadStateSummaryResult.PartitionResult(
        partition=key.partition,
        error_code=ErrorCode.NONE,
        state_epoch=0 if state is None else state.state_epoch,
        leader_epoch=0 if state is None else state.leader_epoch,
        start_offset=-1 if state is None else state.start_offset,
        delivery_complete_count=-1 if state is None else state.delivery_complete_count,
    )
    topic = Summary.ReadStateSummaryResult(topic_id=key.topic_id, partitions=[result])
    return Summary(results=[topic])


def refused(request: Message, key: ShareKey, error: KafkaError) -> Message:
    """The answer to this request with the reason of its refusal."""
    match request:
        case InitializeShareGroupStateRequest():
            return initialized(key, error.code, error.message)
        case DeleteShareGroupStateRequest():
            return deleted(key, error.code, error.message)
        case WriteShareGroupStateRequest():
            return written(key, error.code, error.message)
        case ReadShareGroupStateRequest():
            response: Any = read(key, _NOTHING)
        case _:
            assert isinstance(request, ReadShareGroupStateSummaryRequest)
            response = summed_up(key, _NOTHING)
    result = response.results[0].partitions[0]
    result.error_code, result.error_message = error.code, error.message
    return response  # type: ignore[no-any-return]


def without_persister(request: Message, key: ShareKey) -> Message:
    """The answer of a persister that keeps nothing: all succeeds, and nothing was ever stored."""
    match request:
        case InitializeShareGroupStateRequest():
            return initialized(key)
        case DeleteShareGroupStateRequest():
            return deleted(key)
        case WriteShareGroupStateRequest():
            return written(key)
        case ReadShareGroupStateRequest():
            return read(key, _UNINITIALIZED)
        case _:
            assert isinstance(request, ReadShareGroupStateSummaryRequest)
            return summed_up(key, None)


_NOTHING = ShareState(0, 0, 0, 0, -1, 0, 0)
_UNINITIALIZED = ShareState(0, 0, 0, -1, -1, 0, 0)
