"""What groups of every kind that moves by epochs have in common."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from moldau.broker.coordinator.group.epoch_group import EpochGroup, fenced, full, may_assign
from moldau.errors import KafkaError
from moldau.protocol.messages.stored.consumer_group import (
    ConsumerGroupTargetAssignmentMetadataValue,
)
from moldau.protocol.wire.error_codes import ErrorCode


@dataclass
class Walker:
    epoch: int

    def is_reconciled_to(self, assignment_epoch: int) -> bool:
        return self.epoch == assignment_epoch


class OfGenerations(EpochGroup[Walker]):
    """All of whose members speak an older protocol."""

    def knows_epochs(self, member: Walker) -> bool:
        return False


def group_at(epoch: int, assigned: int, *members: int) -> EpochGroup[Walker]:
    group = EpochGroup[Walker]("g")
    group.epoch, group.assignment_epoch = epoch, assigned
    group.members = {f"m{index}": Walker(at) for index, at in enumerate(members)}
    return group


def commit(group: EpochGroup[Walker], epoch: int, *, version: int = 9) -> bool:
    return group.check_commit("m0", None, epoch, is_transactional=False, version=version)


@pytest.mark.parametrize(
    ("group", "state"),
    [
        (group_at(3, 2), "Empty"),
        (group_at(3, 2, 2), "Assigning"),
        (group_at(3, 3, 3, 2), "Reconciling"),
        (group_at(3, 3, 3, 3), "Stable"),
    ],
)
def test_its_state_follows_from_the_epochs(group, state):
    assert group.state_name == state
    assert repr(group).startswith(f"EpochGroup('g', {state}, epoch 3")


def test_a_newer_epoch_is_stale_and_an_older_one_is_to_be_looked_at():
    group = group_at(3, 3, 3)
    assert (commit(group, 3), commit(group, 2)) == (False, True)
    with pytest.raises(KafkaError) as refused:
        commit(group, 4)
    assert refused.value.code == ErrorCode.STALE_MEMBER_EPOCH


def test_members_of_an_older_protocol_see_generations_and_commit_in_old_versions():
    group = OfGenerations("g")
    group.members = {"m0": Walker(3)}
    assert not commit(group, 3, version=1)
    with pytest.raises(KafkaError) as refused:
        commit(group, 4)
    assert refused.value.code == ErrorCode.ILLEGAL_GENERATION


def test_who_is_no_member_is_refused_by_name():
    with pytest.raises(KafkaError) as refused:
        group_at(3, 3, 3).member("x")
    assert refused.value.code == ErrorCode.UNKNOWN_MEMBER_ID


def test_topics_are_looked_at_again_after_a_while_on_request_and_when_the_epoch_was_not_written():
    group = group_at(3, 3, 3)
    group.refreshed(1_000, 3)
    assert [group.needs_refresh(now_ms) for now_ms in (999, 1_000)] == [False, True]
    group.refreshed(1_000, 4)
    assert group.needs_refresh(0)
    group.refreshed(1_000, 3)
    group.request_refresh()
    assert group.needs_refresh(0)


def test_a_deleted_record_of_the_assignment_leaves_no_epoch():
    group = group_at(3, 1, 3)
    group.apply_assignment_epoch(
        ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=3, assignment_timestamp=9)
    )
    assert (group.assignment_epoch, group.assigned_at_ms) == (3, 9)
    group.apply_assignment_epoch(None)
    assert (group.assignment_epoch, group.assigned_at_ms) == (-1, 0)


@pytest.mark.parametrize(
    ("refusal", "message"),
    [
        (
            fenced("consumer", 9, 2),
            "The consumer group member has a greater member epoch (9) than the one known by the "
            "group coordinator (2). The member must abandon all its partitions and rejoin.",
        ),
        (
            fenced("share", 1, 4, 3),
            "The share group member has a smaller member epoch (1) than the one known by the "
            "group coordinator (4), and it does not match the previous member epoch (3). The "
            "member must abandon all its partitions and rejoin.",
        ),
        (full("streams", 7), "The streams group has reached its maximum capacity of 7 members."),
    ],
)
def test_a_refusal_reads_as_kafkas(refusal, message):
    assert refusal.message == message


def test_targets_have_their_distance_but_the_first_comes_at_once():
    assert may_assign(0, 1_000, 5)
    assert not may_assign(10, 1_000, 1_009)
    assert may_assign(10, 1_000, 1_010)
    assert may_assign(10, 0, 10)
