"""A node follows when another node leads, and not before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.node import fetchers as module
from moldau.broker.node.following import Following


class Fetchers:
    """Keeps its calls."""

    def __init__(self):
        self.calls = []

    def follow(self, partition):
        self.calls.append(("follow", partition.name))

    def unfollow(self, partition):
        self.calls.append(("unfollow", partition.name))

    def take_settings(self):
        self.calls.append("settings")

    async def stop(self):
        self.calls.append("stop")


class Replicas:
    """Has these partitions, none of them led here."""

    def __init__(self, partitions):
        self._partitions = partitions

    def follow_with(self, follow, unfollow):
        self.follow, self.unfollow = follow, unfollow
        for one in self._partitions:
            follow(one)


def begun(monkeypatch, *partitions):
    made = []

    def make(broker, world, upkeep):
        made.append(Fetchers())
        return made[-1]

    monkeypatch.setattr(module, "replica_fetchers", make)
    broker: Any = SimpleNamespace(replicas=Replicas(partitions))
    nothing: Any = None
    following = Following(broker, nothing, nothing)
    following.begin()
    return following, made


def partition(leader):
    return SimpleNamespace(name="t-0", leader=leader)


def test_fetchers_are_made_with_the_first_partition_that_is_led_elsewhere(monkeypatch):
    _, made = begun(monkeypatch, partition(2), partition(3))
    assert [fetchers.calls for fetchers in made] == [[("follow", "t-0")] * 2]


def test_who_has_no_leader_needs_no_fetchers(monkeypatch):
    following, made = begun(monkeypatch, partition(-1))
    following.take_settings()
    assert (made, following.fetchers) == ([], None)


def test_after_the_end_nothing_is_followed(monkeypatch):
    following, (fetchers,) = begun(monkeypatch, partition(2))
    with pytest.raises(StopIteration):
        following.stop().send(None)
    following._broker.replicas.unfollow(partition(2))
    assert fetchers.calls == [("follow", "t-0"), "stop"]
