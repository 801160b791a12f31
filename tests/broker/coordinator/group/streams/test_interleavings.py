"""Members in any order: no task is active twice, none twice in a process, and all settle."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.broker.coordinator.group.coordinator import Coordinator
from tests.broker.coordinator.group.streams.conversation import (
    Client,
    group_of,
    part,
    settle,
    stage,
    topology,
)

NAMES = {"a": "p", "b": "p", "c": "q", "d": "r"}
"""Members and their processes."""
TOPOLOGY = topology(part("0", "t"), part("1", "u", changelogs=("log",)))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("beat"), st.sampled_from(sorted(NAMES))),
        st.tuples(st.just("leave"), st.sampled_from(sorted(NAMES))),
        st.tuples(st.just("forget"), st.sampled_from(sorted(NAMES))),
        st.tuples(st.just("pass"), st.sampled_from((500, 3_000, 50_000))),
        st.tuples(st.just("restart")),
    ),
    max_size=30,
)


class Scene:
    """Four threads in three processes, and a coordinator that may fail over."""

    def __init__(self, standby_count: int) -> None:
        self.coordinator: Coordinator = stage(t=3, u=4, log=4)
        self.coordinator.settings.group_streams_num_standby_replicas = standby_count
        self.clients = {
            name: Client(self.coordinator, name, process, TOPOLOGY)
            for name, process in NAMES.items()
        }

    def take(self, step: tuple[Any, ...]) -> None:
        match step:
            case ("beat", name):
                self.clients[name].beat()
            case ("leave", name):
                self.clients[name].leave()
            case ("forget", name):
                client = self.clients[name]
                client.epoch, client.active, client.standby = 0, {}, {}
            case ("pass", duration_ms):
                self.coordinator.pass_ms(duration_ms)
                self.expire()
            case _:
                self.coordinator = self.coordinator.restarted()
                for client in self.clients.values():
                    client.coordinator = self.coordinator

    def expire(self) -> None:
        present = (
            group_of(self.coordinator).members if "g" in self.coordinator.shard.groups.by_id else {}
        )
        for name, client in self.clients.items():
            if name not in present:
                client.epoch, client.active, client.standby = 0, {}, {}

    def check(self) -> None:
        active = [task for client in self.clients.values() for task in client.tasks()]
        assert len(active) == len(set(active)), "a task is active twice"
        for process in set(NAMES.values()):
            tasks = [
                (one, index)
                for client in self.clients.values()
                if client.process == process
                for role in (client.active, client.standby)
                for one, indexes in role.items()
                for index in indexes
            ]
            assert len(tasks) == len(set(tasks)), "a task is twice in a process"


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2), STEPS)
def test_no_task_is_in_two_places_and_all_members_settle(standby_count, steps):
    scene = Scene(standby_count)
    for step in steps:
        scene.take(step)
        scene.check()
    settle(scene.coordinator, *scene.clients.values())
    scene.check()
    assert group_of(scene.coordinator).state_name == "Stable"
    active = {task for client in scene.clients.values() for task in client.tasks()}
    assert active == {("0", one) for one in range(3)} | {("1", one) for one in range(4)}
