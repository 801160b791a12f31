"""How long the quorum takes, on a clock that only moves when it is set."""

from __future__ import annotations

from math import isnan

from moldau.broker.quorum.progress import Progress
from moldau.broker.quorum.roles import NEVER_MS, Candidate, Follower, Leader, Prospective, Tally
from moldau.broker.quorum.voters import ReplicaKey, VoterSet
from moldau.broker.runtime.quorum.times import QuorumTimes
from moldau.platform.simulated.clock import SimulatedClock

MS = 1_000_000
PROSPECTIVE = Prospective(1, NEVER_MS, Tally(VoterSet()))
CANDIDATE = Candidate(2, NEVER_MS, Tally(VoterSet()))
LEADER = Leader(2, 0, (), Progress(ReplicaKey(1)), NEVER_MS)
FOLLOWER = Follower(2, NEVER_MS, 3)


class MeasuredQuorum:
    def __init__(self):
        self.clock = SimulatedClock()
        self.times = QuorumTimes(self.clock)

    def wait(self, duration_ms):
        self.clock.advance_ns(duration_ms * MS)

    def committed(self):
        now_ms = self.times.now_ms()
        return self.times.commit.average(now_ms), self.times.commit.maximum(now_ms)


def test_a_decision_waits_and_is_worked_on():
    quorum = MeasuredQuorum()
    asked_ns = quorum.times.now_ns()
    quorum.wait(3)
    begun_ns = quorum.times.now_ns()
    quorum.wait(2)
    quorum.times.decided(asked_ns, begun_ns)
    assert (quorum.times.queue.total, quorum.times.processing.total) == (3000, 2000)
    assert "1 decisions" in repr(quorum.times)


def test_the_time_to_commit_is_that_of_a_record():
    quorum = MeasuredQuorum()
    quorum.times.appended(9, 10)
    quorum.wait(10)
    quorum.times.appended(10, 1)
    quorum.times.committed(9)
    assert isnan(quorum.committed()[0])
    quorum.wait(10)
    quorum.times.committed(11)
    assert quorum.committed() == (6, 10)


def test_what_another_leader_may_commit_is_not_measured():
    quorum = MeasuredQuorum()
    quorum.times.appended(9, 1)
    quorum.times.role_changed(FOLLOWER)
    quorum.times.committed(10)
    assert isnan(quorum.committed()[0])


def test_an_election_lasts_from_the_first_wish_to_the_leader():
    quorum = MeasuredQuorum()
    for role in (PROSPECTIVE, CANDIDATE, LEADER, FOLLOWER):
        quorum.times.role_changed(role)
        quorum.wait(5)
    assert quorum.times.election.maximum(quorum.times.now_ms()) == 10
    quorum.times.role_changed(CANDIDATE)
    quorum.wait(4)
    quorum.times.role_changed(FOLLOWER)
    assert quorum.times.election.average(quorum.times.now_ms()) == 7


def test_what_becomes_metadata_together_is_one_batch_with_its_time():
    quorum = MeasuredQuorum()
    began_ns = quorum.times.now_ns()
    quorum.wait(2)
    quorum.times.applied(began_ns, 5)
    quorum.times.applied(began_ns, 0)
    sizes, times = quorum.times.batch_sizes, quorum.times.batch_times
    assert (sizes.count, sizes.total) == (1, 5)
    assert (times.count, times.total) == (1, 2000)
