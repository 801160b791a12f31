"""Each rule of the table, by itself."""

from __future__ import annotations

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.producers.end_marker import EndMarker
from moldau.broker.log.producers.entry import SEQUENCE_MASK, BatchNote, ProducerEntry
from moldau.broker.log.producers.refusals import (
    InvalidProducerEpochError,
    InvalidTransactionStateError,
    OutOfOrderSequenceError,
    TransactionCoordinatorFencedError,
)
from moldau.broker.log.producers.rules import PRODUCER_EPOCH_MAX, Append, check_data, check_marker
from moldau.broker.log.producers.transaction_verification import Verification
from tests.broker.log.producer_batches import PRODUCER, data, end


def known(last_sequence=4, epoch=3, transaction_first_offset=None, coordinator_epoch=2):
    note = BatchNote(last_sequence, last_offset=9, offset_delta=0, timestamp=1_000)
    return ProducerEntry(PRODUCER, epoch, coordinator_epoch, 1_000, transaction_first_offset, note)


def check(header, entry, origin=AppendOrigin.CLIENT, verification=None):
    check_data(Append("orders-0", header, origin, verification), entry, verify_transactions=False)


def test_the_next_sequence_follows_the_last():
    check(data(10, 5, epoch=3), known())
    with pytest.raises(OutOfOrderSequenceError, match="orders-0: producer 7 sends sequence 6"):
        check(data(10, 6, epoch=3), known())


def test_after_the_largest_sequence_comes_0():
    check(data(10, 0, epoch=3), known(last_sequence=SEQUENCE_MASK))
    with pytest.raises(OutOfOrderSequenceError):
        check(data(10, 1, epoch=3), known(last_sequence=SEQUENCE_MASK))


def test_an_older_epoch_is_a_zombie():
    with pytest.raises(InvalidProducerEpochError, match="epoch 3 is known already"):
        check(data(10, 5, epoch=2), known())
    with pytest.raises(InvalidProducerEpochError):
        check(data(10, -1, epoch=2), known(), AppendOrigin.COORDINATOR)


def test_a_newer_epoch_starts_at_0():
    check(data(10, 0, epoch=4), known())
    with pytest.raises(OutOfOrderSequenceError, match="0 for the first batch of epoch 4"):
        check(data(10, 5, epoch=4), known())


def test_an_unknown_producer_may_start_anywhere():
    check(data(10, 77), None)
    check(data(10, 77), ProducerEntry(PRODUCER))


def test_the_coordinator_writes_without_sequences():
    check(data(10, -1, epoch=3), known(), AppendOrigin.COORDINATOR)


def test_transactions_v2_start_at_0_where_nothing_is_known():
    verification = Verification(5, 0, 0, supports_epoch_bump=True)
    with pytest.raises(OutOfOrderSequenceError, match="without state"):
        check(data(10, 5, transactional=True), None, verification=verification)
    check(data(10, 0, transactional=True), None, verification=verification)


def test_no_batch_overtakes_the_first_one_of_its_transaction():
    verification = Verification(5, 3, 0, supports_epoch_bump=False)
    check(data(10, 5, epoch=3, transactional=True), known(), verification=verification)
    with pytest.raises(OutOfOrderSequenceError, match="being verified"):
        check(data(10, 6, epoch=3, transactional=True), known(), verification=verification)


def test_an_open_transaction_admits_only_its_own_batches():
    with pytest.raises(InvalidTransactionStateError, match="open since offset 8"):
        check(data(10, 5, epoch=3), known(transaction_first_offset=8))
    check(data(10, 5, epoch=3, transactional=True), known(transaction_first_offset=8))


@pytest.mark.parametrize(
    ("version", "epoch", "opened", "fits"),
    [
        (0, 3, 8, True),
        (0, 4, 8, True),
        (0, 2, 8, False),
        (1, 3, 8, True),
        (2, 3, 8, False),
        (2, 3, None, True),
        (2, 4, 8, True),
        (2, 2, None, False),
    ],
)
def test_a_marker_carries_the_epoch_that_its_protocol_asks_for(version, epoch, opened, fits):
    marker = EndMarker(False, 2)
    entry = known(transaction_first_offset=opened)
    if fits:
        check_marker("orders-0", entry, end(10, epoch=epoch), marker, version)
    else:
        with pytest.raises(InvalidProducerEpochError, match="comes too late"):
            check_marker("orders-0", entry, end(10, epoch=epoch), marker, version)


def test_the_last_epoch_of_an_id_may_close_its_transaction():
    entry = known(epoch=PRODUCER_EPOCH_MAX, transaction_first_offset=8)
    marker = EndMarker(True, 2)
    check_marker("orders-0", entry, end(10, epoch=PRODUCER_EPOCH_MAX), marker, 2)


def test_a_replaced_coordinator_is_fenced():
    with pytest.raises(TransactionCoordinatorFencedError, match="coordinator epoch 1 after one"):
        check_marker("orders-0", known(), end(10, epoch=3), EndMarker(False, 1), 0)


def test_the_errors_carry_the_numbers_of_the_protocol():
    codes = (
        OutOfOrderSequenceError.code,
        InvalidProducerEpochError.code,
        InvalidTransactionStateError.code,
        TransactionCoordinatorFencedError.code,
    )
    assert codes == (45, 47, 48, 52)
