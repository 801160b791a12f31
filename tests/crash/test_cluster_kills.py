"""Three nodes whose processes fail at any moment, under clients of three makes at once.

Our own clients, librdkafka's and Java's write, commit transactions and read in groups, while nodes
are killed, stand still, leave in order and come back; sometimes two at once, so that there is no
quorum. On hosts of a network of their own, nodes are cut off from each other and from clients, too.
Afterwards every acknowledged record is there once and in the order of its producer,
transactions are whole, every group has read everything, and the three copies of each partition are
the same bytes.

A long run writes 150,000 records. It prints what happened, which is what it proves.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.cluster.asking import make_topic, until
from tests.cluster.nodes import Nodes
from tests.cluster.nodes_on_hosts import ALL_WAYS, NodesOnHosts, nodes_on_hosts
from tests.cluster.test_mixed_clusters import in_sync
from tests.crash.checker import check
from tests.crash.cluster_workload import JavaMember, JavaProducer, OwnMember, OwnProducer
from tests.crash.history import History, Outcome
from tests.crash.workload import (
    PARTITIONS,
    Client,
    IdempotentClient,
    ReadingClient,
    TransactionalClient,
    read_all,
)
from tests.judges.kafka_tools import KafkaTools

pytestmark = [pytest.mark.judge, pytest.mark.timeout(1_800)]

TOPIC = "survivor"
SETTINGS = {
    "log.segment.bytes": str(1 << 20),
    "broker.session.timeout.ms": "3000",
    "broker.heartbeat.interval.ms": "500",
    "replica.lag.time.max.ms": "3000",
}
"""Segments that become full, and a node that stands still is noticed within a turn."""
FAULTS = ("kill", "kill", "pause", "stop", "kill two", "pause two")
CUTS = ("cut", "cut", "cut two")
HOLD_S = (0.3, 4.0)
REST_S = (0.0, 1.5)
WAITS_FOR_ALL = 0.7
"""How often a turn waits until all copies are in sync; otherwise the next one meets them behind."""
TURNS, TURNS_LONG = 1, 20
ACKNOWLEDGED, ACKNOWLEDGED_LONG = 3_000, 150_000


Cluster = Nodes | NodesOnHosts


def test_nothing_is_lost_doubled_or_torn_when_nodes_fail_under_three_makes_of_clients(
    kafka_libs, tmp_path, seed, volume
):
    with Nodes(tmp_path, settings=SETTINGS) as nodes:
        live_through(nodes, FAULTS, kafka_libs, tmp_path, seed, volume)


@pytest.mark.long
def test_nothing_is_lost_doubled_or_torn_when_links_fail_as_well_as_nodes(
    kafka_libs, tmp_path, seed, volume
):
    with nodes_on_hosts(tmp_path, SETTINGS) as nodes:
        live_through(nodes, (*FAULTS, *CUTS), kafka_libs, tmp_path, seed, volume)


def live_through(
    nodes: Cluster,
    kinds: Sequence[str],
    libs: Path,
    folder: Path,
    seed: int,
    volume: Callable[[int, int], int],
) -> None:
    make_topic(nodes.bootstrap, TOPIC, PARTITIONS, len(nodes))
    home = folder / "tools"
    home.mkdir()
    chance = random.Random(seed)
    turns, wanted = volume(TURNS, TURNS_LONG), volume(ACKNOWLEDGED, ACKNOWLEDGED_LONG)
    faults: Counter[str] = Counter()
    with (
        KafkaTools(libs, home, nodes.bootstrap) as tools,
        at_work(nodes.bootstrap, tools, folder, seed, volume) as (clients, members),
    ):
        for client in clients:
            until(client.has_begun)
        while faults.total() < turns or sum(one.acknowledged for one in clients) < wanted:
            faults[fail_once(nodes, kinds, chance)] += 1
        until(in_sync(nodes.bootstrap, TOPIC, 3))
        for client in clients:
            client.stop()
        for client in clients:
            client.join()
        history = written_down(clients)
        history.final = read_all(nodes.bootstrap, TOPIC)
        there = {value for records in history.final.values() for _, value in records}
        for member in members:
            until(partial(has_read, member, there))
    for member in members:
        member.record(history)
    print(f"seed {seed}: {dict(faults)}, {summary(history)}")
    assert sum(one.outcome is Outcome.OK for one in history.sends) >= wanted
    assert check(history)[:5] == [], f"seed {seed}"
    until(lambda: len(set(copies(nodes))) == 1)


@contextmanager
def at_work(
    bootstrap: str, tools: KafkaTools, folder: Path, seed: int, volume: Callable[[int, int], int]
) -> Iterator[tuple[list[Client], list[OwnMember | JavaMember]]]:
    """Those that write or follow, and members of groups, who read until this ends."""
    given = seed, bootstrap, TOPIC
    protocols = ("consumer", "classic")[: volume(0, 2)]
    java = [JavaMember(protocol, tools, TOPIC) for protocol in protocols]
    members: list[OwnMember | JavaMember] = [OwnMember("ours", *given), *java]
    transactional = ("deal", "bargain")[: volume(1, 2)]
    clients: list[Client] = [
        OwnProducer("own", *given),
        IdempotentClient("one", *given),
        *(TransactionalClient(name, *given) for name in transactional),
        ReadingClient("careful", *given, committed_only=True),
        ReadingClient("hasty", *given, committed_only=False),
        JavaProducer(1, tools, TOPIC, folder),
    ]
    with ExitStack() as ending:
        for one in (*members, *clients):
            ending.callback(one.kill)
            one.start()
        yield clients, members
        for member in members:
            member.stop()
        for member in members:
            member.join()


def fail_once(nodes: Cluster, kinds: Sequence[str], chance: random.Random) -> str:
    """One node or two fail for a while, or cannot be reached; how."""
    fault = chance.choice(kinds)
    verb, _, two = fault.partition(" ")
    victims = chance.sample(range(1, len(nodes) + 1), 2 if two else 1)
    hold_s = chance.uniform(*HOLD_S)
    if verb == "cut":
        assert isinstance(nodes, NodesOnHosts)
        cut_off(nodes, victims, chance, hold_s)
    else:
        fail(nodes, verb, victims, hold_s)
    if chance.random() < WAITS_FOR_ALL:
        until(in_sync(nodes.bootstrap, TOPIC, 3))
    time.sleep(chance.uniform(*REST_S))
    return fault


def fail(nodes: Cluster, verb: str, victims: Sequence[int], hold_s: float) -> None:
    chosen = [nodes[node_id] for node_id in victims]
    for node in chosen:
        getattr(node, verb)()
    time.sleep(hold_s)
    for node in chosen:
        if verb == "pause":
            node.resume()
        else:
            node.begin()
    for node in chosen:
        if verb != "pause":
            node.wait_ready()


def cut_off(
    nodes: NodesOnHosts, victims: Sequence[int], chance: random.Random, hold_s: float
) -> None:
    for node_id in victims:
        nodes.cut(chance.choice(ALL_WAYS)(node_id))
    time.sleep(hold_s)
    nodes.heal()


def has_read(member: OwnMember | JavaMember, values: set[str]) -> bool:
    return values <= member.reads.values()


def written_down(clients: list[Client]) -> History:
    history = History()
    for client in clients:
        client.record(history)
    return history


def summary(history: History) -> str:
    """Sends by client and outcome, transactions by outcome, records that were polled."""
    sends = Counter(f"{one.producer} {one.outcome.value}" for one in history.sends)
    transactions = Counter(one.outcome.value for one in history.transactions)
    polled = Counter({poll.consumer: 0 for poll in history.polls})
    for poll in history.polls:
        polled[poll.consumer] += len(poll.records)
    return f"sends {dict(sends)}, transactions {dict(transactions)}, polled {dict(polled)}"


def copies(nodes: Cluster) -> list[tuple[bytes, ...]]:
    """Of each node, the records of all partitions, as they lie on its disk."""
    return [
        tuple(
            b"".join(file.read_bytes() for file in sorted(node.data.glob(f"{TOPIC}-{part}/*.log")))
            for part in range(PARTITIONS)
        )
        for node in nodes
    ]
