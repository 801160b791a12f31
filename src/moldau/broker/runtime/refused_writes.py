"""What a write that is refused, or not replicated, means to a client of a coordinator."""

from __future__ import annotations

from collections.abc import Callable

from moldau.broker.replica.refusals import code_of
from moldau.broker.runtime.shard_loading import ShardPartition
from moldau.errors import KafkaError, MoldauError
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.protocol.wire.error_codes import ErrorCode

MEANINGS = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.NETWORK_EXCEPTION: ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
}
"""Others mean what they say.

The network's stands for a transaction's coordinator that did not answer: older clients try again
without another look for the group's.
"""
TOO_LARGE = (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE)
"""May be true of joined decisions and of none of them."""


def meaning_of(error: MoldauError) -> KafkaError:
    """The coordinator's way of saying it."""
    code = ErrorCode.read(code_of(error))
    message = error.message if isinstance(error, KafkaError) else str(error)
    return KafkaError(MEANINGS.get(code, code), message)


def when_committed(
    partition: ShardPartition,
    offset: int,
    refuse: Callable[[KafkaError], None],
    release: Callable[[], None],
    tasks: Tasks,
    timeout_ms: int,
) -> None:
    """Call one of the two when all below the offset is committed, or when it is late."""
    timers: list[Timer] = []
    is_called = False

    def settle(error: KafkaError | None) -> None:
        nonlocal is_called
        if is_called:
            return
        is_called = True
        for timer in timers:
            timer.cancel()
        if error is None:
            release()
        else:
            refuse(meaning_of(error))

    partition.when_committed(offset, settle)
    if not is_called:
        late = KafkaError(ErrorCode.REQUEST_TIMED_OUT, "the write was not replicated in time")
        timers.append(tasks.after(timeout_ms, lambda: settle(late)))
