"""Three nodes a side, each broker and controller: replication, and what follows when one is gone.

All topics have three replicas unless a case says otherwise, and `min.insync.replicas` is 2. A GB is
of records' values, as the client sends them: it is written three times. Processor time and memory
are those of all three nodes.
"""

from __future__ import annotations

import time

from bench.failover import TOPIC as GAPS
from bench.failover import Load
from bench.versus import goals
from bench.versus.asking import Connection
from bench.versus.cases.partitions import raise_handle_limit, topic_sizes
from bench.versus.cases.produce import GB, PARTITIONS, Produce, ProduceByLibrdkafka
from bench.versus.clusters import REPLICAS, Cluster
from bench.versus.generators.running import generate
from bench.versus.model import Case, Goal, Run, Sample, Turn
from bench.versus.sides import Side

MEGABYTES = 1_000
IDLE_S = 10.0
QUIET_S = 2.0
CALM_S, WATCHED_S = 3.0, 12.0
GAP_PARTITIONS = 6
MANY = 10_000
SOON_S = 0.01
VICTIM, WITNESS = 3, 1


def idle(side: Side, turn: Turn) -> Sample:
    """With the partitions of one topic, of which nothing happens."""
    side.create_topic(turn.topic, PARTITIONS)
    time.sleep(QUIET_S)
    with side.metered() as spent:
        time.sleep(IDLE_S)
    return {
        "cpu_percent": spent.cpu_s / spent.seconds * 100,
        "memory_mb": side.memory_mb(),
    }


def start(side: Side, turn: Turn) -> Sample:
    """Until each of the three names all of them."""
    return {"start_s": side.start(), "cpu_s": side.cpu_s()}


def killed(side: Side, turn: Turn) -> Sample:
    """The longest silence around a SIGKILL: of partitions that the node led, and of the others."""
    cluster = _cluster(side)
    cluster.start()
    cluster.create_topic(GAPS, GAP_PARTITIONS)
    with Connection(cluster.port) as connection:
        led = [one.leader_id == VICTIM for one in connection.partitions(GAPS)]
    load = Load(cluster.bootstrap)
    with load.going_on():
        time.sleep(CALM_S)
        began_s = time.monotonic()
        cluster.node(VICTIM).kill()
        time.sleep(WATCHED_S)
        ended_s = time.monotonic()
    mine = [index for index, is_led in enumerate(led) if is_led]
    others = [index for index, is_led in enumerate(led) if not is_led]
    return {
        "gap_ms": load.gap(mine, began_s, ended_s).ms,
        "others_gap_ms": load.gap(others, began_s, ended_s).ms,
    }


def catching_up(side: Side, turn: Turn) -> Sample:
    """A node is stopped, 1 GB written, and the node started: until all of it is in sync."""
    cluster = _cluster(side)
    cluster.create_placed(turn.topic, [(WITNESS, 2, VICTIM)] * PARTITIONS)
    cluster.node(VICTIM).stop()
    gigabytes = _filled(cluster, turn, PARTITIONS)
    before_s, began_s = cluster.cpu_s(), time.monotonic()
    cluster.node(VICTIM).start()
    with Connection(cluster.node(WITNESS).port) as connection:
        connection.await_in_sync(turn.topic, PARTITIONS, REPLICAS)
    seconds = time.monotonic() - began_s
    spent_s = cluster.cpu_s() - before_s
    return {
        "seconds": seconds,
        "mb_per_s": gigabytes * 1e3 / seconds,
        "cpu_s_per_gb": spent_s / gigabytes,
    }


def reassigned(side: Side, turn: Turn) -> Sample:
    """1 GB with two replicas: one of them moves to the third node."""
    cluster = _cluster(side)
    cluster.create_placed(turn.topic, [(WITNESS, 2)] * PARTITIONS)
    gigabytes = _filled(cluster, turn, PARTITIONS)
    with Connection(cluster.port) as connection, cluster.metered() as spent:
        connection.move(turn.topic, PARTITIONS, (WITNESS, VICTIM))
    return {
        "seconds": spent.seconds,
        "mb_per_s": gigabytes * 1e3 / spent.seconds,
        "cpu_s_per_gb": spent.cpu_s / gigabytes,
    }


def many_killed(side: Side, turn: Turn) -> Sample:
    """A third of very many partitions lose their leader: until all have another."""
    cluster, topics = _cluster(side), topic_sizes(turn.topic, turn.scaled(MANY))
    raise_handle_limit(sum(topics.values()))
    cluster.start()
    for name, count in topics.items():
        cluster.create_topic(name, count)
    memory_mb, before_s = cluster.memory_mb(), cluster.node(WITNESS).cpu_s()
    began_s = time.monotonic()
    cluster.node(VICTIM).kill()
    with Connection(cluster.node(WITNESS).port) as connection:
        for name in topics:
            while any(one.leader_id in (VICTIM, -1) for one in connection.partitions(name)):
                time.sleep(SOON_S)
    seconds = time.monotonic() - began_s
    spent_s = cluster.node(WITNESS).cpu_s() - before_s
    return {"seconds": seconds, "memory_mb": memory_mb, "cpu_s": spent_s}


def _cluster(side: Side) -> Cluster:
    assert isinstance(side, Cluster)
    return side


def _filled(cluster: Cluster, turn: Turn, partitions: int) -> float:
    """The gigabytes that were written, and all that are in sync have."""
    words = ("--partitions", partitions, "--megabytes", turn.scaled(MEGABYTES), "--acks", -1)
    written = generate("bulk", cluster.port, turn.topic, *words)
    return float(written["bytes"]) / GB


def case(name: str, says: str, run: Run, *bounds: Goal, fresh: bool = False) -> Case:
    return Case(
        f"three-{name}",
        says,
        run,
        bounds,
        fresh=fresh,
        nodes=REPLICAS,
        warm_turns=0 if fresh else 1,
        budget_s=120.0,
    )


REPLICATION = (
    goals.REPLICATED_CPU,
    goals.REPLICATED_THROUGHPUT,
    goals.REPLICATED_P99,
    goals.REPLICATED_MEMORY,
)
CASES = (
    case("produce", "64 KiB, 3 replicas, acks all", Produce(acks="all"), *REPLICATION),
    case(
        "produce-idempotent",
        "64 KiB, 3 replicas, acks all, idempotent, by librdkafka",
        ProduceByLibrdkafka(acks="all", idempotent=True),
        *REPLICATION,
    ),
    case("idle", "three nodes at rest", idle, goals.IDLE_CLUSTER_CPU, goals.REPLICATED_MEMORY),
    case("start", "three formatted nodes start", start, goals.CLUSTER_START, fresh=True),
    case("killed", "the leader is killed", killed, goals.FAILOVER_GAP, fresh=True),
    case("catch-up", "a node fetches 1 GB that it missed", catching_up, goals.CATCHING_UP),
    case("reassign", "1 GB moves to another node", reassigned, goals.REASSIGNMENT),
    case(
        "many-killed",
        "a node of 10,000 partitions is killed",
        many_killed,
        goals.MANY_FAILOVER,
        fresh=True,
    ),
)
