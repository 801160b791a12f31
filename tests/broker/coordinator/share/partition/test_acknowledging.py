"""What members say, and when it counts."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, acknowledge
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.share.partition.members import ACCEPT, REJECT, RELEASE, RENEW, Desk

INVALID = ErrorCode.INVALID_RECORD_STATE


def refusal(desk, *said):
    with pytest.raises(KafkaError) as refused:
        desk.say(*said)
    return refused.value.code


def test_a_word_for_each_record():
    desk = Desk()
    desk.take(count=10)
    desk.done("m", 0, 3, ACCEPT, RELEASE, REJECT, 0)
    assert desk.view() == [
        (1, 1, "available", 1),
        (2, 3, "archived", 1),
        (4, 9, "acquired", 1),
    ]


def test_the_start_moves_when_it_is_stored_and_not_before():
    desk = Desk()
    desk.take(count=10)
    transition = desk.say("m", 0, 4, ACCEPT)
    assert desk.partition.start_offset == 0
    desk.settle(transition)
    assert desk.partition.start_offset == 5
    assert (desk.stored[0].start_offset, desk.stored[0].delivery_complete_count) == (0, 5)


def test_what_could_not_be_stored_was_not_said():
    desk = Desk()
    desk.take(count=10)
    before = desk.view()
    desk.settle(desk.say("m", 2, 4, RELEASE), is_stored=False)
    assert desk.view() == before
    desk.done("m", 0, 9, ACCEPT)
    assert desk.partition.start_offset == 10


def test_what_is_being_stored_is_neither_given_out_nor_acknowledged_again():
    desk = Desk()
    desk.take(count=10)
    transition = desk.say("m", 0, 4, RELEASE)
    assert desk.partition.next_fetch_offset == 10
    assert refusal(desk, "m", 4, 5, ACCEPT) == INVALID
    desk.settle(transition)
    assert desk.partition.next_fetch_offset == 0


def test_one_wrong_word_puts_everything_back():
    desk = Desk()
    desk.take("a", count=10)
    desk.take("b", count=10)
    before = desk.view()
    said = [Acknowledgement(0, 9, [ACCEPT]), Acknowledgement(10, 12, [ACCEPT])]
    with pytest.raises(KafkaError):
        acknowledge(desk.partition, "a", said, desk.now_ms)
    assert desk.view() == before
    assert desk.say("a", 0, 9, ACCEPT).changes


def test_only_the_holder_may_speak():
    desk = Desk()
    desk.take("a", count=10)
    assert refusal(desk, "b", 0, 0, ACCEPT) == INVALID
    desk.done("a", 3, 3, ACCEPT)
    assert refusal(desk, "a", 3, 3, ACCEPT) == INVALID


def test_nobody_may_speak_of_what_was_not_handed_out():
    desk = Desk()
    assert refusal(desk, "a", 0, 0, ACCEPT) == INVALID
    desk.take("a", count=10)
    assert refusal(desk, "a", 5, 10, ACCEPT) == ErrorCode.INVALID_REQUEST


def test_words_about_what_is_behind_us_are_passed_over():
    desk = Desk()
    desk.take("a", count=10)
    desk.partition.start_from(5)
    assert not desk.say("a", 0, 4, ACCEPT).changes
    desk.done("a", 3, 9, ACCEPT)
    assert desk.partition.start_offset == 10


def test_a_renewed_lock_lasts_longer():
    desk = Desk(ShareLimits(lock_ms=1_000))
    desk.take(count=10)
    desk.pass_ms(900)
    desk.done("m", 0, 4, RENEW)
    desk.pass_ms(200)
    assert desk.view() == [(0, 4, "acquired", 1), (5, 9, "available", 1)]
    assert len(desk.stored) == 1


def test_a_group_may_forbid_renewal():
    desk = Desk(ShareLimits(may_renew=False))
    desk.take(count=10)
    assert refusal(desk, "m", 0, 4, RENEW) == INVALID
