"""Judge: Kafka's assignors give the same partitions to the same members, round after round."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from moldau.broker.coordinator.group.consumer.assignor.range_assignor import assign_ranges
from moldau.broker.coordinator.group.consumer.assignor.spec import GroupSpec, MemberSpec
from moldau.broker.coordinator.group.consumer.assignor.uniform_assignor import assign_uniformly
from moldau.broker.coordinator.group.java_order import JavaSet, id_hash, int_hash
from tests.judges.java_assignors import Question, ask_java

pytestmark = pytest.mark.judge

ASSIGNORS = {"uniform": assign_uniformly, "range": assign_ranges}
GROUPS = 150
ROUNDS = 4
SEED = 20


def id_of(random: Random) -> bytes:
    return random.randbytes(16)


class GrowingGroup:
    """A group whose members, topics and subscriptions change from round to round."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.counts = {
            id_of(random): random.choice((1, 2, 3, 7, 20, 64))
            for _ in range(random.randrange(1, 6))
        }
        self.members: dict[str, MemberSpec] = {}
        self.is_mixed = random.random() < 0.5
        for _ in range(random.randrange(1, 10)):
            self.add_member()

    def add_member(self) -> None:
        instance_id = f"i{self.random.randrange(1000)}" if self.random.random() < 0.3 else None
        self.members[id_of(self.random).hex()] = MemberSpec(self.topics(), {}, instance_id)

    def topics(self) -> tuple[bytes, ...]:
        every = list(self.counts)
        chosen = self.random.sample(every, self.random.randrange(0, len(every) + 1))
        return tuple(JavaSet(id_hash, chosen if self.is_mixed else every))

    def change(self) -> None:
        if len(self.members) > 1 and self.random.random() < 0.5:
            del self.members[self.random.choice(list(self.members))]
        for _ in range(self.random.randrange(0, 4)):
            self.add_member()
        if self.random.random() < 0.5:
            self.counts[id_of(self.random)] = self.random.randrange(1, 40)
        for member_id, member in self.members.items():
            if not self.is_mixed or self.random.random() < 0.3:
                self.members[member_id] = replace(member, topic_ids=self.topics())

    def spec(self) -> GroupSpec:
        return GroupSpec(dict(self.members), dict(self.counts), not self.is_mixed)

    def settle(self, assigned) -> None:
        """Each member's assignment goes through its record, as between two rounds."""
        for member_id, member in self.members.items():
            given = {
                topic_id: tuple(JavaSet.copied(int_hash, partitions))
                for topic_id, partitions in assigned.get(member_id, {}).items()
            }
            self.members[member_id] = replace(member, assignment=given)


def rounds(random: Random):
    group = GrowingGroup(random)
    assignor = random.choice(tuple(ASSIGNORS))
    for _ in range(ROUNDS):
        spec = group.spec()
        assigned = ASSIGNORS[assignor](spec)
        yield Question(assignor, spec), assigned
        group.settle(assigned)
        group.change()


def test_kafka_would_assign_the_same(kafka_libs):
    random = Random(SEED)
    played = [one for _ in range(GROUPS) for one in rounds(random)]
    answers = ask_java(kafka_libs, [question for question, _ in played])
    for (question, ours), theirs in zip(played, answers, strict=True):
        assigned = {member_id: ours.get(member_id, {}) for member_id in question.spec.members}
        named = {member_id: theirs.get(member_id, {}) for member_id in question.spec.members}
        assert assigned == named, question
