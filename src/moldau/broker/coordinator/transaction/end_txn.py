"""EndTxn: the decision to commit or to abort.

The answer leaves when the decision is in the log; markers follow. Before KIP-890 the epoch stays,
and an end that was delayed can hit the next transaction: nothing in the request distinguishes them.
From EndTxn 5 on every end gives a new epoch. What may be asked then, in states without an open
transaction (a retry comes with the epoch before, everything else with the current one):

                   abort, retry   abort, current   commit, retry   commit, current
    Empty          fenced         new epoch        fenced          INVALID_TXN_STATE
    CompleteAbort  as before      new epoch        INVALID_STATE   INVALID_TXN_STATE
    CompleteCommit INVALID_STATE  new epoch        as before       INVALID_TXN_STATE

Epoch 32766 is the last that a client has. Ending with it takes 32767 for the markers and gives the
client a new producer id with epoch 0 (KAFKA-18660); an abort at 32767 goes on without a bump, and
fencing bumps once, not twice (KAFKA-19367).
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.markers import WriteMarkers, markers_for
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.coordinator.transaction.transaction import (
    EPOCH_BUMPING_VERSION,
    EPOCH_MAX,
    LAST_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    Identity,
    Transaction,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.wire.error_codes import ErrorCode

BUMPS_FROM = 5
"""EndTxn versions of clients that take a new epoch with each end."""
_COMPLETED = {
    TransactionState.COMPLETE_COMMIT: True,
    TransactionState.COMPLETE_ABORT: False,
}


def decide_end_txn(
    book: Book, request: EndTxnRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """Prepare to commit or abort, or recognise that this was done."""
    transaction = book.get(request.transactional_id)
    if asking.version >= BUMPS_FROM:
        return _end_with_bump(book, transaction, request, asking, now_ms)
    return _end_plainly(book, transaction, request, asking, now_ms)


# Before KIP-890.


def _end_plainly(
    book: Book,
    transaction: Transaction,
    request: EndTxnRequest,
    asking: RequestContext,
    now_ms: int,
) -> Decision:
    client = transaction.client
    if request.producer_id != client.producer_id:
        raise _other_producer(transaction)
    if request.producer_epoch != client.producer_epoch:
        raise _fenced(transaction)
    if transaction.state.is_ending:
        raise _concurrent(transaction)
    if _COMPLETED.get(transaction.state) is request.committed:
        return Decision(replies=[_plain_answer(asking)])
    if transaction.state is not TransactionState.ONGOING:
        raise _wrong_state(transaction, request.committed)
    after, record = ended(book, transaction, request.committed, version=0, now_ms=now_ms)
    return Decision([record], [_plain_answer(asking)], ending_effects(after))


def _plain_answer(asking: RequestContext) -> Reply:
    return Reply(asking.ticket, EndTxnResponse(throttle_time_ms=0, error_code=ErrorCode.NONE))


# From KIP-890 on.


def _end_with_bump(
    book: Book,
    transaction: Transaction,
    request: EndTxnRequest,
    asking: RequestContext,
    now_ms: int,
) -> Decision:
    if transaction.state.is_ending:
        raise _concurrent(transaction)
    is_retry = _check_bumping_client(book, transaction, request)
    if is_retry:
        if _COMPLETED[transaction.state] is not request.committed:
            raise _wrong_state(transaction, request.committed)
        return Decision(replies=[_answer(asking, transaction.client)])
    if transaction.state is not TransactionState.ONGOING and request.committed:
        raise _wrong_state(transaction, request.committed)
    after, record = ended(
        book, transaction, request.committed, version=EPOCH_BUMPING_VERSION, now_ms=now_ms
    )
    return Decision([record], [_answer(asking, after.after_end)], ending_effects(after))


def _check_bumping_client(book: Book, transaction: Transaction, request: EndTxnRequest) -> bool:
    """Whether this is a request that was answered before; others are refused or current."""
    given, current = Identity(request.producer_id, request.producer_epoch), transaction.client
    may_retry = transaction.state in _COMPLETED
    bumped_over = (
        may_retry
        and given.producer_id == book.lineage(transaction).previous_producer_id
        and given.producer_epoch == LAST_EPOCH
        and current.producer_epoch == 0
    )
    if given.producer_id != current.producer_id and not bumped_over:
        raise _other_producer(transaction)
    bumped = may_retry and current.producer_epoch == given.producer_epoch + 1
    if not bumped and not bumped_over and given != current:
        raise _fenced(transaction)
    return bumped or bumped_over


def _answer(asking: RequestContext, client: Identity) -> Reply:
    response = EndTxnResponse(
        throttle_time_ms=0,
        error_code=ErrorCode.NONE,
        producer_id=client.producer_id,
        producer_epoch=client.producer_epoch,
    )
    return Reply(asking.ticket, response)


# What ending does.


def ended(
    book: Book, transaction: Transaction, is_commit: bool, *, version: int, now_ms: int
) -> tuple[Transaction, StoredRecord]:
    """The transaction as it is once the decision is written, and its record."""
    client = transaction.client
    last_epoch = client.producer_epoch if version >= EPOCH_BUMPING_VERSION else None
    is_open = transaction.state is TransactionState.ONGOING
    after = transaction.step(
        **_identity_after(book, transaction, version),
        state=TransactionState.PREPARE_COMMIT if is_commit else TransactionState.PREPARE_ABORT,
        started_ms=transaction.started_ms if is_open else now_ms,
        updated_ms=now_ms,
        client_version=version,
    )
    return after, book.step(transaction, after, last_epoch)


def _identity_after(book: Book, transaction: Transaction, version: int) -> dict[str, int]:
    """The epoch of the markers, and what the client goes on as if that is something else."""
    client = transaction.client
    if transaction.is_kept:
        return _identity_after_kept(book, transaction, client)
    if version < EPOCH_BUMPING_VERSION:
        return {}
    changes = {"producer_epoch": min(client.producer_epoch + 1, EPOCH_MAX)}
    if client.is_exhausted:
        changes["next_producer_id"] = book.context.take_producer_id()
    return changes


def _identity_after_kept(book: Book, transaction: Transaction, client: Identity) -> dict[str, int]:
    """A prepared transaction ends under the id that wrote it, above every epoch that was given."""
    is_same = client.producer_id == transaction.producer_id
    written = client.producer_epoch if is_same else transaction.producer_epoch
    following = (
        Identity(book.context.take_producer_id(), 0)
        if client.is_exhausted
        else Identity(client.producer_id, client.producer_epoch + 1)
    )
    changes = {
        "producer_epoch": min(written + 1, EPOCH_MAX),
        "previous_producer_id": client.producer_id,
        "next_producer_id": following.producer_id,
        "next_producer_epoch": following.producer_epoch,
    }
    if following.producer_id == transaction.producer_id:
        changes["next_producer_id"] = NO_PRODUCER_ID
        changes["next_producer_epoch"] = NO_PRODUCER_EPOCH
    return changes


def fenced(book: Book, transaction: Transaction, now_ms: int) -> tuple[Transaction, StoredRecord]:
    """Abort what is open, under an epoch that shuts its producer out."""
    version = book.context.transaction_version()
    if version >= EPOCH_BUMPING_VERSION:
        return ended(book, transaction, False, version=version, now_ms=now_ms)
    epoch = min(transaction.client.producer_epoch + 1, EPOCH_MAX)
    after = transaction.step(
        producer_epoch=epoch,
        state=TransactionState.PREPARE_ABORT,
        updated_ms=now_ms,
        client_version=0,
    )
    return after, book.step(transaction, after, NO_PRODUCER_EPOCH)


def ending_effects(after: Transaction) -> Sequence[WriteMarkers]:
    return [markers_for(after)]


# Refusals.


def _other_producer(transaction: Transaction) -> KafkaError:
    return KafkaError(
        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
        f"{transaction.transactional_id} belongs to another producer id.",
    )


def _fenced(transaction: Transaction) -> KafkaError:
    return KafkaError(
        ErrorCode.PRODUCER_FENCED,
        f"Another producer has taken over {transaction.transactional_id}.",
    )


def _concurrent(transaction: Transaction) -> KafkaError:
    return KafkaError(
        ErrorCode.CONCURRENT_TRANSACTIONS,
        f"A transaction of {transaction.transactional_id} is just ending.",
    )


def _wrong_state(transaction: Transaction, is_commit: bool) -> KafkaError:
    verb = "committed" if is_commit else "aborted"
    return KafkaError(
        ErrorCode.INVALID_TXN_STATE,
        f"{transaction.transactional_id} is {transaction.state.title} and cannot be {verb}.",
    )
