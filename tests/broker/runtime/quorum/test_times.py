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


class Story:
    def __init__(self):
        self.clock = SimulatedClock()
        self.times = QuorumTimes(self.clock)

    def wait(self, duration_ms):
        self.clock.advance_ns(duration_ms * MS)

    def committed(self):
        now_ms = self.times.now_ms()
        return self.times.commit.average(now_ms), self.times.commit.maximum(now_ms)


def test_a_decision_waits_and_is_worked_on():
    story = Story()
    asked_ns = story.times.now_ns()
    story.wait(3)
    begun_ns = story.times.now_ns()
    story.wait(2)
    story.times.decided(asked_ns, begun_ns)
    assert (story.times.queue.total, story.times.processing.total) == (3000, 2000)
    assert "1 decisions" in repr(story.times)


def test_the_time_to_commit_is_that_of_a_record():
    story = Story()
    story.times.appended(9, 10)
    story.wait(10)
    story.times.appended(10, 1)
    story.times.committed(9)
    assert isnan(story.committed()[0])
    story.wait(10)
    story.times.committed(11)
    assert story.committed() == (6, 10)


def test_what_another_leader_may_commit_is_not_measured():
    story = Story()
    story.times.appended(9, 1)
    story.times.role_changed(FOLLOWER)
    story.times.committed(10)
    assert isnan(story.committed()[0])


def test_an_election_lasts_from_the_first_wish_to_the_leader():
    story = Story()
    for role in (PROSPECTIVE, CANDIDATE, LEADER, FOLLOWER):
        story.times.role_changed(role)
        story.wait(5)
    assert story.times.election.maximum(story.times.now_ms()) == 10
    story.times.role_changed(CANDIDATE)
    story.wait(4)
    story.times.role_changed(FOLLOWER)
    assert story.times.election.average(story.times.now_ms()) == 7


def test_what_becomes_metadata_together_is_one_batch_with_its_time():
    story = Story()
    began_ns = story.times.now_ns()
    story.wait(2)
    story.times.applied(began_ns, 5)
    story.times.applied(began_ns, 0)
    sizes, times = story.times.batch_sizes, story.times.batch_times
    assert (sizes.count, sizes.total) == (1, 5)
    assert (times.count, times.total) == (1, 2000)
