"""Judge: Kafka's assignor of share groups gives the same to the same members, round after round."""

from __future__ import annotations

from random import Random

import pytest

from moldau.broker.coordinator.group.share.assignor import Given, SharedWork, assign
from tests.judges.java_share_assignor import FAILED, ask_java

pytestmark = pytest.mark.judge

GROUPS = 300
ROUNDS = 5
SEED = 24


class ChangingGroup:
    """A share group whose members, topics and subscriptions change from round to round."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.assignable = {
            random.randbytes(16): frozenset(range(random.choice((1, 2, 3, 7, 20, 64))))
            for _ in range(random.randrange(1, 6))
        }
        self.is_mixed = random.random() < 0.5
        self.shared = self.topics()
        self.members: dict[str, tuple[bytes, ...]] = {}
        self.before: dict[str, Given] = {}
        for _ in range(random.choice((1, 2, 3, 5, 9, 40))):
            self.add_member()

    def topics(self) -> tuple[bytes, ...]:
        every = list(self.assignable)
        return tuple(self.random.sample(every, self.random.randrange(1, len(every) + 1)))

    def add_member(self) -> None:
        topics = self.topics() if self.is_mixed else self.shared
        self.members[self.random.randbytes(16).hex()] = topics

    def change(self) -> None:
        self.change_members()
        random = self.random
        if random.random() < 0.5:
            self.assignable[random.randbytes(16)] = frozenset(range(random.randrange(0, 40)))
        if random.random() < 0.2:
            lost = random.choice(list(self.assignable))
            self.assignable[lost] -= {random.randrange(3)}
        self.shared = self.topics() if random.random() < 0.3 else self.shared
        for member_id in self.members:
            if not self.is_mixed:
                self.members[member_id] = self.shared
            elif random.random() < 0.3:
                self.members[member_id] = self.topics()

    def change_members(self) -> None:
        for _ in range(self.random.randrange(0, 4)):
            if len(self.members) > 1:
                gone = self.random.choice(list(self.members))
                del self.members[gone]
                self.before.pop(gone, None)
        for _ in range(self.random.randrange(0, 4)):
            self.add_member()

    def work(self) -> SharedWork:
        return SharedWork(
            dict(self.members), dict(self.assignable), not self.is_mixed, dict(self.before)
        )


def rounds(random: Random):
    group = ChangingGroup(random)
    for _ in range(ROUNDS):
        work = group.work()
        given = assign(work)
        yield work, given
        group.before = dict(given)
        group.change()


def test_kafka_would_share_out_the_same(kafka_libs):
    """Kafka's fails over some groups that have lost single partitions; ours goes on."""
    random = Random(SEED)
    played = [one for _ in range(GROUPS) for one in rounds(random)]
    answers = ask_java(kafka_libs, [work for work, _ in played])
    judged = 0
    for (work, ours), theirs in zip(played, answers, strict=True):
        if theirs is not FAILED:
            judged += 1
            assert ours == {one: theirs.get(one, {}) for one in work.subscriptions}, work
    assert judged > len(played) * 0.95
