"""Members join, are assigned partitions, go on and leave."""

from __future__ import annotations

import pytest

from tests.broker.coordinator.group.consumer.conversation import (
    Client,
    beat,
    given,
    group_of,
    id_of,
    join,
    member_of,
    settle,
    stage,
)

T = id_of("t")


def test_the_first_member_gets_everything():
    reply = stage() >> join()
    assert (reply.answer.member_epoch, reply.answer.heartbeat_interval_ms) == (2, 5_000)
    assert given(reply) == {T: [0, 1, 2, 3]}


def test_a_member_without_a_name_is_given_one():
    reply = stage() >> join("", version=0)
    assert len(reply.answer.member_id) == 22


def test_an_assignment_is_reported_once_and_again_when_asked_for_everything():
    coordinator = stage()
    coordinator >> join()
    assert given(coordinator >> beat("m", 2)) is None
    full = beat("m", 2, topics=["t"], owned={"t": [0, 1, 2, 3]}, rebalance_ms=60_000)
    assert given(coordinator >> full) == {T: [0, 1, 2, 3]}


def test_a_second_member_gets_its_share_once_the_first_has_let_go():
    coordinator = stage()
    coordinator >> join("a")
    coordinator.pass_ms(1_000)
    assert given(coordinator >> join("b")) == {}
    assert given(coordinator >> beat("a", 2)) == {T: [0, 1]}
    assert given(coordinator >> beat("b", 3)) is None
    assert (coordinator >> beat("a", 2, owned={"t": [0, 1]})).answer.member_epoch == 3
    assert given(coordinator >> beat("b", 3)) == {T: [2, 3]}
    assert coordinator.state() == "Stable"


def test_members_that_come_at_once_wait_for_the_next_target():
    coordinator = stage()
    coordinator >> join("a")
    reply = coordinator >> join("b")
    assert (reply.answer.member_epoch, given(reply)) == (2, {})
    assert coordinator.state() == "Assigning"


def test_a_missed_answer_is_forgiven_if_the_member_has_no_more_than_it_may():
    coordinator = stage()
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    settle(coordinator, a, b)
    previous = member_of(coordinator, "a").previous_epoch
    assert (coordinator >> beat("a", previous, owned={"t": []})).code == 0
    assert (coordinator >> beat("a", previous, owned={"t": [9]})).code == 110
    assert (coordinator >> beat("a", previous)).code == 110


@pytest.mark.parametrize(("epoch", "code"), [(9, 110), (1, 110)])
def test_a_wrong_epoch_is_fenced(epoch, code):
    coordinator = stage()
    coordinator >> join()
    assert (coordinator >> beat("m", epoch)).code == code


def test_who_is_no_member_is_refused_by_name():
    coordinator = stage()
    assert (coordinator >> beat("m", 3)).code == 69
    coordinator >> join()
    assert (coordinator >> beat("other", 3)).code == 25


def test_who_leaves_is_gone_with_all_its_records():
    coordinator = stage()
    coordinator >> join()
    reply = coordinator >> beat("m", -1)
    assert (reply.code, reply.answer.member_epoch) == (0, -1)
    assert coordinator.state() == "Empty"
    assert coordinator.restarted().state() == "Empty"
    assert group_of(coordinator).epoch == 3


def test_a_fenced_member_joins_again_and_keeps_its_share():
    coordinator = stage()
    coordinator >> join()
    reply = coordinator >> join()
    assert (reply.answer.member_epoch, given(reply)) == (2, {T: [0, 1, 2, 3]})


def test_a_full_group_takes_no_other():
    coordinator = stage()
    coordinator.settings.group_consumer_max_size = 1
    coordinator >> join("a")
    assert (coordinator >> join("b")).code == 81
    assert (coordinator >> join("a")).code == 0


def test_a_group_of_another_coordinator_goes_on_where_it_was():
    coordinator = stage()
    coordinator >> join()
    later = coordinator.restarted()
    assert (later >> beat("m", 2)).code == 0
    assert later.state() == "Stable"
