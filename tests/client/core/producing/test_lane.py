"""The batches of one partition, their order and their sequences."""

from __future__ import annotations

from moldau.client.core.producing.batch import Identity, ProducerBatch
from moldau.client.core.producing.lane import REMEMBERED, Lane
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.records.builder import BatchFields
from tests.client.core.producing.made import record

PART = TopicPartition("t", 0)
ME = Identity(7, 0)


def lane_of(*counts: int) -> tuple[Lane, list[ProducerBatch]]:
    """Of a producer that brokers know."""
    lane = Lane(PART)
    lane.identity = ME
    for count in counts:
        batch = ProducerBatch(PART, 0)
        for _ in range(count):
            batch.append(record())
        batch.close(BatchFields())
        lane.waiting.append(batch)
    return lane, list(lane.waiting)


def send(lane: Lane, identity: Identity = ME) -> ProducerBatch:
    batch = lane.next()
    assert batch is not None
    lane.send(batch, identity, is_transactional=False)
    return batch


def test_sequences_count_records_and_wrap_after_the_last():
    lane, _ = lane_of(2, 3, 1)
    lane.next_sequence = 0x7FFFFFFE
    assert [send(lane).sequence for _ in range(3)] == [0x7FFFFFFE, 0, 3]


def test_nothing_passes_a_batch_that_has_to_go_again():
    lane, (first, second, third) = lane_of(1, 1, 1)
    send(lane), send(lane)
    first.is_out = False
    assert lane.next() is None
    lane.resolve(second)
    assert lane.next() is first
    send(lane)
    lane.resolve(first)
    assert lane.next() is third


def test_the_first_batch_of_a_producer_goes_alone():
    lane, (first, second, third) = lane_of(1, 1, 1)
    stranger = Identity(8, 0)
    send(lane, stranger)
    assert lane.next() is None
    lane.resolve(first)
    assert send(lane, stranger) is second
    assert send(lane, stranger) is third


def test_the_first_batch_of_another_epoch_need_not_go_alone():
    lane, (_, second) = lane_of(1, 1)
    send(lane, Identity(7, 1))
    assert send(lane, Identity(7, 1)) is second


def test_none_leaves_that_would_make_a_broker_forget_the_oldest_one():
    lane, batches = lane_of(*[1] * (REMEMBERED + 1))
    oldest, *_, last = batches
    while lane.next() not in (None, last):
        send(lane)
    for batch in batches[1:-1]:
        lane.resolve(batch)
    assert lane.unresolved == [oldest]
    assert lane.next() is None
    lane.resolve(oldest)
    assert lane.next() is last


def test_without_sequences_nothing_is_remembered_or_forgotten():
    lane, batches = lane_of(*[1] * (REMEMBERED + 1))
    lane.identity = Identity()
    assert [send(lane, Identity()) for _ in batches] == batches


def test_what_waits_does_not_begin_anew_while_something_is_out():
    lane, (first, second, third) = lane_of(1, 1, 1)
    send(lane), send(lane)
    lane.is_lost = True
    lane.fail(first)
    assert lane.next() is None
    lane.resolve(second)
    assert lane.next() is third


def test_those_behind_a_refused_batch_close_the_gap():
    lane, (first, second) = lane_of(4, 1)
    send(lane), send(lane)
    lane.fail(first)
    assert (second.sequence, lane.next_sequence) == (0, 1)


def test_a_batch_that_never_left_is_given_up_without_a_gap():
    lane, (first, second) = lane_of(4, 1)
    lane.fail(first)
    assert send(lane) is second
    assert second.sequence == 0


def test_a_new_identity_waits_until_nothing_is_open_under_the_old_one():
    lane, (first, second, third) = lane_of(1, 1, 1)
    send(lane)
    send(lane, Identity(7, 1))
    assert second.identity == ME
    lane.resolve(first)
    lane.resolve(second)
    send(lane, Identity(7, 1))
    assert (third.identity.epoch, third.sequence) == (1, 0)


def test_what_a_broker_has_lost_is_counted_anew():
    lane, (first, second) = lane_of(2, 1)
    send(lane), send(lane)
    first.is_out = second.is_out = False
    lane.begin_anew(Identity(7, 1))
    assert [(batch.sequence, batch.identity.epoch) for batch in lane.unresolved] == [(0, 1), (2, 1)]


def test_halves_share_the_sequences_of_the_whole():
    lane, (whole,) = lane_of(5)
    send(lane)
    whole.is_out = False
    lane.split(whole, whole.halves(BatchFields()))
    assert [batch.sequence for batch in lane.unresolved] == [0, 2]


def test_halves_left_when_the_whole_did():
    lane, (first, whole) = lane_of(1, 3)
    send(lane), send(lane)
    lane.resolve(first)
    lane.split(whole, whole.halves(BatchFields()))
    assert [batch.turn for batch in lane.unresolved] == [1, 1]


def test_the_oldest_is_whatever_is_open_the_longest():
    lane, (first, second) = lane_of(1, 1)
    found = [lane.oldest]
    send(lane)
    found.append(lane.oldest)
    lane.resolve(first)
    found.append(lane.oldest)
    lane.fail(second)
    assert [*found, lane.oldest] == [first, first, second, None]
    assert lane.is_empty
