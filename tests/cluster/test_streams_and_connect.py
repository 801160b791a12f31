"""Kafka Streams and Kafka Connect at work on three nodes, of which one is killed and comes back.

They are the programs that one node is tried with. The node that is killed leads what they read, so
that they find another leader, another coordinator of their group, and another one of their
transactions, unless those were elsewhere before.
"""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from tests.cluster.asking import leaders, until
from tests.cluster.nodes import Nodes
from tests.interop.test_kafka_connect import EARLY, LATE, Carrying
from tests.interop.test_kafka_streams import (
    EXACTLY_ONCE,
    FIRST,
    NEXT,
    STREAMS_PROTOCOL,
    made_counting,
)
from tests.judges.kafka_jars import MissingJudge, find_connect_libs, find_streams_libs
from tests.judges.kafka_tools import KafkaTools

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture
def nodes(tmp_path):
    with Nodes(tmp_path / "nodes") as started:
        yield started


@pytest.fixture
def tools(kafka_libs, nodes, tmp_path):
    folder = tmp_path / "tools"
    folder.mkdir()
    with KafkaTools(kafka_libs, folder, nodes.bootstrap) as running:
        yield running


@pytest.fixture
def topic():
    return f"topic-{uuid.uuid4().hex[:8]}"


def libs_of(find) -> Path:
    try:
        found: Path = find()
    except MissingJudge as missing:
        pytest.skip(str(missing))
    return found


def kill_leader(nodes: Nodes, topic: str) -> int:
    """The node that leads partition 0 is killed, and another leads it when this returns."""
    victim = leaders(nodes.bootstrap, topic)[0]
    nodes[victim].kill()
    until(lambda: leaders(nodes.bootstrap, topic)[0] not in (victim, -1))
    return victim


@pytest.mark.parametrize("more", [EXACTLY_ONCE, STREAMS_PROTOCOL])
def test_every_word_is_counted_once_although_the_leader_is_killed(
    nodes, tools, topic, tmp_path, kafka_libs, more
):
    libs = [kafka_libs, libs_of(find_streams_libs)]
    counting = made_counting(tools, topic, libs, tmp_path, {**EXACTLY_ONCE, **more})
    with counting.run():
        counting.say("every word is counted", "every word once")
        assert counting.counts(len(FIRST)) == FIRST
        victim = kill_leader(nodes, f"{topic}-lines")
        counting.say("and on")
        nodes[victim].start()
        counting.say("once more every word")
        assert counting.counts(len(FIRST) + len(NEXT)) == sorted([*FIRST, *NEXT])


def test_every_line_is_carried_although_the_leader_is_killed(nodes, tools, topic, tmp_path):
    """Into the topic once, for the source writes in transactions; the sink may write some again."""
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    libs, lines = libs_of(find_connect_libs), EARLY + LATE
    carrying = Carrying(tmp_path, libs, nodes.bootstrap, topic, replicas=3)
    with carrying.distributed(f"{topic}-workers"):
        carrying.add(EARLY)
        assert carrying.carried(len(EARLY)) == EARLY
        victim = kill_leader(nodes, topic)
        carrying.add(LATE)
        until(lambda: list(dict.fromkeys(carrying.carried(len(lines)))) == lines)
        nodes[victim].start()
    words = f"--topic {topic} --from-beginning --isolation-level read_committed"
    read = tools.run("console-consumer", f"{words} --max-messages {len(lines)} --timeout-ms 9000")
    assert [line for line in read.splitlines() if line in set(lines)] == lines
