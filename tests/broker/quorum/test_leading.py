"""Leading."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.effects import Announce, AnswerFetch, Committed, EndQuorumEpoch
from moldau.broker.quorum.events import (
    FetchRequested,
    Flushed,
    SnapshotRequested,
    StopWanted,
    TimePassed,
    VoterAnswered,
)
from moldau.broker.quorum.leading import judge_position
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.voters import ReplicaKey
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.quorum.simulated_member import SECOND, THIRD, Member, voters
from tests.simulation.quorum_log import Entry, MemoryLog, Snapshot

PIECE_MS = 500


def leader(*epochs: int) -> Member:
    member = Member(*epochs)
    member.lead()
    return member


def fetch(member: Member, offset: int, last_epoch: int, who: int = SECOND, **fields):
    epoch = fields.pop("epoch", member.node.epoch)
    member.take(FetchRequested(9, ReplicaKey(who), epoch, offset, last_epoch))
    return member.find(AnswerFetch)


def log_with_snapshots(log: MemoryLog, *ids: SnapshotId) -> MemoryLog:
    log.snapshots = [Snapshot(one, []) for one in ids]
    return log


def test_what_a_majority_has_on_its_disks_is_committed():
    member = leader(1)
    assert member.node.high_watermark == -1
    assert fetch(member, 2, 1).high_watermark == 2
    assert member.find(Committed) == Committed(2)


def test_the_leader_counts_itself_only_when_it_has_synced():
    member = leader(1)
    member.log.entries.append(Entry(1, "unsynced"))
    fetch(member, 3, 1)
    assert member.node.high_watermark == 2


def test_what_a_voter_with_a_disk_has_counts_when_the_leader_syncs_later():
    """Voters of the configuration stand there without their disks, and fetch with them."""
    member = leader(1)
    fetch(member, 2, 1)
    member.log.entries.append(Entry(member.node.epoch, "unsynced"))
    asked = ReplicaKey(SECOND, b"d" * 16)
    member.take(FetchRequested(9, asked, member.node.epoch, 3, member.node.epoch))
    assert member.node.high_watermark == 2
    member.take(Flushed(3))
    assert member.node.high_watermark == 3


def test_a_changed_set_of_voters_gets_the_full_time_to_fetch():
    member = leader(1)
    fetch(member, 2, 1)
    before_ms = member.node.role.quorum_deadline_ms
    member.now_ms += 1000
    member.history.add(2, voters(1, 2, 3, 4))
    member.append("voters")
    assert member.node.role.quorum_deadline_ms == before_ms + 1000


def test_records_of_earlier_epochs_are_committed_by_a_record_of_this_one():
    member = leader(1, 1, 1)
    fetch(member, 3, 1)
    assert member.node.high_watermark == -1
    fetch(member, 4, member.node.epoch)
    assert member.node.high_watermark == 4


def test_observers_commit_nothing():
    member = leader(1)
    fetch(member, 2, 1, who=9)
    assert member.node.high_watermark == -1
    assert list(member.node.role.progress.observers) == [ReplicaKey(9)]


def test_epochs_that_differ_are_distinguished():
    member = leader(1)
    assert fetch(member, 0, 0, epoch=0).error is ErrorCode.FENCED_LEADER_EPOCH
    assert fetch(member, 0, 0, epoch=9).error is ErrorCode.UNKNOWN_LEADER_EPOCH
    assert fetch(member, -1, 0).error is ErrorCode.INVALID_REQUEST


def test_who_does_not_lead_says_who_does():
    member = Member(1)
    assert fetch(member, 0, 0).error is ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_a_log_that_parts_from_the_leaders_learns_where():
    member = leader(1, 1)
    answer = fetch(member, 5, 1)
    assert answer.diverging == LogEnd(1, 3)
    assert member.node.role.progress.voters[SECOND].end_offset == -1


def test_positions_before_the_log_need_its_newest_snapshot():
    log = MemoryLog([Entry(1, "gone")] * 4 + [Entry(3, "kept")], start_offset=4)
    log_with_snapshots(log, SnapshotId(4, 1), SnapshotId(5, 3))
    newest = (None, SnapshotId(5, 3))
    assert judge_position(log, LogEnd(0, 0)) == newest
    assert judge_position(log, LogEnd(1, 3)) == newest
    assert judge_position(log, LogEnd(2, 4)) == newest
    assert judge_position(log, LogEnd(1, 4)) == (None, None)
    assert judge_position(log, LogEnd(3, 5)) == (None, None)


def test_the_snapshot_of_a_formatted_directory_is_nobodys_need():
    log = log_with_snapshots(MemoryLog([Entry(1, "first")]), SnapshotId(0, 0))
    assert judge_position(log, LogEnd(0, 0)) == (None, None)


def test_voters_are_reported_until_they_answer():
    member = Member(1)
    member.wait_for_role("prospective")
    member.answer_votes(SECOND)
    answered = member.answer_votes(SECOND)
    assert {one.to.node_id for one in answered if isinstance(one, Announce)} == {SECOND, THIRD}
    member.take(VoterAnswered(SECOND, member.node.epoch, 1, True))
    member.wanted = []
    assert member.wait_for(Announce).to.node_id in (SECOND, THIRD)


def test_a_leader_without_a_majority_resigns_and_says_so():
    member = leader(1)
    member.wait_for_role("resigned")
    assert member.now_ms >= 3000
    assert member.find(EndQuorumEpoch).successors == (ReplicaKey(SECOND), ReplicaKey(THIRD))


def test_a_leader_whose_majority_fetches_goes_on():
    member = leader(1)
    for _ in range(20):
        member.now_ms += 1000
        fetch(member, 1, 1)
    assert member.role == "leader"


def test_a_leader_that_was_late_itself_counts_the_fetches_that_came_meanwhile():
    member = leader(1)
    member.now_ms += 10 * member.node.settings.fetch_timeout_ms
    fetch(member, 1, 1)
    member.take(TimePassed())
    assert member.role == "leader"


@pytest.mark.parametrize(("epochs_ago", "leads"), [(0, True), (1, False)])
def test_a_voter_that_loads_a_snapshot_is_part_of_the_majority(epochs_ago, leads):
    member = leader(1)
    ended_ms = member.now_ms + 4 * member.node.settings.fetch_timeout_ms
    while member.now_ms < ended_ms:
        member.now_ms += PIECE_MS
        member.take(SnapshotRequested(ReplicaKey(SECOND), member.node.epoch - epochs_ago))
        member.take(TimePassed())
    assert (member.role == "leader") is leads


def test_a_leader_that_stops_sends_end_quorum_epoch_and_stays_resigned():
    member = leader(1)
    fetch(member, 2, 1, who=THIRD)
    member.take(StopWanted())
    ended = member.find(EndQuorumEpoch)
    assert ended.successors == (ReplicaKey(THIRD), ReplicaKey(SECOND))
    for node_id in (SECOND, THIRD):
        member.take(VoterAnswered(node_id, member.node.epoch, None, True))
    member.wait()
    assert member.role == "resigned"
    assert member.node.wake_at_ms == float("inf")
