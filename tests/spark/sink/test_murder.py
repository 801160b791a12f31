"""Topic to Spark to topic under murder: each record once, by value, as librdkafka reads it.

Spark is a standalone cluster of two workers, so that an executor is a process. The driver, one of
the executors, all Python workers at once, and a broker, the only one or one of three, are killed at
moments drawn from the seed, between batches and in the middle of them.
"""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

from moldau.client.sync.transactions import Transactions
from tests.cluster.nodes import Nodes
from tests.judges.java_for_spark import need_java
from tests.programs.pipelines.murdered import WORKERS, descendants, kill, kill_all
from tests.spark.cluster import Cluster
from tests.spark.sink.copier import Copier
from tests.spark.sink.reading import read_committed
from tests.spark.topics import Topics

PARTITIONS = 2
VICTIMS = ["driver"] * 5 + ["executor"] * 5 + ["workers"] * 5 + ["broker"] * 5
RECORDS, BATCH = 200_000, 2_500
"""How many there are, and how many of them a batch takes."""
EXECUTOR = "CoarseGrainedExecutorBackend"
TWO_PHASES = {"transaction.two.phase.commit.enable": "true"}
ALONE = {
    "default.replication.factor": "1",
    "min.insync.replicas": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
}
PATIENCE_S = 1_200
PAUSE_S_MAX = 1.5


@pytest.fixture(params=[1, 3], ids=["one node", "three nodes"])
def nodes(request, tmp_path):
    settings = TWO_PHASES | (ALONE if request.param == 1 else {})
    with Nodes(tmp_path / "nodes", request.param, settings=settings) as nodes:
        yield nodes


def wait_for_work(copier, draw):
    """Until another batch is done, and a moment that cannot be foreseen."""
    before, deadline = copier.batches, time.monotonic() + PATIENCE_S
    while copier.batches == before and copier.is_running:
        assert time.monotonic() < deadline, copier.last_words()
        time.sleep(0.05)
    time.sleep(draw.uniform(0, PAUSE_S_MAX))


@pytest.fixture
def cluster(tmp_path):
    need_java()
    cluster = Cluster(tmp_path, workers=2)
    yield cluster
    cluster.close()


def heirs(cluster, *named):
    """Of the processes of a cluster: the executors, or their Python workers."""
    return [heir for parent in cluster.process_ids for heir in descendants(parent, named)]


def murder(victim, copier, cluster, nodes, draw):
    """Whether there was one to kill: a driver that begins has neither executors nor workers yet."""
    match victim:
        case "driver":
            copier.kill()
            copier.start()
        case "executor":
            executors = heirs(cluster, EXECUTOR)
            return bool(executors) and kill(draw.choice(executors))
        case "workers":
            return kill_all([*copier.workers, *heirs(cluster, *WORKERS)]) > 0
        case _:
            node = draw.choice(list(nodes))
            node.kill()
            node.start()
    return True


def has_died(victim, copier, cluster, nodes, draw):
    """Whether it was killed before all was copied; who is not there yet is waited for."""
    while copier.is_running:
        if murder(victim, copier, cluster, nodes, draw):
            return True
        wait_for_work(copier, draw)
    return False


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(7_200)
def test_every_record_is_in_the_topic_once_whatever_is_killed(nodes, cluster, tmp_path, seed):
    draw = random.Random(seed)
    topics = Topics(nodes.bootstrap)
    source, target = topics.make(PARTITIONS, RECORDS), topics.make(PARTITIONS)
    copier = Copier(tmp_path, cluster.address, nodes.bootstrap, source, target, BATCH)
    copier.start()
    killed: Counter[str] = Counter()
    try:
        for victim in draw.sample(VICTIMS, len(VICTIMS)):
            wait_for_work(copier, draw)
            killed[victim] += has_died(victim, copier, cluster, nodes, draw)
        deadline = time.monotonic() + PATIENCE_S
        while copier.is_running:
            assert time.monotonic() < deadline, copier.last_words()
            time.sleep(0.1)
    finally:
        copier.kill()

    assert copier.has_ended_well, copier.last_words()
    assert killed == Counter(VICTIMS), "each of them was there to be killed"
    found = Counter(message.value() for message in read_committed(nodes.bootstrap, target))
    assert found == Counter(f"v{number}".encode() for number in range(RECORDS))
    with Transactions(nodes.bootstrap) as transactions:
        assert transactions.open_names() == []
