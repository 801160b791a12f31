"""Adding, removing and moving voters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.quorum.effects import Answer, AppendVoters, RaiseVersion
from moldau.broker.quorum.events import (
    AddVoterAsked,
    FetchRequested,
    RemoveVoterAsked,
    StopWanted,
    UpdateVoterAsked,
)
from moldau.broker.quorum.voter_changes import raise_version
from moldau.broker.quorum.voters import ReplicaKey, VoterSet
from moldau.errors import KafkaError
from moldau.platform.ports.network import Address
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.quorum.simulated_member import MY_ID, SECOND, THIRD, Member, voter, voters

DISK = b"d" * 16


class Leader(Member):
    """Leads two voters that hold the voter set in their logs."""

    def __init__(self, kraft_version: int = 1) -> None:
        super().__init__(1, among=voters(MY_ID, SECOND), kraft_version=kraft_version, voters_at=0)
        self.lead()

    def fetched_by(self, *node_ids: int) -> None:
        """They have everything; what became of changes is in `wanted`."""
        wanted = []
        for node_id in node_ids:
            end = self.log.end
            request = FetchRequested(0, ReplicaKey(node_id), self.node.epoch, end.offset, end.epoch)
            wanted += self.take(request)
        self.wanted = wanted

    def carry_out(self) -> None:
        """The changed set gets into the log."""
        change = self.find(AppendVoters)
        self.history.add(self.log.end.offset, change.voters)
        self.append(f"voters {sorted(change.voters.ids)}")

    def answer(self) -> ErrorCode | None:
        found = self.find(Answer)
        return None if found is None else found.error


def test_a_node_that_has_caught_up_becomes_a_voter_when_the_change_is_committed():
    leader = Leader()
    leader.fetched_by(SECOND, THIRD)
    leader.take(AddVoterAsked(7, voter(THIRD)))
    assert leader.find(AppendVoters).voters == voters(MY_ID, SECOND, THIRD)
    leader.carry_out()
    assert leader.answer() is None
    leader.fetched_by(THIRD)
    assert leader.answer() is ErrorCode.NONE


def test_who_does_not_wait_for_the_commit_is_answered_at_once():
    leader = Leader()
    leader.fetched_by(SECOND, THIRD)
    leader.take(AddVoterAsked(7, voter(THIRD), ack_when_committed=False))
    assert leader.answer() is ErrorCode.NONE


def test_a_node_that_was_not_seen_must_wait():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(AddVoterAsked(7, voter(THIRD)))
    assert leader.answer() is ErrorCode.REQUEST_TIMED_OUT


def test_a_node_that_was_caught_up_long_ago_must_wait():
    leader = Leader()
    leader.fetched_by(SECOND, THIRD)
    leader.now_ms += 1000
    leader.node.role.progress.observers[ReplicaKey(THIRD)].last_caught_up_ms = -4_000_000
    leader.take(AddVoterAsked(7, voter(THIRD)))
    assert leader.answer() is ErrorCode.REQUEST_TIMED_OUT


def test_no_voter_votes_twice():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(AddVoterAsked(7, voter(SECOND)))
    assert leader.answer() is ErrorCode.DUPLICATE_VOTER


def test_configured_voters_cannot_be_changed():
    leader = Leader(kraft_version=0)
    leader.fetched_by(SECOND)
    leader.take(AddVoterAsked(7, voter(THIRD)))
    assert leader.answer() is ErrorCode.UNSUPPORTED_VERSION


def test_one_change_waits_for_the_one_before():
    leader = Leader()
    leader.fetched_by(SECOND, THIRD)
    leader.take(AddVoterAsked(7, voter(THIRD)))
    leader.carry_out()
    leader.take(RemoveVoterAsked(8, ReplicaKey(SECOND)))
    assert leader.answer() is ErrorCode.REQUEST_TIMED_OUT


def test_before_anything_is_committed_nothing_is_changed():
    leader = Leader()
    leader.take(RemoveVoterAsked(8, ReplicaKey(SECOND)))
    assert leader.answer() is ErrorCode.REQUEST_TIMED_OUT


def test_a_removed_voter_counts_no_more():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(RemoveVoterAsked(8, ReplicaKey(SECOND)))
    leader.carry_out()
    assert leader.answer() is ErrorCode.NONE
    assert set(leader.node.role.progress.voters) == {MY_ID}


def test_a_leader_that_removes_itself_leads_until_that_is_committed():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(RemoveVoterAsked(8, ReplicaKey(MY_ID)))
    leader.carry_out()
    assert leader.role == "leader"
    leader.fetched_by(SECOND)
    assert leader.answer() is ErrorCode.NONE
    assert leader.role == "resigned"


def test_who_is_no_voter_cannot_be_removed_and_the_last_one_stays():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(RemoveVoterAsked(8, ReplicaKey(THIRD)))
    assert leader.answer() is ErrorCode.VOTER_NOT_FOUND
    alone = Member(among=voters(MY_ID), kraft_version=1, voters_at=0)
    alone.append("leads")
    alone.take(RemoveVoterAsked(8, ReplicaKey(MY_ID)))
    assert alone.replied().error is ErrorCode.VOTER_NOT_FOUND


def test_one_who_votes_alone_can_put_itself_into_the_log():
    alone = Member(1, among=voters(MY_ID))
    alone.node.own = voter(MY_ID, DISK)
    effect = raise_version(alone.node, 1)
    assert effect == RaiseVersion(alone.node.epoch, 1, VoterSet([voter(MY_ID, DISK)]))


def test_who_does_not_know_the_disks_of_others_cannot_put_them_into_the_log():
    leader = Leader(kraft_version=0)
    leader.node.own = voter(MY_ID, DISK)
    with pytest.raises(KafkaError, match=f"the directory of voter {SECOND}") as refused:
        raise_version(leader.node, 1)
    assert refused.value.code == ErrorCode.INVALID_UPDATE_VERSION


def test_a_voter_that_does_not_support_the_level_in_force_is_not_noted():
    leader = Leader()
    leader.fetched_by(SECOND)
    old = replace(voter(SECOND), kraft_version_max=0)
    leader.take(UpdateVoterAsked(9, old, leader.node.epoch))
    assert (leader.answer(), leader.find(AppendVoters)) == (ErrorCode.INVALID_REQUEST, None)


def test_configured_voters_tell_their_disks_and_then_they_get_into_the_log():
    leader = Leader(kraft_version=0)
    leader.fetched_by(SECOND)
    leader.node.own = voter(MY_ID, DISK)
    leader.take(UpdateVoterAsked(9, voter(SECOND, DISK), leader.node.epoch))
    assert (leader.answer(), leader.find(AppendVoters)) == (ErrorCode.NONE, None)
    effect = raise_version(leader.node, 1)
    assert effect.voters == VoterSet([voter(MY_ID, DISK), voter(SECOND, DISK)])


def test_what_configured_voters_tell_is_forgotten_with_the_epoch():
    leader = Leader(kraft_version=0)
    leader.fetched_by(SECOND)
    leader.take(UpdateVoterAsked(9, voter(SECOND, DISK), leader.node.epoch))
    leader.take(StopWanted())
    assert leader.role == "resigned"
    leader.take(UpdateVoterAsked(9, voter(SECOND, DISK), leader.node.epoch))
    assert leader.answer() is ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_a_level_that_a_voter_does_not_support_is_refused():
    alone = Member(1, among=voters(MY_ID))
    alone.node.own = replace(voter(MY_ID, DISK), kraft_version_max=0)
    with pytest.raises(KafkaError, match="does not support it"):
        raise_version(alone.node, 1)


def test_another_disk_of_a_voter_is_no_voter():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(RemoveVoterAsked(8, ReplicaKey(SECOND, b"x" * 16)))
    assert leader.answer() is ErrorCode.VOTER_NOT_FOUND


def test_a_voter_that_has_moved_is_written_anew():
    leader = Leader()
    leader.fetched_by(SECOND)
    moved = replace(voter(SECOND), endpoints={"CONTROLLER": Address("elsewhere", 9)})
    leader.take(UpdateVoterAsked(9, moved, leader.node.epoch))
    assert leader.find(AppendVoters).voters.get(SECOND) == moved
    leader.carry_out()
    leader.fetched_by(SECOND)
    assert leader.answer() is ErrorCode.NONE


def test_an_address_that_is_no_news_is_not_written():
    leader = Leader()
    leader.fetched_by(SECOND)
    leader.take(UpdateVoterAsked(9, voter(SECOND), leader.node.epoch))
    assert (leader.answer(), leader.find(AppendVoters)) == (ErrorCode.NONE, None)
    leader.take(UpdateVoterAsked(9, voter(SECOND), leader.node.epoch - 1))
    assert leader.answer() is ErrorCode.FENCED_LEADER_EPOCH
    leader.take(UpdateVoterAsked(9, voter(SECOND), leader.node.epoch + 1))
    assert leader.answer() is ErrorCode.UNKNOWN_LEADER_EPOCH
    leader.take(UpdateVoterAsked(9, voter(THIRD), leader.node.epoch))
    assert leader.answer() is ErrorCode.VOTER_NOT_FOUND


def test_a_change_that_its_leader_does_not_see_through_times_out():
    leader = Leader()
    leader.fetched_by(SECOND, THIRD)
    leader.take(AddVoterAsked(7, voter(THIRD)))
    leader.carry_out()
    leader.take(StopWanted())
    assert leader.answer() is ErrorCode.REQUEST_TIMED_OUT


def test_before_anything_is_committed_no_node_learns_that_voters_are_configured():
    leader = Leader(kraft_version=0)
    leader.take(RemoveVoterAsked(8, ReplicaKey(SECOND)))
    assert leader.answer() is ErrorCode.REQUEST_TIMED_OUT


def test_who_does_not_lead_changes_nothing():
    member = Member(1, kraft_version=1)
    member.take(AddVoterAsked(7, voter(9)))
    assert member.replied().error is ErrorCode.NOT_LEADER_OR_FOLLOWER
