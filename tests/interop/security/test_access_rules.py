"""Rules of access as Kafka's own tool writes them, felt by clients that are not ours."""

from __future__ import annotations

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from tests.judges.kafka_tools import KafkaTools
from tests.judges.logins import (
    ADMIN,
    ALICE,
    ALICE_PASSWORD,
    client_settings,
    java_settings,
    node_settings,
    written,
)
from tests.judges.moldau_node import MoldauNode

TOPIC = "letters"
WAIT_S = 30
SETTINGS = node_settings(
    authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    super_users=f"User:{ADMIN}",
)


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("node"), settings=SETTINGS)
    node.start()
    try:
        admin = AdminClient({"bootstrap.servers": node.bootstrap, **client_settings()})
        admin.create_topics([NewTopic(TOPIC, 1, 1)])[TOPIC].result(WAIT_S)
        yield node
        assert node.stop() == 0
        assert "A bug met" not in node.last_words()
    finally:
        node.kill()


def as_alice(node):
    login = client_settings("PLAIN", ALICE, ALICE_PASSWORD)
    return {"bootstrap.servers": node.bootstrap, **login}


def write(node):
    """Nothing, or the code of the error."""
    found = []
    producer = Producer({**as_alice(node), "message.timeout.ms": 10_000})
    producer.produce(TOPIC, b"hello", callback=lambda error, _: found.append(error))
    producer.flush(WAIT_S)
    return found[0] and found[0].code()


def read(node):
    consumer = Consumer({**as_alice(node), "group.id": "readers", "auto.offset.reset": "earliest"})
    consumer.subscribe([TOPIC])
    try:
        message = consumer.poll(WAIT_S)
        assert message is not None
        error = message.error()
        return None if error is None else error.code()
    except KafkaException as error:
        return error.args[0].code()
    finally:
        consumer.close()


def test_rules_of_the_tool_open_and_close_what_they_say(node, kafka_libs, tmp_path):
    admin = written(tmp_path / "admin.properties", java_settings())
    denied = KafkaError.TOPIC_AUTHORIZATION_FAILED
    with KafkaTools(kafka_libs, tmp_path, node.bootstrap) as tools:

        def rules(words):
            return tools.run("acls", f"{words} --command-config {admin}")

        assert write(node) == denied
        rules(f"--add --allow-principal User:{ALICE} --producer --topic {TOPIC}")
        assert write(node) is None
        assert read(node) in (denied, KafkaError.GROUP_AUTHORIZATION_FAILED)
        rules(
            f"--add --allow-principal User:{ALICE} --consumer --topic let --group r "
            "--resource-pattern-type prefixed"
        )
        assert read(node) is None
        assert "ResourcePattern(resourceType=TOPIC, name=let, patternType=PREFIXED)" in rules(
            "--list"
        )
        rules(f"--add --deny-principal User:{ALICE} --operation Write --topic '*'")
        assert write(node) == denied
        rules(f"--remove --force --deny-principal User:{ALICE} --operation Write --topic '*'")
        assert write(node) is None


def test_who_may_not_cannot_give_itself_more(node, kafka_libs, tmp_path):
    alice = written(tmp_path / "alice.properties", java_settings("PLAIN", ALICE, ALICE_PASSWORD))
    with KafkaTools(kafka_libs, tmp_path, node.bootstrap) as tools:
        printed = tools.refusal(
            "acls",
            f"--add --allow-principal User:{ALICE} --operation All --topic {TOPIC} "
            f"--command-config {alice}",
        )
    assert "ClusterAuthorizationException" in printed
