"""InitProducerId with a transactional id: the client becomes the only one that may use it.

Each instance gets an epoch above all that were given, so that every older instance is fenced. An
open transaction is first aborted, and the client gets CONCURRENT_TRANSACTIONS until that is
done. A client that names its identity keeps it (KIP-360): it is fenced where another instance
came in between, and a repeated request gets the same answer again.

A client of two-phase commit (KIP-939) may ask to keep the open transaction. It gets an identity
of its own beside the one that wrote the transaction, and both are in the answer.
"""

from __future__ import annotations

from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.coordinator.transaction.book import Book
from moldau.broker.coordinator.transaction.end_txn import ending_effects, fenced
from moldau.broker.coordinator.transaction.partition_set import NO_PARTITIONS
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.coordinator.transaction.transaction import (
    EPOCH_BUMPING_VERSION,
    LAST_EPOCH,
    NEVER_MS,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    UNLIMITED_MS,
    Identity,
    Transaction,
)
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

NO_IDENTITY = Identity(NO_PRODUCER_ID, NO_PRODUCER_EPOCH)


def decide_init_producer_id(
    book: Book, request: InitProducerIdRequest, asking: RequestContext, now_ms: int
) -> Decision:
    """Give out an identity, or first end what is open."""
    name = request.transactional_id or ""
    found = book.find(name)
    _check_wishes(book, request)
    timeout_ms = UNLIMITED_MS if request.enable2_pc else request.transaction_timeout_ms
    transaction = found or Transaction(
        transactional_id=name,
        producer_id=book.context.take_producer_id(),
        timeout_ms=timeout_ms,
        updated_ms=now_ms,
    )
    if transaction.state.is_ending:
        raise KafkaError(
            ErrorCode.CONCURRENT_TRANSACTIONS, f"A transaction of {name} is just ending."
        )
    expected = _expected(request)
    _check_identity(book, transaction, expected)
    if transaction.state is TransactionState.ONGOING:
        if request.keep_prepared_txn:
            return _keep(book, transaction, asking, now_ms)
        return _abort_first(book, transaction, asking, now_ms)
    return _renew(book, transaction, expected, timeout_ms, asking, now_ms)


def _check_wishes(book: Book, request: InitProducerIdRequest) -> None:
    settings = book.context.settings
    wants_two_phases = request.enable2_pc or request.keep_prepared_txn
    if wants_two_phases and not settings.transaction_two_phase_commit_enable:
        raise KafkaError(
            ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
            "Two-phase commit is off; transaction.two.phase.commit.enable switches it on.",
        )
    if request.keep_prepared_txn and book.context.transaction_version() < EPOCH_BUMPING_VERSION:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_VERSION,
            "A prepared transaction can be kept from transaction.version 2 on.",
        )
    timeout_ms, longest_ms = request.transaction_timeout_ms, settings.transaction_max_timeout_ms
    if not request.enable2_pc and not 0 < timeout_ms <= longest_ms:
        raise KafkaError(
            ErrorCode.INVALID_TRANSACTION_TIMEOUT,
            f"The timeout of {timeout_ms} ms is not between 1 and {longest_ms} ms, "
            "which is transaction.max.timeout.ms.",
        )


def _expected(request: InitProducerIdRequest) -> Identity | None:
    """The identity that the client sends."""
    given = Identity(request.producer_id, request.producer_epoch)
    return None if given == NO_IDENTITY else given


def _check_identity(book: Book, transaction: Transaction, expected: Identity | None) -> None:
    """A client with another producer id is fenced, unless that was the last one given out."""
    if expected is None or transaction.producer_epoch == NO_PRODUCER_EPOCH:
        return
    if expected.producer_id == transaction.client.producer_id:
        return
    previous = book.lineage(transaction).previous_producer_id
    if expected.producer_id != previous or not expected.is_exhausted:
        raise _fenced(transaction)


def _fenced(transaction: Transaction) -> KafkaError:
    return KafkaError(
        ErrorCode.PRODUCER_FENCED,
        f"Another producer has taken over {transaction.transactional_id}.",
    )


def _renew(
    book: Book,
    transaction: Transaction,
    expected: Identity | None,
    timeout_ms: int,
    asking: RequestContext,
    now_ms: int,
) -> Decision:
    """The next epoch, or the next producer id where epochs are used up."""
    (producer_id, epoch), last_epoch = _next_identity(book, transaction, expected)
    after = transaction.step(
        producer_id=producer_id,
        producer_epoch=epoch,
        timeout_ms=timeout_ms,
        state=TransactionState.EMPTY,
        partitions=NO_PARTITIONS,
        started_ms=NEVER_MS,
        updated_ms=now_ms,
    )
    response = InitProducerIdResponse(
        error_code=ErrorCode.NONE, producer_id=producer_id, producer_epoch=epoch
    )
    record = book.step(transaction, after, last_epoch)
    return Decision([record], [Reply(asking.ticket, response)])


def _next_identity(
    book: Book, transaction: Transaction, expected: Identity | None
) -> tuple[Identity, int]:
    """The identity that the client gets, and the epoch by which a repetition is recognised."""
    current = transaction.producer_epoch
    goes_on = expected is None or expected.producer_epoch == current
    if current >= LAST_EPOCH and goes_on:
        last_epoch = NO_PRODUCER_EPOCH if expected is None else current
        return Identity(book.context.take_producer_id(), 0), last_epoch
    if expected is None:
        return Identity(transaction.producer_id, current + 1), NO_PRODUCER_EPOCH
    if goes_on or current == NO_PRODUCER_EPOCH:
        return Identity(transaction.producer_id, current + 1), current
    last_epoch = book.lineage(transaction).last_epoch
    if expected.producer_epoch == last_epoch:
        return Identity(transaction.producer_id, current), last_epoch
    raise _fenced(transaction)


def _abort_first(
    book: Book, transaction: Transaction, asking: RequestContext, now_ms: int
) -> Decision:
    """The epoch that this takes is not given out: the client has to ask again."""
    after, record = fenced(book, transaction, now_ms)
    response = InitProducerIdResponse(
        error_code=ErrorCode.CONCURRENT_TRANSACTIONS, producer_epoch=NO_PRODUCER_EPOCH
    )
    return Decision([record], [Reply(asking.ticket, response)], ending_effects(after))


def _keep(book: Book, transaction: Transaction, asking: RequestContext, now_ms: int) -> Decision:
    """Leave the open transaction as it is, and give the client what is needed to end it."""
    client = transaction.client
    if client.is_exhausted:
        given = Identity(book.context.take_producer_id(), 0)
    else:
        given = Identity(client.producer_id, client.producer_epoch + 1)
    after = transaction.step(
        next_producer_id=given.producer_id,
        next_producer_epoch=given.producer_epoch,
        updated_ms=now_ms,
    )
    response = InitProducerIdResponse(
        error_code=ErrorCode.NONE,
        producer_id=given.producer_id,
        producer_epoch=given.producer_epoch,
        ongoing_txn_producer_id=transaction.producer_id,
        ongoing_txn_producer_epoch=transaction.producer_epoch,
    )
    record = book.step(transaction, after, NO_PRODUCER_EPOCH)
    return Decision([record], [Reply(asking.ticket, response)])
