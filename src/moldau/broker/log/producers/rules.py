"""Which batches of a producer a leader accepts.

    epoch below the known one                             InvalidProducerEpochError (47)
    epoch above it, first sequence not 0                  OutOfOrderSequenceError (45)
    same epoch, first sequence is not last + 1            45; after 2³¹-1 comes 0
    producer unknown                                      any first sequence, for its state may
                                                          have expired; but transactions v2
                                                          start at 0, else 45
    verification open, sequence above the lowest seen     45: an earlier batch is on its way
    no transaction, while the producer has one open       InvalidTransactionStateError (48)
    in a transaction that was not verified                48

The sequence rules bind clients only: a coordinator writes without sequences. A marker must come
from a coordinator that is not older than the last one (else 52) and must not carry an older
producer epoch (47). Under transactions v2 its epoch must be higher than the known one, or the same
when it repeats a marker that was appended (KIP-1228).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.producers.end_marker import EndMarker
from moldau.broker.log.producers.entry import SEQUENCE_MASK, BatchNote, ProducerEntry
from moldau.broker.log.producers.refusals import (
    InvalidProducerEpochError,
    InvalidTransactionStateError,
    OutOfOrderSequenceError,
    TransactionCoordinatorFencedError,
)
from moldau.broker.log.producers.transaction_verification import Verification, VerificationGuard
from moldau.protocol.records.batch import NO_PRODUCER_EPOCH, TRANSACTIONAL_BIT, BatchHeader

PRODUCER_EPOCH_MAX: Final = 0x7FFF
"""The epoch that a marker carries when a producer id is used up."""
_EPOCH_BUMPING_VERSION: Final = 2
"""`transaction.version` 2: each marker carries the next epoch."""


class Append(NamedTuple):
    """A data batch that is to be appended, and how it comes."""

    partition: str
    header: BatchHeader
    origin: AppendOrigin = AppendOrigin.CLIENT
    verification: Verification | None = None
    guard: VerificationGuard | None = None


def is_plain_next(entry: ProducerEntry, header: BatchHeader) -> bool:
    """Whether the batch obviously follows the last one: no rule could object, and no repeat is it.

    False wherever a closer look is needed; markers have no sequence, so they always need one.
    """
    # hot: once for each batch of a client; brings `check` from 2.5 to 0.7 µs (CPython 3.11).
    batches = entry.batches
    if not batches or entry.epoch != header.producer_epoch:
        return False
    if header.base_sequence != (batches[-1][0] + 1) & SEQUENCE_MASK:
        return False
    is_open = entry.transaction_first_offset is not None
    return is_open == bool(header.attributes & TRANSACTIONAL_BIT)


def find_repeated(entry: ProducerEntry, header: BatchHeader) -> BatchNote | None:
    """Which of the remembered batches this one is, if it is one."""
    if header.producer_epoch != entry.epoch:
        return None
    delta = header.last_offset_delta
    last_sequence = header.last_sequence
    for note in entry.batches:
        if note.last_sequence == last_sequence and note.offset_delta == delta:
            return note
    return None


def check_data(append: Append, entry: ProducerEntry | None, *, verify_transactions: bool) -> None:
    """Raise a `ProducerError` unless the batch may follow what is known of its producer."""
    header = append.header
    is_transactional = header.attributes & TRANSACTIONAL_BIT
    if is_transactional and verify_transactions:
        _check_verified(append, entry)
    if entry is not None:
        _check_epoch(append, entry)
    if append.origin is AppendOrigin.CLIENT:
        if append.verification is not None:
            _check_first_of_transaction(append, append.verification, entry)
        if entry is not None:
            _check_sequence(append, entry)
    if not is_transactional and entry is not None and entry.transaction_first_offset is not None:
        raise InvalidTransactionStateError(
            append.partition,
            header.producer_id,
            f"writes outside of its transaction, open since offset "
            f"{entry.transaction_first_offset}; commit or abort it first",
        )


def check_marker(
    partition: str,
    entry: ProducerEntry,
    header: BatchHeader,
    marker: EndMarker,
    transaction_version: int,
) -> None:
    """Raise a `ProducerError` unless the marker may close this producer's transaction."""
    if not _marker_epoch_fits(entry, header.producer_epoch, transaction_version):
        raise InvalidProducerEpochError(
            partition,
            header.producer_id,
            f"has epoch {entry.epoch}, a marker with epoch {header.producer_epoch} comes too late",
        )
    if entry.coordinator_epoch > marker.coordinator_epoch:
        raise TransactionCoordinatorFencedError(
            partition,
            header.producer_id,
            f"got a marker from coordinator epoch {marker.coordinator_epoch} "
            f"after one from {entry.coordinator_epoch}",
        )


def _marker_epoch_fits(entry: ProducerEntry, epoch: int, transaction_version: int) -> bool:
    if transaction_version < _EPOCH_BUMPING_VERSION or epoch != entry.epoch:
        return epoch >= entry.epoch
    return entry.transaction_first_offset is None or epoch == PRODUCER_EPOCH_MAX


def _check_verified(append: Append, entry: ProducerEntry | None) -> None:
    header = append.header
    if (
        entry is not None
        and entry.epoch == header.producer_epoch
        and entry.transaction_first_offset is not None
    ):
        return
    verification = append.verification
    if verification is None or append.guard is not verification.guard:
        raise InvalidTransactionStateError(
            append.partition,
            header.producer_id,
            "writes in a transaction that does not span this partition; add the partition to it",
        )


def _check_epoch(append: Append, entry: ProducerEntry) -> None:
    epoch = append.header.producer_epoch
    if epoch < entry.epoch:
        raise InvalidProducerEpochError(
            append.partition,
            append.header.producer_id,
            f"writes with epoch {epoch}, but epoch {entry.epoch} is known already",
        )


def _check_first_of_transaction(
    append: Append, verification: Verification, entry: ProducerEntry | None
) -> None:
    sequence = append.header.base_sequence
    unknown = entry is None or not entry.batches
    if verification.supports_epoch_bump and sequence != 0 and unknown:
        raise _out_of_order(append, "0 for a producer without state")
    if sequence > verification.lowest_sequence:
        raise _out_of_order(append, f"{verification.lowest_sequence}, which is being verified")


def _check_sequence(append: Append, entry: ProducerEntry) -> None:
    header = append.header
    if entry.epoch == NO_PRODUCER_EPOCH:
        return
    if header.producer_epoch != entry.epoch:
        if header.base_sequence != 0:
            raise _out_of_order(append, f"0 for the first batch of epoch {header.producer_epoch}")
        return
    expected = (entry.last_sequence + 1) & SEQUENCE_MASK
    if header.base_sequence != expected:
        raise _out_of_order(append, f"{expected}")


def _out_of_order(append: Append, expected: str) -> OutOfOrderSequenceError:
    return OutOfOrderSequenceError(
        append.partition,
        append.header.producer_id,
        f"sends sequence {append.header.base_sequence} where the next one is {expected}",
    )
