"""Administrators' clients at work on three nodes, while everything is led by one after the other.

The scenario runs several times, each time with a topic of its own: there are many more calls than
moves, and a call that meets one has to end as if there had been none.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cluster.asking import make_topic
from tests.cluster.leader_moves import moving
from tests.cluster.nodes import Nodes
from tests.interop import test_clients_go, test_kafkajs
from tests.interop.admin_scenarios import KafkaPython, Librdkafka
from tests.judges.kafka_node import HOST

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(900)]

PAUSE_S = 1.0
STANDING = 30
"""Partitions of a topic that is there all the time, so that each turn moves some."""
MOVES_MIN = 3 * STANDING
"""Partitions that have got another leader while one client was at work."""
ROUNDS_MAX = 200
THREE = {"brokers": 3}
SARAMA = {"partitions": 6, "brokers": 3, "controlled": True, "gone": True}
KAFKA_GO = {"listed": 2, "gone": True}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with Nodes(tmp_path_factory.mktemp("three")) as nodes:
        make_topic(nodes.bootstrap, "standing", STANDING, len(nodes))
        yield nodes


@pytest.fixture
def place(nodes):
    return f"{HOST}:{nodes[1].client_port}"


@pytest.fixture
def repeated(nodes, topic):
    """Runs a scenario again and again, until enough has moved."""

    def run(scenario: Callable[[str], None]) -> None:
        with moving(nodes, PAUSE_S) as moves:
            for number in range(ROUNDS_MAX):
                scenario(f"{topic}-{number}")
                if moves.moved >= MOVES_MIN:
                    return
        raise AssertionError("leaders stayed where they were")

    return run


def test_the_admin_of_kafkajs_is_served(repeated, kafkajs, place):
    def scenario(one):
        outcome = test_kafkajs.outcome_of(kafkajs, place, "admin", one)
        assert outcome == test_kafkajs.ADMINISTERED | THREE

    repeated(scenario)


def test_the_admin_of_librdkafka_is_served(repeated, place):
    repeated(lambda topic: Librdkafka(place, topic).run())


def test_the_admin_of_kafka_python_is_served(repeated, place):
    repeated(lambda topic: KafkaPython(place, topic).run())


@pytest.mark.parametrize(
    ("client", "ends"),
    [("franz", test_clients_go.ADMINISTERED | THREE), ("sarama", SARAMA), ("segmentio", KAFKA_GO)],
)
def test_the_admins_for_go_are_served(repeated, go_program, place, client, ends):
    def scenario(one):
        assert test_clients_go.outcome_of(go_program, place, client, "admin", one) == ends

    repeated(scenario)
