"""A broker that is killed again and again loses nothing that it acknowledged, and doubles nothing.

The kill comes at any moment: in the middle of appends, rolls, commits, compactions and writes of
metadata. Afterwards everything is read again and held against what the clients received.
"""

from __future__ import annotations

import random
import time

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.crash.checker import check
from tests.crash.history import History
from tests.crash.workload import (
    PARTITIONS,
    IdempotentClient,
    ReadingClient,
    TransactionalClient,
    read_all,
)
from tests.judges.moldau_node import MoldauNode

pytestmark = [pytest.mark.judge, pytest.mark.timeout(1500)]

KILLS = 3
KILLS_LONG = 100
LIFE_S = (0.3, 1.5)
ROLLS_TIMEOUT_S = 60
TOPIC = "survivor"
CONFIG = {"internal.segment.bytes": "4096", "cleanup.policy": "compact"}
"""Segments of a few batches, so that kills meet rolls; a key for each value, so that none goes."""


@pytest.fixture
def node(tmp_path):
    made = MoldauNode(tmp_path, settings={"log.cleaner.backoff.ms": "100"})
    made.start()
    yield made
    made.kill()


def test_nothing_acknowledged_is_lost_or_doubled_when_the_broker_is_killed(node, seed, volume):
    print(f"seed {seed}")
    chance = random.Random(seed)
    admin = AdminClient({"bootstrap.servers": node.bootstrap, "log_level": 0})
    admin.create_topics([NewTopic(TOPIC, PARTITIONS, 1, config=CONFIG)])[TOPIC].result(30)
    clients = start_clients(node.bootstrap, seed)
    wait_for_rolls(node.data)
    for turn in range(volume(KILLS, KILLS_LONG)):
        admin.create_topics([NewTopic(f"passing-{turn}", 2, 1)])
        time.sleep(chance.uniform(*LIFE_S))
        node.kill()
        node.start()
    for client in clients:
        client.stop()
    for client in clients:
        client.join()
    history = History()
    for client in clients:
        client.record(history)
    history.final = read_all(node.bootstrap, TOPIC)
    assert sum(map(len, history.final.values())) > 100, "too little happened to prove anything"
    assert check(history)[:5] == [], f"seed {seed}"


def wait_for_rolls(data):
    """Return when segments have become full, as more will: kills meet rolls from then on."""
    deadline = time.monotonic() + ROLLS_TIMEOUT_S
    while len(list(data.glob(f"{TOPIC}-*/*.log"))) <= 2 * PARTITIONS:
        assert time.monotonic() < deadline, f"no segment of {CONFIG} is ever full"
        time.sleep(0.05)


def start_clients(bootstrap, seed):
    clients = [
        IdempotentClient("one", seed, bootstrap, TOPIC),
        IdempotentClient("two", seed, bootstrap, TOPIC),
        TransactionalClient("deal", seed, bootstrap, TOPIC),
        TransactionalClient("bargain", seed, bootstrap, TOPIC),
        ReadingClient("careful", seed, bootstrap, TOPIC, committed_only=True),
        ReadingClient("hasty", seed, bootstrap, TOPIC, committed_only=False),
    ]
    for client in clients:
        client.start()
    return clients
