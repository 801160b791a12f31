"""What members say, and when it counts."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, acknowledge
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.share.partition.members import ACCEPT, REJECT, RELEASE, RENEW, Members

INVALID = ErrorCode.INVALID_RECORD_STATE


def refusal(members, *sent):
    with pytest.raises(KafkaError) as refused:
        members.acknowledge(*sent)
    return refused.value.code


def test_a_word_for_each_record():
    members = Members()
    members.take(count=10)
    members.done("m", 0, 3, ACCEPT, RELEASE, REJECT, 0)
    assert members.view() == [
        (1, 1, "available", 1),
        (2, 3, "archived", 1),
        (4, 9, "acquired", 1),
    ]


def test_the_start_moves_when_it_is_stored_and_not_before():
    members = Members()
    members.take(count=10)
    transition = members.acknowledge("m", 0, 4, ACCEPT)
    assert members.partition.start_offset == 0
    members.settle(transition)
    assert members.partition.start_offset == 5
    assert (members.stored[0].start_offset, members.stored[0].delivery_complete_count) == (0, 5)


def test_what_could_not_be_stored_was_not_acknowledged():
    members = Members()
    members.take(count=10)
    before = members.view()
    members.settle(members.acknowledge("m", 2, 4, RELEASE), is_stored=False)
    assert members.view() == before
    members.done("m", 0, 9, ACCEPT)
    assert members.partition.start_offset == 10


def test_what_is_being_stored_is_neither_given_out_nor_acknowledged_again():
    members = Members()
    members.take(count=10)
    transition = members.acknowledge("m", 0, 4, RELEASE)
    assert members.partition.next_fetch_offset == 10
    assert refusal(members, "m", 4, 5, ACCEPT) == INVALID
    members.settle(transition)
    assert members.partition.next_fetch_offset == 0


def test_one_wrong_word_puts_everything_back():
    members = Members()
    members.take("a", count=10)
    members.take("b", count=10)
    before = members.view()
    sent = [Acknowledgement(0, 9, [ACCEPT]), Acknowledgement(10, 12, [ACCEPT])]
    with pytest.raises(KafkaError):
        acknowledge(members.partition, "a", sent, members.now_ms)
    assert members.view() == before
    assert members.acknowledge("a", 0, 9, ACCEPT).changes


def test_only_the_holder_may_speak():
    members = Members()
    members.take("a", count=10)
    assert refusal(members, "b", 0, 0, ACCEPT) == INVALID
    members.done("a", 3, 3, ACCEPT)
    assert refusal(members, "a", 3, 3, ACCEPT) == INVALID


def test_no_member_may_acknowledge_what_was_not_handed_out():
    members = Members()
    assert refusal(members, "a", 0, 0, ACCEPT) == INVALID
    members.take("a", count=10)
    assert refusal(members, "a", 5, 10, ACCEPT) == ErrorCode.INVALID_REQUEST


def test_words_about_what_is_behind_us_are_passed_over():
    members = Members()
    members.take("a", count=10)
    members.partition.start_from(5)
    assert not members.acknowledge("a", 0, 4, ACCEPT).changes
    members.done("a", 3, 9, ACCEPT)
    assert members.partition.start_offset == 10


def test_a_renewed_lock_lasts_longer():
    members = Members(ShareLimits(lock_ms=1_000))
    members.take(count=10)
    members.pass_ms(900)
    members.done("m", 0, 4, RENEW)
    members.pass_ms(200)
    assert members.view() == [(0, 4, "acquired", 1), (5, 9, "available", 1)]
    assert len(members.stored) == 1


def test_a_group_may_forbid_renewal():
    members = Members(ShareLimits(may_renew=False))
    members.take(count=10)
    assert refusal(members, "m", 0, 4, RENEW) == INVALID
