"""Times and places become offsets, as far as the client may see."""

from __future__ import annotations

import pytest

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.positions import LATEST, MAX_TIMESTAMP, find_offset
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import with_partition


def filled(look):
    """Timestamps 1000 to 1002, of which the last is not replicated."""

    def act(partition: Partition):
        for number in range(3):
            partition.log.append_as_leader(batch(0, (b"a",), 1000 + number), 0)
        partition.log.high_watermark = 2
        return look(partition)

    return with_partition(act)


@pytest.mark.parametrize(
    ("isolation", "end"), [(Isolation.LOG_END, 3), (Isolation.HIGH_WATERMARK, 2)]
)
def test_the_end_is_what_the_client_may_see(isolation, end):
    found = filled(lambda partition: find_offset(partition, LATEST, isolation))
    assert found.offset == end


@pytest.mark.parametrize("timestamp", [1002, MAX_TIMESTAMP])
def test_nothing_is_found_beyond_that_end(timestamp):
    assert filled(lambda one: find_offset(one, timestamp, Isolation.HIGH_WATERMARK)) is None


def test_an_empty_log_has_no_largest_timestamp():
    assert with_partition(lambda one: find_offset(one, MAX_TIMESTAMP, Isolation.LOG_END)) is None


@pytest.mark.parametrize("timestamp", [LATEST, 1002])
def test_before_the_watermark_has_caught_up_the_answer_is_not_yet(timestamp):
    def look(partition: Partition):
        partition.epoch_start_offset = 3
        with pytest.raises(KafkaError) as caught:
            find_offset(partition, timestamp, Isolation.HIGH_WATERMARK)
        return caught.value.code

    assert filled(look) == ErrorCode.OFFSET_NOT_AVAILABLE
