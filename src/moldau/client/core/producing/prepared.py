"""Transactions that one producer prepared and another program ends.

A producer that has flushed its transaction hands on three values: its transactional id, producer id
and epoch. With those any client may commit or abort, and may say so again after a failure: a
coordinator that has done the same already answers as if it did it now. The program that
decides must keep the values where they survive.

With two-phase commit (KIP-939) a prepared transaction waits for ever. Without it the coordinator
aborts it after `transaction.timeout.ms`, with a new epoch, and a commit that comes later is fenced.

What was left open by programs that have died is found by its name and fenced, which aborts it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from moldau.client.core.context import ClientContext
from moldau.client.core.coordinators import KeyType, ask_until_done
from moldau.client.core.dialogue import Ask, Asks, Dialogue, Received, Step
from moldau.client.core.metadata import refresh
from moldau.client.core.producing.batch import Identity
from moldau.client.core.producing.dialogues import end_transaction
from moldau.client.core.retry_deadline import RetryDeadline
from moldau.client.errors import FencedError, refusal
from moldau.errors import MoldauError
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.messages.transaction.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["PreparedTransaction", "end_prepared", "fence", "list_open"]

ONGOING = "Ongoing"
ENDED = (
    "it was aborted, as it was open for longer than its transaction.timeout.ms, or as another "
    "producer has begun under its name"
)
BRIEF_MS = 60_000
"""The timeout of a producer that exists only to fence another one: it opens no transaction."""


class PreparedTransaction(NamedTuple):
    """What it takes to end a transaction of another producer."""

    name: str
    """The transactional id."""
    producer_id: int
    epoch: int


def end_prepared(
    context: ClientContext, prepared: PreparedTransaction, now_ms: int, *, commits: bool
) -> Dialogue[None]:
    """Commit or abort it; an error of `end_transaction`, or `FencedError`, where it has ended."""
    identity = Identity(prepared.producer_id, prepared.epoch)
    try:
        yield from end_transaction(context, prepared.name, identity, now_ms, commits=commits)
    except FencedError as fenced:
        raise FencedError(f"transaction ({prepared.name})", ENDED) from fenced


def fence(context: ClientContext, name: str, now_ms: int) -> Dialogue[None]:
    """Abort what is open under this transactional id, and shut out the producer that wrote it."""
    request = InitProducerIdRequest(transactional_id=name, transaction_timeout_ms=BRIEF_MS)
    deadline = context.deadline(f"fencing {name}", now_ms)
    yield from ask_until_done(context, KeyType.TRANSACTION, name, request, _init_code, deadline)


def list_open(context: ClientContext, now_ms: int) -> Dialogue[list[str]]:
    """The transactional ids whose transactions have begun and are not decided, of all brokers."""
    deadline = context.deadline("listing transactions", now_ms)
    while True:
        yield from refresh(context, [], deadline)
        found = yield from _ask_all(context, deadline)
        if found is not None:
            return sorted(found)


def _ask_all(
    context: ClientContext, deadline: RetryDeadline
) -> Generator[Step, Received, set[str] | None]:
    """Each coordinator knows its own; None where one of them has to be asked again."""
    request = ListTransactionsRequest(state_filters=[ONGOING], producer_id_filters=[])
    received = yield Asks(tuple(Ask(request, node_id) for node_id in context.cluster.brokers))
    names: set[str] = set()
    for answer in received.answers:
        cause = _cause(answer)
        if cause is not None:
            yield deadline.pause(received.now_ms, cause)
            return None
        assert isinstance(answer, ListTransactionsResponse)
        names.update(row.transactional_id for row in answer.transaction_states)
    return names


def _cause(answer: object) -> MoldauError | None:
    """Why there is no outcome yet; the refusal is raised."""
    if isinstance(answer, MoldauError):
        return answer
    assert isinstance(answer, ListTransactionsResponse), f"{answer!r} lists no transactions"
    code = ErrorCode.read(answer.error_code)
    if code is ErrorCode.NONE:
        return None
    error = refusal("the list of transactions", code)
    if not code.retriable:
        raise error
    return error


def _init_code(answer: InitProducerIdResponse) -> int:
    return answer.error_code
