"""A share partition through its life: locks, members that go, logs that shrink, new leaders."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from moldau.broker.coordinator.share.partition.acquiring import Acquired
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.broker.coordinator.share.partition.share_partition import Transition
from moldau.broker.coordinator.share.state_batches import StateBatch
from tests.broker.coordinator.share.partition.members import ACCEPT, REJECT, RELEASE, Members


def test_a_lock_ends_by_itself():
    members = Members(ShareLimits(lock_ms=1_000))
    members.take("a", count=10)
    members.pass_ms(999)
    assert members.partition.next_fetch_offset == 10
    members.pass_ms(1)
    assert members.stored[0].state_batches == (StateBatch(0, 9, 0, 1),)
    assert members.partition.timed_out_count == 10
    assert members.take("b", count=10) == [Acquired(0, 9, 2)]


def test_a_record_that_no_member_manages_is_given_up():
    members = Members(ShareLimits(lock_ms=1_000, delivery_count_max=2))
    for _ in range(2):
        members.take(count=10)
        members.pass_ms(1_000)
    assert members.partition.start_offset == 10
    assert members.stored[-1].state_batches == (StateBatch(0, 9, 4, 2),)


def test_a_lock_that_ends_while_something_is_stored_does_no_harm():
    members = Members(ShareLimits(lock_ms=1_000))
    members.take(count=10)
    transition = members.acknowledge("m", 0, 9, ACCEPT)
    members.pass_ms(5_000)
    assert members.stored == []
    members.settle(transition, is_stored=False)
    members.pass_ms(0)
    assert members.view() == [(0, 9, "available", 1)]


def test_who_goes_leaves_what_it_had():
    members = Members()
    members.take("a", count=10)
    members.take("b", count=10)
    members.settle(members.partition.release("a"))
    assert members.view() == [(0, 9, "available", 1), (10, 19, "acquired", 1)]


def test_records_that_the_log_has_dropped_are_behind_us():
    members = Members()
    members.take("a", count=20)
    transition = members.acknowledge("a", 0, 9, ACCEPT)
    members.partition.start_from(5)
    members.partition.start_from(3)
    assert members.partition.start_offset == 5
    members.settle(transition)
    assert members.partition.start_offset == 10
    members.partition.start_from(50)
    assert (members.partition.start_offset, members.partition.next_fetch_offset) == (50, 50)


def test_another_leader_finds_what_was_stored():
    members = Members()
    members.take(count=20)
    members.done("m", 5, 9, ACCEPT)
    other = members.reloaded()
    assert other.view() == [(0, 4, "available", 0), (5, 9, "acknowledged", 1)]
    assert other.take(count=5, strict=True) == [Acquired(0, 4, 1)]
    assert other.partition.next_fetch_offset == 10


def test_what_is_stored_as_settled_is_not_loaded_again():
    members = Members(
        start_offset=3, state_batches=(StateBatch(3, 9, 2, 1), StateBatch(10, 12, 4, 5))
    )
    assert members.partition.start_offset == 13
    assert members.view() == []


def test_the_next_lock_to_end_is_known():
    members = Members(ShareLimits(lock_ms=1_000))
    assert members.partition.wake_at_ms() is None
    members.take(count=10)
    assert members.partition.wake_at_ms() == members.now_ms + 1_000


class AnyLife(RuleBasedStateMachine):
    """Members come, take, speak, fall silent; writes are stored or not; leaders change."""

    LIMIT = 4

    def __init__(self) -> None:
        super().__init__()
        self.members = Members(
            ShareLimits(lock_ms=100, delivery_count_max=self.LIMIT, locks_max=25)
        )
        self.held: dict[int, str] = {}
        self.delivered: dict[int, int] = {}
        self.pending: list[Transition] = []

    @rule(member=st.sampled_from("abc"), count=st.integers(1, 30), strict=st.booleans())
    def take(self, member, count, strict):
        taken = self.members.take(member, count, strict=strict)
        for one in taken:
            for offset in range(one.first_offset, one.last_offset + 1):
                assert offset not in self.held, f"{offset} is held by {self.held[offset]}"
                assert one.delivery_count <= self.LIMIT
                assert self.delivered.get(offset, 0) < one.delivery_count
                self.held[offset] = member
                self.delivered[offset] = one.delivery_count
        if strict:
            assert sum(one.last_offset - one.first_offset + 1 for one in taken) <= count

    @precondition(lambda self: self.held)
    @rule(data=st.data(), word=st.sampled_from([ACCEPT, RELEASE, REJECT]))
    def speak(self, data, word):
        first = data.draw(st.sampled_from(sorted(self.held)))
        member = self.held[first]
        last = first
        while self.held.get(last + 1) == member and data.draw(st.booleans()):
            last += 1
        self.pending.append(self.members.acknowledge(member, first, last, word))
        for offset in range(first, last + 1):
            del self.held[offset]

    @precondition(lambda self: self.pending)
    @rule(data=st.data(), is_stored=st.booleans())
    def answer(self, data, is_stored):
        transition = self.pending.pop(data.draw(st.integers(0, len(self.pending) - 1)))
        self.members.settle(transition, is_stored=is_stored)
        if not is_stored:
            self.find_holders()

    @rule(member=st.sampled_from("abc"))
    def leave(self, member):
        self.pending.append(self.members.partition.release(member))
        self.find_holders()

    @rule(duration=st.integers(1, 60))
    def wait(self, duration):
        self.members.pass_ms(duration)
        self.find_holders()

    @rule()
    def change_leader(self):
        for transition in self.pending:
            self.members.settle(transition)
        self.pending = []
        self.members = self.members.reloaded()
        self.held = {}
        self.delivered = {
            offset: run.delivery_count
            for run in self.members.partition.runs
            for offset in range(run.first_offset, run.last_offset + 1)
        }

    def find_holders(self):
        self.held = {
            offset: run.member_id
            for run in self.members.partition.runs
            if run.member_id
            for offset in range(run.first_offset, run.last_offset + 1)
        }

    @invariant()
    def nothing_is_lost_in_between(self):
        partition = self.members.partition
        expected = partition.start_offset
        for run in partition.runs:
            assert run.first_offset == expected
            assert run.delivery_count <= self.LIMIT
            expected = run.last_offset + 1
        assert expected == partition.end_offset

    def teardown(self):
        """Whatever happened, in the end every record is settled."""
        for transition in self.pending:
            self.members.settle(transition)
        partition = self.members.partition
        for _ in range(5 * self.members.log_end_offset):
            if partition.start_offset >= self.members.log_end_offset:
                return
            self.members.pass_ms(100)
            for one in self.members.take("z", 10):
                self.members.done("z", one.first_offset, one.last_offset, ACCEPT)
        raise AssertionError(f"{partition} never comes to its end")


TestAnyLife = AnyLife.TestCase
TestAnyLife.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
