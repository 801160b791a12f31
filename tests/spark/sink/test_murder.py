"""Topic to Spark to topic under murder: each record once, by value, as librdkafka reads it.

Spark is a standalone cluster of two workers, so that an executor is a process. The driver, one of
the executors, all Python workers at once, and a broker, the only one or one of three, are killed at
points drawn from the seed: which batch, and how far a batch is by then (stages.py). So a slow
machine takes longer, and is killed in the same places.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable

import pytest

from moldau.client.sync.transactions import Transactions
from tests.cluster.nodes import Nodes
from tests.judges.java_for_spark import need_java
from tests.programs.pipelines.murdered import WORKERS, descendants, kill, kill_all
from tests.spark.cluster import Cluster
from tests.spark.sink.copier import Copier
from tests.spark.sink.reading import read_committed
from tests.spark.sink.stages import STAGES, Stages
from tests.spark.topics import Topics

PARTITIONS = 2
VICTIMS = ["driver", "executor", "workers", "broker"] * 5
RECORDS, BATCH = 200_000, 4_000
"""How many there are, and how many of them a batch takes."""
LAST_BATCH = RECORDS // BATCH - 5
"""The last one in which a process may be killed: a few are left, for who is not there yet."""
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
"""For one step, such as a driver that begins; no test passes or fails by it on a slow machine."""
LOOK_S = 0.01
PAUSE_S_MAX = 0.2


@pytest.fixture(params=[1, 3], ids=["one node", "three nodes"])
def nodes(request, tmp_path):
    settings = TWO_PHASES | (ALONE if request.param == 1 else {})
    with Nodes(tmp_path / "nodes", request.param, settings=settings) as nodes:
        yield nodes


@pytest.fixture
def cluster(tmp_path):
    need_java()
    cluster = Cluster(tmp_path, workers=2)
    yield cluster
    cluster.close()


def wait_until(is_so: Callable[[], bool], copier: Copier) -> None:
    """Until it is so, or all is copied."""
    deadline = time.monotonic() + PATIENCE_S
    while copier.is_running and not is_so():
        assert time.monotonic() < deadline, copier.last_words()
        time.sleep(LOOK_S)


def wait_for_batch(number: int, stages: Stages, copier: Copier) -> None:
    wait_until(lambda: stages.reached("planned") > number, copier)


def wait_for(stage: str, stages: Stages, copier: Copier, draw: random.Random) -> None:
    """Until a batch has come so far, once more than now, and a moment behind that."""
    before = stages.reached(stage)
    wait_until(lambda: stages.reached(stage) > before, copier)
    time.sleep(draw.uniform(0, PAUSE_S_MAX))


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


def murder_all(copier, stages, cluster, nodes, draw):
    """Who was killed, and at which stage; one that is not there yet is waited for."""
    batches = sorted(draw.sample(range(LAST_BATCH), len(VICTIMS)))
    victims = draw.sample(VICTIMS, len(VICTIMS))
    done: Counter[tuple[str, str]] = Counter()
    for batch, victim in zip(batches, victims, strict=True):
        wait_for_batch(batch, stages, copier)
        is_dead = False
        while copier.is_running and not is_dead:
            stage = draw.choice(STAGES)
            wait_for(stage, stages, copier, draw)
            is_dead = copier.is_running and murder(victim, copier, cluster, nodes, draw)
            done[victim, stage] += is_dead
    return done


@pytest.mark.judge
@pytest.mark.long
@pytest.mark.timeout(7_200)
def test_every_record_is_in_the_topic_once_whatever_is_killed(nodes, cluster, tmp_path, seed):
    draw = random.Random(seed)
    topics = Topics(nodes.bootstrap)
    source, target = topics.make(PARTITIONS, RECORDS), topics.make(PARTITIONS)
    copier = Copier(tmp_path, cluster.address, nodes.bootstrap, source, target, BATCH)
    stages = Stages(nodes.bootstrap, target, PARTITIONS, copier.checkpoint)
    copier.start()
    try:
        killed = murder_all(copier, stages, cluster, nodes, draw)
        wait_until(lambda: False, copier)
    finally:
        copier.kill()
        stages.close()

    print(f"killed: {dict(killed)}; queries that failed: {copier.failures}")
    assert copier.has_ended_well, copier.last_words()
    by_victim = Counter(victim for victim, _ in killed.elements())
    assert by_victim == Counter(VICTIMS), "each of them was there to be killed"
    found = Counter(message.value() for message in read_committed(nodes.bootstrap, target))
    assert found == Counter(f"v{number}".encode() for number in range(RECORDS))
    with Transactions(nodes.bootstrap) as transactions:
        assert transactions.open_names() == []
