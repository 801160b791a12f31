"""The short form of test_murder: in the session that all tests share, on a node of its own.

In every round there are new records, and one victim: all Python workers that Spark has forked, the
query, or the broker. It dies when the round's batch has come to a stage that is drawn from the
seed. Then the query is started until it has copied all, and its last note of a commit is taken
away, which is what a driver leaves that dies after the sink's commit and before its own note: the
next round begins with a batch that comes again, and may be killed in that.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from typing import Any

import pytest

from moldau.client.sync.transactions import Transactions
from tests.judges.moldau_node import MoldauNode
from tests.programs.pipelines.murdered import WORKERS, descendants, kill_all
from tests.programs.pipelines.running import forget_last_commit
from tests.spark.sink.conftest import TWO_PHASES
from tests.spark.sink.reading import read_committed
from tests.spark.sink.stages import STAGES, Stages
from tests.spark.topics import Topics

PARTITIONS = 2
VICTIMS = ("workers", "query", "broker")
ROUND = 1_000
"""Records of each round; they are one batch."""
LIVES_MAX = 20
"""Of the query in one round: one death leads to one more, or two."""
LOOK_S = 0.01


@pytest.fixture
def node(tmp_path):
    node = MoldauNode(tmp_path, settings=TWO_PHASES)
    node.start()
    yield node
    node.kill()


class Copying:
    """A query from topic to topic; each start copies all that is there."""

    def __init__(self, spark, bootstrap, source, target, checkpoint):
        where = {"kafka.bootstrap.servers": bootstrap, "kafka.default.api.timeout.ms": "20000"}
        reading = {"subscribe": source, "startingOffsets": "earliest"}
        rows = spark.readStream.format("moldau").options(**where, **reading).load()
        writer = rows.select("key", "value").writeStream.format("moldau")
        options = {"topic": target, "checkpointLocation": str(checkpoint)}
        self._writer = writer.options(**where, **options).trigger(availableNow=True)
        self.query: Any = None

    def start(self):
        self.query = self._writer.start()

    def has_ended_well(self):
        """Whether it came to its end; a query that was stopped did not."""
        from pyspark.errors import PySparkException

        try:
            self.query.awaitTermination()
        except PySparkException:
            return False
        return True

    def finish(self):
        for _ in range(LIVES_MAX):
            self.start()
            if self.has_ended_well():
                return
        raise AssertionError(f"it failed {LIVES_MAX} times: {self.query.exception()}")


def await_stage(stage, stages, copying):
    """Until the stage is reached once more, or the query has ended: then that is where it dies."""
    before = stages.reached(stage)
    copying.start()
    while copying.query.isActive and stages.reached(stage) == before:
        time.sleep(LOOK_S)


def forked_workers():
    """Without the daemons that fork them: other tests of the session go on using those.

    A daemon leads the group that its workers are in. Daemons are forked, too, from a process that
    has their name among its arguments.
    """
    family = {one: group_of(one) for one in descendants(os.getpid(), WORKERS)}
    return sorted(one for one, group in family.items() if group != one and group in family)


def group_of(process_id):
    """None when it has ended meanwhile."""
    try:
        return os.getpgid(process_id)
    except ProcessLookupError:
        return None


def murder(victim, copying, node):
    match victim:
        case "workers":
            assert kill_all(forked_workers()) > 0
        case "query":
            copying.query.stop()
        case _:
            node.kill()
            node.start()


@pytest.mark.judge
@pytest.mark.timeout(600)
def test_every_record_is_in_the_topic_once_though_one_of_each_was_killed(
    spark, node, tmp_path, seed
):
    draw = random.Random(seed)
    topics = Topics(node.bootstrap)
    source, target = topics.make(PARTITIONS), topics.make(PARTITIONS)
    checkpoint = tmp_path / "checkpoint" / "query"
    copying = Copying(spark, node.bootstrap, source, target, checkpoint)
    stages = Stages(node.bootstrap, target, PARTITIONS, checkpoint)
    killed = [(victim, draw.choice(STAGES)) for victim in draw.sample(VICTIMS, len(VICTIMS))]
    print(f"killed: {killed}")
    for number, (victim, stage) in enumerate(killed):
        topics.write(source, range(number * ROUND, (number + 1) * ROUND), PARTITIONS)
        await_stage(stage, stages, copying)
        murder(victim, copying, node)
        copying.has_ended_well()
        copying.finish()
        forget_last_commit(tmp_path)
    stages.close()
    copying.finish()

    committed = read_committed(node.bootstrap, target)
    found: Counter[bytes | None] = Counter(message.value() for message in committed)
    expected: Counter[bytes | None] = Counter(
        f"v{number}".encode() for number in range(len(VICTIMS) * ROUND)
    )
    assert found - expected == Counter(), "none twice"
    assert expected - found == Counter(), "none is missing"
    with Transactions(node.bootstrap) as transactions:
        assert transactions.open_names() == []
