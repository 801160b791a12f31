"""Asking coordinators: of groups, of transactions, of share groups' partitions.

A coordinator is the leader of a partition that the key leads to. Any broker knows it; when it has
moved the answer is an error, and it is looked for again (`ErrorCode`: REFIND).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from enum import IntEnum
from typing import TypeVar

from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Answer, Ask, Asks, Received, Step
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.errors import (
    AccessDeniedError,
    ClientError,
    FencedError,
    UnreachableError,
    UnsupportedVersionError,
    refusal,
)
from moldau.errors import MoldauError
from moldau.platform.ports.network import Address
from moldau.protocol.messages.group.find_coordinator import (
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode, Remedy
from moldau.protocol.wire.schema import Request

__all__ = [
    "KeyType",
    "ask_coordinator",
    "ask_until_done",
    "coordinator_refusal",
    "find_coordinator",
    "find_coordinators",
    "forget_coordinator",
]

Response = TypeVar("Response")
FENCED = (ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_PRODUCER_EPOCH)


class KeyType(IntEnum):
    """What a broker coordinates; the number is the wire's."""

    GROUP = 0
    TRANSACTION = 1


NOUNS = {KeyType.GROUP: "group", KeyType.TRANSACTION: "transactional id"}


def find_coordinator(
    context: ClientContext, kind: KeyType, key: str, deadline: RetryDeadline
) -> Generator[Step, Received, int]:
    """The broker that coordinates it, asked for only if that is not known."""
    while (kind, key) not in context.coordinators:
        request = FindCoordinatorRequest(key_type=kind, coordinator_keys=[key])
        received = yield Asks((Ask(request),))
        cause = _take(context, kind, key, received.answers[0])
        if cause is not None:
            yield deadline.pause(received.now_ms, cause)
    return context.coordinators[kind, key]


def find_coordinators(
    context: ClientContext, kind: KeyType, keys: Iterable[str]
) -> Generator[Step, Received, tuple[dict[str, MoldauError], MoldauError | None]]:
    """Ask once for those that are not known; what is refused for good, and why others fail yet."""
    unknown = [key for key in dict.fromkeys(keys) if (kind, key) not in context.coordinators]
    if not unknown:
        return {}, None
    request = FindCoordinatorRequest(key_type=kind, coordinator_keys=unknown)
    received = yield Asks((Ask(request),))
    answer = received.answers[0]
    if isinstance(answer, UnreachableError):
        return {}, answer
    if isinstance(answer, MoldauError):
        return dict.fromkeys(unknown, answer), None
    assert isinstance(answer, FindCoordinatorResponse), f"{answer!r} names no coordinator"
    refused: dict[str, MoldauError] = {}
    cause: MoldauError | None = None
    for row in answer.coordinators:
        error = _note_coordinator(context, kind, row.key, row)
        if error is not None and ErrorCode.read(row.error_code).retriable:
            cause = error
        elif error is not None:
            refused[row.key] = error
    return refused, cause


def forget_coordinator(context: ClientContext, kind: KeyType, key: str) -> None:
    """Another broker may be it by now."""
    context.coordinators.pop((kind, key), None)


def ask_coordinator(
    context: ClientContext,
    kind: KeyType,
    key: str,
    request: Request,
    deadline: RetryDeadline,
    newest: int | None = None,
    oldest: int = 0,
) -> Generator[Step, Received, tuple[int, Answer]]:
    """When it answered and what, or that it could not be reached."""
    node_id = yield from find_coordinator(context, kind, key, deadline)
    received = yield Asks((Ask(request, node_id, newest, oldest=oldest),))
    if isinstance(received.answers[0], MoldauError):
        forget_coordinator(context, kind, key)
    return received.now_ms, received.answers[0]


def ask_until_done(
    context: ClientContext,
    kind: KeyType,
    key: str,
    request: Request,
    code_of: Callable[[Response], int],
    deadline: RetryDeadline,
    newest: int | None = None,
    oldest: int = 0,
) -> Generator[Step, Received, Response]:
    """Its answer, once that has no error; one that cannot pass is raised."""
    while True:
        now_ms, answer = yield from ask_coordinator(
            context, kind, key, request, deadline, newest, oldest
        )
        if isinstance(answer, UnsupportedVersionError):
            raise answer
        if isinstance(answer, MoldauError):
            cause: MoldauError = answer
        else:
            response: Response = answer  # type: ignore[assignment]
            code = ErrorCode.read(code_of(response))
            if code is ErrorCode.NONE:
                return response
            cause = coordinator_refusal(kind, key, code)
            if not code.retriable:
                raise cause
            if code.remedy is Remedy.REFIND:
                forget_coordinator(context, kind, key)
        yield deadline.pause(now_ms, cause)


def coordinator_refusal(kind: KeyType, key: str, code: ErrorCode) -> ClientError:
    """The error of a code that came back for a group or a transactional id."""
    what = f"{NOUNS[kind]} {key}"
    if code in FENCED:
        return FencedError(f"producer ({key})")
    if code is ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
        return AccessDeniedError(what, "WRITE on it")
    return refusal(what, code)


def _take(context: ClientContext, kind: KeyType, key: str, answer: Answer) -> MoldauError | None:
    """Note it; why there is none yet, or the refusal raised."""
    if isinstance(answer, MoldauError):
        return answer
    assert isinstance(answer, FindCoordinatorResponse), f"{answer!r} names no coordinator"
    row = answer.coordinators[0]
    error = _note_coordinator(context, kind, key, row)
    if error is not None and not ErrorCode.read(row.error_code).retriable:
        raise error
    return error


def _note_coordinator(
    context: ClientContext, kind: KeyType, key: str, row: FindCoordinatorResponse.Coordinator
) -> MoldauError | None:
    """One row of an answer; the error that it has instead."""
    code = ErrorCode.read(row.error_code)
    if code is ErrorCode.NONE:
        context.coordinators[kind, key] = row.node_id
        context.cluster.brokers[row.node_id] = Address(row.host, row.port)
        return None
    if code is ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
        return coordinator_refusal(kind, key, code)
    return refusal(f"{NOUNS[kind]} {key}", code, row.error_message)
