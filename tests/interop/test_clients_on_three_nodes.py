"""Foreign clients at work on three nodes, while leaders and coordinators go from node to node.

The scenarios are those that the same clients go through on one node. Meanwhile, every two seconds,
each partition that has a replica on the next node is led by that node, those of groups and
transactions among them.
"""

from __future__ import annotations

import inspect
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.cluster.asking import make_topic
from tests.cluster.leader_moves import moving
from tests.cluster.nodes import Nodes
from tests.interop import (
    test_clients_confluent,
    test_clients_go,
    test_clients_python,
    test_java_verifiable_clients,
    test_kafkajs,
)
from tests.judges.kafka_node import HOST
from tests.judges.kafka_tools import KafkaTools

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(600)]

PAUSE_S = 2.0
STANDING = 30
"""Partitions of a topic that is there all the time, so that each turn moves some."""
COUNT = 500
SECONDS_MAX = 60
go, librdkafka, python = test_clients_go, test_clients_confluent, test_clients_python
kafkajs, java = test_kafkajs, test_java_verifiable_clients


def kcat_reads_back_what_it_wrote(place: str, topic: str) -> None:
    program = shutil.which("kcat") or shutil.which("kafkacat")
    if program is None:
        pytest.skip("this machine has no kcat")
    numbers = [str(number) for number in range(COUNT)]

    def asked(*words: str, typed: str = "") -> list[str]:
        call = [program, "-b", place, *words]
        done = subprocess.run(
            call, input=typed, capture_output=True, text=True, timeout=SECONDS_MAX
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    asked("-P", "-t", topic, "-X", "enable.idempotence=true", typed="\n".join(numbers))
    assert asked("-C", "-t", topic, "-o", "beginning", "-c", f"{COUNT}") == numbers
    earliest = ("-X", "auto.offset.reset=earliest")
    assert asked("-G", topic, *earliest, "-c", f"{COUNT}", topic) == numbers


def javas_console_reads_back_what_it_wrote(tools: KafkaTools, topic: str) -> None:
    numbers = [str(number) for number in range(COUNT)]
    tools.run("console-producer", f"--topic {topic}", typed="\n".join(numbers))
    words = f"--topic {topic} --from-beginning --max-messages {COUNT} --group {topic}"
    read = tools.run("console-consumer", words).split()  # warnings of the tool among them
    assert [word for word in read if word.isdecimal()][:COUNT] == numbers


SCENARIOS: dict[str, Callable[..., None]] = {
    "librdkafka, idempotent": librdkafka.test_an_idempotent_producer_is_served,
    "librdkafka, transactions": librdkafka.test_aborted_transactions_are_not_read,
    "librdkafka, a group": (
        librdkafka.test_members_of_a_group_share_the_partitions_and_each_message_is_read_once
    ),
    "kcat": kcat_reads_back_what_it_wrote,
    "kafka-python": partial(
        python.test_kafka_python_reads_back_what_it_wrote_in_every_codec, codec="zstd"
    ),
    "kafka-python, a group": python.test_kafka_python_goes_on_where_its_group_has_stopped,
    "aiokafka, a group": python.test_aiokafka_reads_back_what_it_wrote_in_a_group,
    "aiokafka, transactions": python.test_aiokafka_commits_and_aborts_transactions,
    "kafkajs, idempotent": kafkajs.test_an_idempotent_producer_is_never_refused,
    "franz-go, transactions": go.test_a_copy_in_transactions_of_a_group_has_every_message_once,
    "franz-go, a share group": go.test_what_a_share_group_gives_back_comes_again,
    "sarama, transactions": go.test_sarama_reads_what_was_committed_and_not_what_was_aborted,
    "kafka-go": partial(
        go.test_messages_and_headers_come_back_in_every_codec, client="segmentio", codec="lz4"
    ),
    "Java's console": javas_console_reads_back_what_it_wrote,
    "Java, transactions": partial(
        java.test_copies_are_exact_in_transactions_that_are_aborted_and_tried_again,
        more="--use-group-metadata --group-mode --enable-random-aborts",
    ),
}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    settings = {"auto.create.topics.enable": "true"}
    with Nodes(tmp_path_factory.mktemp("three"), settings=settings) as nodes:
        make_topic(nodes.bootstrap, "standing", STANDING, len(nodes))
        yield nodes


@pytest.fixture(scope="module")
def place(nodes):
    with moving(nodes, PAUSE_S) as moves:
        yield f"{HOST}:{nodes[1].client_port}"  # some of the scenarios take one place
    assert moves.moved > len(SCENARIOS), "leaders stayed where they were"


@pytest.fixture(scope="module")
def tools(kafka_libs, place, tmp_path_factory):
    with KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), place) as served:
        yield served


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_its_scenario_ends_as_on_one_node_while_leaders_move(place, scenario, topic, request):
    function = SCENARIOS[scenario]
    known: dict[str, Any] = {"place": place, "bootstrap": place, "topic": topic}
    given = function.keywords if isinstance(function, partial) else {}
    wanted = [name for name in inspect.signature(function).parameters if name not in given]
    values = {
        name: known[name] if name in known else request.getfixturevalue(name) for name in wanted
    }
    function(**values)
