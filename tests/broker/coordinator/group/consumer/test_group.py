"""What a consumer group says of itself, and whose commits it takes."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.group import Committed
from moldau.errors import KafkaError
from tests.broker.coordinator.group.consumer.conversation import (
    Client,
    beat,
    group_of,
    id_of,
    join,
    settle,
    stage,
)
from tests.broker.coordinator.group.coordinator import Coordinator

UNKNOWN_MEMBER, UNSUPPORTED, STALE, NON_EMPTY = 25, 35, 113, 68


def commit(
    coordinator: Coordinator,
    epoch: int,
    *,
    member: str = "m",
    version: int = 9,
    transactional: bool = False,
) -> int | bool:
    """The code, or whether partitions have to be looked at."""
    try:
        return group_of(coordinator).check_commit(
            member, None, epoch, is_transactional=transactional, version=version
        )
    except KafkaError as error:
        return error.code


def joined() -> Coordinator:
    coordinator = stage()
    coordinator >> join()
    return coordinator


@pytest.mark.parametrize(("epoch", "code"), [(2, False), (3, STALE), (1, True), (-1, True)])
def test_commits_from_the_future_are_stale(epoch, code):
    assert commit(joined(), epoch) == code


def test_old_commits_cannot_carry_an_epoch():
    assert commit(joined(), 2, version=8) == UNSUPPORTED
    assert commit(joined(), 2, version=3, transactional=True) is False


def test_in_transactions_one_may_commit_without_saying_who_one_is():
    assert commit(joined(), -1, member="", transactional=True) is False
    assert commit(joined(), -1, member="") == UNKNOWN_MEMBER
    assert commit(joined(), 2, member="unknown", transactional=True) == UNKNOWN_MEMBER


def test_an_older_epoch_will_do_for_a_partition_the_member_has_had_since():
    coordinator = stage(t=4)
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    settle(coordinator, a, b)
    group = group_of(coordinator)
    group.check_commit_of("a", 2, Committed("t", id_of("t"), 0))
    with pytest.raises(KafkaError):
        group.check_commit_of("a", 1, Committed("t", id_of("t"), 0))
    with pytest.raises(KafkaError) as refused:
        group.check_commit_of("b", 2, Committed("t", id_of("t"), 2))
    assert refused.value.code == STALE


def test_an_empty_group_takes_commits_from_outside():
    coordinator = joined()
    coordinator >> beat("m", -1)
    assert commit(coordinator, -1) == 0
    assert commit(coordinator, 1) == UNKNOWN_MEMBER


def test_readers_say_who_they_are_and_in_which_epoch():
    group = group_of(joined())
    group.check_fetch("m", 2)
    group.check_fetch(None, -1)
    for member_id, epoch, code in (("m", 1, STALE), ("x", 2, UNKNOWN_MEMBER)):
        with pytest.raises(KafkaError) as refused:
            group.check_fetch(member_id, epoch)
        assert refused.value.code == code


def test_only_an_empty_group_may_be_deleted_and_nothing_is_left_of_it():
    coordinator = joined()
    with pytest.raises(KafkaError) as refused:
        group_of(coordinator).check_delete()
    assert refused.value.code == NON_EMPTY
    coordinator >> beat("m", -1)
    group_of(coordinator).check_delete()
    for record in group_of(coordinator).tombstones():
        coordinator.shard.apply(record, 0, 0)
    assert coordinator.state() == "Dead"


def test_it_reads_what_its_members_name_or_their_patterns_match():
    coordinator = stage(t=1, u=1)
    coordinator >> join("a", topics=["t"])
    coordinator >> join("b", pattern="u")
    coordinator.pass_ms(0)
    group = group_of(coordinator)
    assert [group.is_subscribed_to(topic) for topic in "tux"] == [True, True, False]
    age = group.offset_age()
    assert age is not None
    assert age(7) == 7


def test_a_new_group_is_in_its_first_epoch():
    group = ConsumerGroup("g")
    assert (group.epoch, group.assignment_epoch, group.state_name) == (1, 1, "Empty")
    assert (group.is_empty, group.protocol_type) == (True, "consumer")
