"""Logs that have parted are noticed by their epochs."""

from __future__ import annotations

import pytest

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.fetching import Divergence, empty_result, find_divergence, upper_bound
from moldau.broker.replica.partition import Partition
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import with_partition


def with_epochs(act):
    """Epoch 1 holds offsets 0 and 1, epoch 4 holds 2."""

    def prepared(partition: Partition):
        log = partition.log
        log.append_as_leader(batch(0, (b"a", b"b")), 1)
        log.append_as_leader(batch(0, (b"c",)), 4)
        log.high_watermark = 2
        return act(partition)

    return with_partition(prepared)


@pytest.mark.parametrize(
    ("offset", "epoch", "found"),
    [
        (2, 1, None),
        (3, 4, None),
        (3, 1, Divergence(1, 2)),
        (2, 3, Divergence(1, 2)),
        (9, -1, None),
    ],
)
def test_divergence_is_found_where_the_epochs_end(offset, epoch, found):
    assert with_epochs(lambda partition: find_divergence(partition, offset, epoch)) == found


def test_an_epoch_of_the_future_is_out_of_range():
    def act(partition):
        with pytest.raises(KafkaError) as caught:
            find_divergence(partition, 3, 5)
        return caught.value.code

    assert with_epochs(act) == ErrorCode.OFFSET_OUT_OF_RANGE


@pytest.mark.parametrize(
    ("isolation", "bound"),
    [(Isolation.LOG_END, 3), (Isolation.HIGH_WATERMARK, 2), (Isolation.COMMITTED, 2)],
)
def test_who_reads_decides_how_far(isolation, bound):
    assert with_epochs(lambda partition: upper_bound(partition, isolation)) == bound


def test_an_empty_answer_says_nothing_of_aborted_transactions():
    result = with_epochs(lambda partition: empty_result(partition, 1))
    assert (result.size, result.aborted_transactions) == (0, None)
