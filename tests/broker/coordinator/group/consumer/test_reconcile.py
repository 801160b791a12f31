"""One step of a member towards its target."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.consumer.member import ConsumerMember, MemberState, owned_since
from moldau.broker.coordinator.group.consumer.reconcile import Aim, reconcile
from moldau.errors import KafkaError

T, U = b"t" * 16, b"u" * 16


def aim(target, *, epoch=5, reads=(T, U), changed=False, taken=()) -> Aim:
    return Aim(epoch, target, reads, changed, lambda topic, index: (topic, index) in taken)


def member(assigned, *, epoch=4, **fields) -> ConsumerMember:
    return ConsumerMember("m", epoch=epoch, assigned=owned_since(epoch, assigned), **fields)


def test_a_member_in_the_targets_epoch_stays_as_it_is():
    present = member({T: [0]}, epoch=5)
    assert reconcile(present, aim({T: (1,)}), None) is present


def test_what_is_free_is_added_at_once():
    after = reconcile(member({T: [0]}), aim({T: (0, 1)}), None)
    assert (after.epoch, after.previous_epoch, after.state) == (5, 4, MemberState.STABLE)
    assert after.assigned == {T: {0: 4, 1: 5}}


def test_what_must_go_keeps_the_member_in_its_epoch():
    after = reconcile(member({T: [0, 1]}), aim({T: (0,), U: (0,)}), None)
    assert (after.epoch, after.state) == (4, MemberState.UNREVOKED)
    assert (after.assigned, after.to_revoke) == ({T: {0: 4}}, {T: {1: 4}})


def test_a_member_that_has_let_go_moves_on():
    waiting = member({T: [0]}, state=MemberState.UNREVOKED, to_revoke={T: {1: 4}})
    assert reconcile(waiting, aim({T: (0,)}), {T: [0, 1]}) is waiting
    after = reconcile(waiting, aim({T: (0,)}), {T: [0]})
    assert (after.epoch, after.state, after.to_revoke) == (5, MemberState.STABLE, {})


def test_what_others_have_is_waited_for():
    after = reconcile(member({}), aim({T: (0, 1)}, taken={(T, 0)}), {})
    assert (after.state, after.assigned) == (MemberState.UNRELEASED, {T: {1: 5}})
    later = reconcile(after, aim({T: (0, 1)}), None)
    assert (later.state, later.assigned) == (MemberState.STABLE, {T: {0: 5, 1: 5}})


def test_topics_that_are_not_read_any_more_go_before_there_is_a_target():
    after = reconcile(member({T: [0], U: [0]}, epoch=5), aim({}, reads=(T,), changed=True), None)
    assert (after.epoch, after.state) == (5, MemberState.UNREVOKED)
    assert (after.assigned, after.to_revoke) == ({T: {0: 5}}, {U: {0: 5}})


def test_what_the_member_does_not_read_is_not_added():
    assert reconcile(member({}), aim({T: (0,), U: (0,)}, reads=(U,)), {}).assigned == {U: {0: 5}}


def test_an_unknown_state_is_fenced_unless_the_member_has_nothing():
    strange = member({}, state=MemberState.UNKNOWN)
    with pytest.raises(KafkaError) as refused:
        reconcile(strange, aim({T: (0,)}), None)
    assert refused.value.code == 110
    assert reconcile(strange, aim({T: (0,)}), {}).assigned == {T: {0: 5}}
