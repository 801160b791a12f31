"""Of two requests in flight while the leader changes, the second is not taken for a lost one."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.producers.refusals import OutOfOrderSequenceError
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.settling import SETTLING_NS, is_gap
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Assigned, with_partition

TWO: dict[str, Any] = {"replicas": (1, 2), "isr": (1, 2), "directories": (bytes(16), bytes(16))}
FOLLOWS = Assigned(leader=2, leader_epoch=1, **TWO)
LEADS = Assigned(leader=1, leader_epoch=2, **TWO)
NOT_LEADER = ErrorCode.NOT_LEADER_OR_FOLLOWER
EPOCH_START = 10
PRODUCER = 7


def sent(sequence: int, *, epoch: int = 0, count: int = 2) -> bytearray:
    return batch(0, (b"v",) * count, producer=(PRODUCER, epoch, sequence))


def answer(partition: Partition, records: bytearray) -> int:
    """The offset, or the code of the refusal as a negative number."""
    try:
        return partition.append(records, required_acks=1).first_offset
    except (KafkaError, OutOfOrderSequenceError) as error:
        return -int(error.code)


def replicated(partition: Partition, *batches: bytearray) -> None:
    """Follow another leader, which has these."""
    partition.follow(FOLLOWS)
    for one in batches:
        one[:8] = partition.log_end_offset.to_bytes(8)
        partition.log.append_as_follower(one, 1)


def wait(partition: Partition, duration_ns: int) -> None:
    partition.log.state.clock.advance_ns(duration_ns)  # type: ignore[attr-defined]


def test_two_in_flight_around_the_change_are_both_sent_again_and_appended_in_order():
    def act(partition: Partition):
        replicated(partition, sent(0))
        answers = [answer(partition, sent(2))]
        partition.lead(LEADS)
        answers.append(answer(partition, sent(4)))
        return [*answers, answer(partition, sent(2)), answer(partition, sent(4))]

    assert with_partition(act, **TWO) == [-NOT_LEADER, -NOT_LEADER, 2, 4]


def test_what_the_former_leader_had_replicated_is_there_once():
    def act(partition: Partition):
        replicated(partition, sent(0), sent(2))
        partition.lead(LEADS)
        return [answer(partition, sent(6)), answer(partition, sent(2)), partition.log_end_offset]

    assert with_partition(act, **TWO) == [-NOT_LEADER, 2, 4]


def test_the_second_batch_of_an_unknown_producer_is_not_its_beginning():
    def act(partition: Partition):
        replicated(partition)
        partition.lead(LEADS)
        early = answer(partition, sent(2))
        return [early, answer(partition, sent(0)), answer(partition, sent(2))]

    assert with_partition(act, **TWO) == [-NOT_LEADER, 0, 2]


def test_a_gap_that_stays_is_answered_as_ever_and_an_old_producer_goes_on():
    def act(partition: Partition):
        replicated(partition, sent(0))
        partition.lead(LEADS)
        wait(partition, SETTLING_NS)
        gap = answer(partition, sent(4))
        unknown = batch(0, (b"v",), producer=(8, 0, 40))
        return [gap, answer(partition, unknown)]

    assert with_partition(act, **TWO) == [-ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, 2]


def test_a_gap_behind_a_batch_of_this_leader_is_a_loss():
    def act(partition: Partition):
        replicated(partition, sent(0))
        partition.lead(LEADS)
        return [answer(partition, sent(2)), answer(partition, sent(6))]

    assert with_partition(act, **TWO) == [2, -ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER]


def test_a_partition_that_never_had_another_leader_has_nothing_to_settle():
    def act(partition: Partition):
        return [answer(partition, sent(40)), answer(partition, sent(44))]

    assert with_partition(act, **TWO) == [0, -ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER]


@pytest.mark.parametrize(
    ("records", "is_one"),
    [
        (batch(0, (b"v",)), False),
        (sent(0), False),
        (sent(0x7FFFFFFF), False),
        (sent(1), True),
        (sent(1)[:40], False),
    ],
    ids=["no producer", "the first", "behind", "ahead", "cut off"],
)
def test_what_is_a_gap_where_nothing_is_known(records, is_one):
    def act(partition: Partition):
        return is_gap(partition.log.producers, records, EPOCH_START)

    assert with_partition(act) is is_one


@pytest.mark.parametrize(
    ("sequence", "epoch", "is_one"),
    [(4, 1, False), (5, 1, True), (3, 1, False), (0, 2, False), (1, 2, True), (9, 0, False)],
    ids=["next", "ahead", "a repeat", "a later epoch", "its second batch", "an older epoch"],
)
def test_what_is_a_gap_behind_known_batches(sequence, epoch, is_one):
    def act(partition: Partition):
        for known in (0, 2):
            partition.append(sent(known, epoch=1))
        return is_gap(partition.log.producers, sent(sequence, epoch=epoch), EPOCH_START)

    assert with_partition(act) is is_one
