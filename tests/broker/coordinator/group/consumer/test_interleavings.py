"""Members in any order and at any speed: no partition has two owners, and all settle."""

from __future__ import annotations

from typing import Any

from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from tests.broker.coordinator.group.consumer.conversation import (
    Client,
    change,
    group_of,
    settle,
    stage,
    with_topics,
    without_topic,
)

NAMES = ("a", "b", "c", "d")
TOPICS = ("t", "u", "v")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("beat"), st.sampled_from(NAMES)),
        st.tuples(st.just("leave"), st.sampled_from(NAMES)),
        st.tuples(st.just("forget"), st.sampled_from(NAMES)),
        st.tuples(st.just("subscribe"), st.sampled_from(NAMES), st.sets(st.sampled_from(TOPICS))),
        st.tuples(st.just("grow"), st.sampled_from(TOPICS), st.integers(1, 9)),
        st.tuples(st.just("drop"), st.sampled_from(TOPICS)),
        st.tuples(st.just("pass"), st.sampled_from((500, 3_000, 50_000))),
        st.tuples(st.just("restart")),
    ),
    max_size=40,
)


class Scene:
    """Four clients, three topics, and a coordinator that may fail over."""

    def __init__(self) -> None:
        self.coordinator = stage(t=5, u=2)
        self.clients = {name: Client(self.coordinator, name) for name in NAMES}
        self.present: set[str] = set()

    def take(self, step: tuple[Any, ...]) -> None:  # noqa: C901 - one line for each kind of step
        match step:
            case ("beat", name):
                self.present.add(name)
                self.clients[name].beat()
            case ("leave", name):
                self.clients[name].leave()
                self.present.discard(name)
            case ("forget", name):
                self.clients[name].epoch, self.clients[name].owned = 0, {}
            case ("subscribe", name, topics):
                self.clients[name].subscribe(*sorted(topics))
            case ("grow", topic, count):
                image = self.coordinator.image
                change(self.coordinator, with_topics(image, str(image.offset), **{topic: count}))
            case ("drop", topic):
                if topic in self.coordinator.image.topics.by_name:
                    change(self.coordinator, without_topic(self.coordinator.image, topic))
            case ("pass", duration_ms):
                self.coordinator.pass_ms(duration_ms)
                self.expire()
            case _:
                self.coordinator = self.coordinator.restarted()
                for client in self.clients.values():
                    client.coordinator = self.coordinator

    def expire(self) -> None:
        """A client that was silent for its session knows that it has lost everything."""
        group = self.coordinator.shard.groups.by_id.get("g")
        members = group.members if isinstance(group, ConsumerGroup) else {}
        for name, client in self.clients.items():
            if name not in members:
                client.epoch, client.owned = 0, {}

    def check_owners(self) -> None:
        owned = [one for client in self.clients.values() for one in client.partitions()]
        assert len(owned) == len(set(owned)), "a partition has two owners"

    def check_settled(self) -> None:
        clients = [self.clients[name] for name in sorted(self.present)]
        for client in clients:
            client.beat()
        settle(self.coordinator, *clients)
        self.check_owners()
        if not clients:
            return
        assert group_of(self.coordinator).state_name == "Stable"
        by_name = self.coordinator.image.topics.by_name
        read = {topic for client in clients for topic in client.topics if topic in by_name}
        wanted = {
            (by_name[topic].topic_id, index)
            for topic in read
            for index in by_name[topic].partitions
        }
        assert {one for client in clients for one in client.partitions()} == wanted


@settings(max_examples=150, deadline=None)
@drawn(STEPS)
def test_no_partition_has_two_owners_and_all_members_settle(steps):
    scene = Scene()
    for step in steps:
        scene.take(step)
        scene.check_owners()
    scene.check_settled()
