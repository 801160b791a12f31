"""What tests ask of a cluster by librdkafka, and how they wait for what its nodes come to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sized
from typing import Any

from confluent_kafka.admin import AdminClient, NewTopic

TIMEOUT_S = 60
POLL_S = 0.05


def until(condition: Callable[[], Any]) -> Any:
    """What the condition gives as soon as that is true; nodes learn one after the other."""
    deadline = time.monotonic() + TIMEOUT_S
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(POLL_S)
    return found


def wait_for_more(load: object, done: Sized, count: int, within_s: float = TIMEOUT_S) -> None:
    """Return when so many more are done; what the load is at is shown where they are not."""
    wanted = len(done) + count
    deadline = time.monotonic() + within_s
    while len(done) < wanted:
        assert time.monotonic() < deadline, f"{load} does not go on"
        time.sleep(POLL_S)


def admin(bootstrap: str) -> AdminClient:
    return AdminClient({"bootstrap.servers": bootstrap})


def make_topic(bootstrap: str, name: str, partitions: int, replicas: int) -> None:
    asking = admin(bootstrap)
    asking.create_topics([NewTopic(name, partitions, replicas)])[name].result(TIMEOUT_S)


def leaders(bootstrap: str, topic: str) -> list[int]:
    found = admin(bootstrap).list_topics(topic, timeout=TIMEOUT_S).topics[topic].partitions
    return [part.leader for part in found.values()]
