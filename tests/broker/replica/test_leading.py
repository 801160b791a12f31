"""A leader learns from fetches how far its followers are, and proposes who is in sync."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.replica.leading import (
    FollowerEnds,
    check_replica,
    isr_with,
    isr_without_laggards,
    note_fetch,
)
from moldau.broker.replica.partition import Partition
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import with_partition

TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16), bytes(16))}
ALONE = {**TWO, "isr": (1,)}
LAG_MAX_MS = 30_000


def fetch(partition: Partition, offset: int, now_ms: int = 1_000) -> None:
    note_fetch(partition, 2, FollowerEnds(offset, 0), now_ms, broker_epoch=7)


def test_a_fetch_moves_the_high_watermark_and_wakes_readers():
    def act(partition: Partition):
        woken: list[Partition] = []
        partition.append(batch(0, (b"a", b"b")))
        partition.watch(woken.append)
        fetch(partition, 2)
        return partition.high_watermark, len(woken)

    assert with_partition(act, **TWO) == (2, 1)


def test_a_follower_whose_log_begins_later_wakes_those_who_wait_for_it():
    def act(partition: Partition):
        woken: list[Partition] = []
        partition.append(batch(0, (b"a", b"b")))
        fetch(partition, 2)
        partition.watch(woken.append)
        for start_offset in (0, 2, 2):
            note_fetch(partition, 2, FollowerEnds(2, start_offset), 1_000, broker_epoch=7)
        return len(woken)

    assert with_partition(act, **TWO) == 1


@pytest.mark.parametrize(
    ("epoch", "code"),
    [(0, ErrorCode.UNKNOWN_LEADER_EPOCH), (-1, ErrorCode.NOT_LEADER_OR_FOLLOWER)],
)
def test_who_is_no_replica_is_refused(epoch, code):
    def act(partition: Partition):
        with pytest.raises(KafkaError) as caught:
            check_replica(partition, 9, epoch)
        return caught.value.code

    assert with_partition(act, **TWO) == code


@pytest.mark.parametrize(
    ("offset", "is_alive", "joined"), [(1, True, (1, 2)), (0, True, None), (1, False, None)]
)
def test_a_follower_joins_when_it_has_all_that_is_committed_and_lives(offset, is_alive, joined):
    def act(partition: Partition):
        partition.append(batch(0, (b"a",)))
        fetch(partition, offset)
        return isr_with(partition, 2, lambda _id, _epoch: is_alive)

    assert with_partition(act, **ALONE) == joined


def test_only_one_proposal_is_on_its_way():
    def act(partition: Partition):
        fetch(partition, 0)
        partition.proposed_isr = (1, 2)
        return isr_with(partition, 2, lambda _id, _epoch: True)

    assert with_partition(act, **ALONE) is None


def test_a_laggard_is_left_out_after_its_time():
    def act(partition: Partition):
        began_ms = partition.log.state.clock.now_ms()
        fetch(partition, 0, now_ms=began_ms)
        partition.append(batch(0, (b"a",)))
        fetch(partition, 0, now_ms=began_ms + 10)
        due_ms = began_ms + LAG_MAX_MS
        early = isr_without_laggards(partition, due_ms, LAG_MAX_MS)
        return early, isr_without_laggards(partition, due_ms + 11, LAG_MAX_MS)

    assert with_partition(act, **TWO) == (None, (1,))


def test_what_a_follower_fetched_in_an_earlier_life_counts_no_more():
    def act(partition: Partition):
        fetch(partition, 0)
        with pytest.raises(KafkaError) as caught:
            note_fetch(partition, 2, FollowerEnds(0, 0), 0, broker_epoch=6)
        return caught.value.code

    assert with_partition(act, **TWO) == ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_who_is_in_sync_when_another_begins_to_lead_has_its_time():
    def act(partition: Partition):
        partition.append(batch(0, (b"a",)))
        now_ms = partition.log.state.clock.now_ms()
        return [
            isr_without_laggards(partition, now_ms + later_ms, LAG_MAX_MS)
            for later_ms in (LAG_MAX_MS, LAG_MAX_MS + 1)
        ]

    assert with_partition(act, **TWO) == [None, (1,)]
