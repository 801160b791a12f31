"""Clients that are not ours log in, by every mechanism, and are refused as by Apache Kafka."""

from __future__ import annotations

import asyncio

import pytest
from confluent_kafka import Consumer, KafkaError, Producer
from confluent_kafka.admin import (
    AdminClient,
    NewTopic,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from tests.judges.kafka_tools import KafkaTools
from tests.judges.logins import (
    ADMIN,
    ALICE,
    ALICE_PASSWORD,
    MECHANISMS,
    client_settings,
    java_settings,
    node_settings,
    written,
)
from tests.judges.moldau_node import MoldauNode

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka = pytest.importorskip("aiokafka", reason="aiokafka is not installed")

TOPIC = "letters"
WAIT_S = 30
SCRAMS = {
    "SCRAM-SHA-256": ScramMechanism.SCRAM_SHA_256,
    "SCRAM-SHA-512": ScramMechanism.SCRAM_SHA_512,
}


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("node"), settings=node_settings())
    node.start()
    try:
        admin = AdminClient({"bootstrap.servers": node.bootstrap, **client_settings()})
        _settle(admin.create_topics([NewTopic(TOPIC, 1, 1)]))
        for credential in _credentials():
            _settle(admin.alter_user_scram_credentials([credential]))
        yield node
        assert node.stop() == 0
        assert "A bug met" not in node.last_words()
    finally:
        node.kill()


def _credentials():
    return [
        UserScramCredentialUpsertion(
            ALICE, ScramCredentialInfo(mechanism, 8192), ALICE_PASSWORD.encode()
        )
        for mechanism in SCRAMS.values()
    ]


def _settle(futures):
    for future in futures.values():
        future.result(WAIT_S)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_librdkafka_writes_and_reads_behind_a_login(node, mechanism):
    settings = {
        "bootstrap.servers": node.bootstrap,
        **client_settings(mechanism, ALICE, ALICE_PASSWORD),
    }
    producer = Producer(settings)
    producer.produce(TOPIC, mechanism.encode())
    assert producer.flush(WAIT_S) == 0
    consumer = Consumer({**settings, "group.id": mechanism, "auto.offset.reset": "earliest"})
    consumer.subscribe([TOPIC])
    message = consumer.poll(WAIT_S)
    consumer.close()
    assert message is not None
    assert message.error() is None


def refused_login(node, mechanism, name):
    """What librdkafka says of a wrong password."""
    errors: list[KafkaError] = []
    producer = Producer(
        {
            "bootstrap.servers": node.bootstrap,
            **client_settings(mechanism, name, "wrong"),
            "error_cb": errors.append,
        }
    )
    while not errors:
        producer.poll(1)
    return errors[0]


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("name", [ALICE, "unknown"])
def test_a_wrong_password_and_an_unknown_name_get_one_answer(node, mechanism, name):
    error = refused_login(node, mechanism, name)
    assert error.code() == KafkaError._AUTHENTICATION
    reason = {
        "PLAIN": "Authentication failed: Invalid username or password",
    }.get(
        mechanism,
        "Authentication failed during authentication due to invalid credentials with SASL "
        f"mechanism {mechanism}",
    )
    assert reason in error.str()


def test_a_mechanism_that_is_not_offered_is_refused_with_those_that_are(node):
    errors: list[KafkaError] = []
    settings = {**client_settings(), "sasl.mechanism": "OAUTHBEARER"}
    settings |= {"enable.sasl.oauthbearer.unsecure.jwt": "true"}
    settings |= {"sasl.oauthbearer.config": "principal=alice"}
    producer = Producer(
        {"bootstrap.servers": node.bootstrap, **settings, "error_cb": errors.append}
    )
    while not errors:
        producer.poll(1)
    assert ",".join(MECHANISMS) in errors[0].str().replace(" ", "")


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_kafka_python_logs_in(node, mechanism):
    settings = {
        "bootstrap_servers": node.bootstrap,
        "security_protocol": "SASL_PLAINTEXT",
        "sasl_mechanism": mechanism,
        "sasl_plain_username": ALICE,
        "sasl_plain_password": ALICE_PASSWORD,
    }
    producer = kafka.KafkaProducer(**settings)
    sent = producer.send(TOPIC, b"from kafka-python").get(WAIT_S)
    producer.close()
    consumer = kafka.KafkaConsumer(
        TOPIC, **settings, auto_offset_reset="earliest", consumer_timeout_ms=WAIT_S * 1000
    )
    assert any(message.offset == sent.offset for message in consumer)
    consumer.close()


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_aiokafka_logs_in(node, mechanism):
    async def write():
        producer = aiokafka.AIOKafkaProducer(
            bootstrap_servers=node.bootstrap,
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism=mechanism,
            sasl_plain_username=ALICE,
            sasl_plain_password=ALICE_PASSWORD,
        )
        await producer.start()
        try:
            return await producer.send_and_wait(TOPIC, b"from aiokafka")
        finally:
            await producer.stop()

    assert asyncio.run(write()).topic == TOPIC


def test_tools_of_java_log_in_and_make_users_that_can(node, kafka_libs, tmp_path):
    admin = written(tmp_path / "admin.properties", java_settings())
    bob = written(tmp_path / "bob.properties", java_settings("SCRAM-SHA-512", "bob", "builder"))
    mallory = written(
        tmp_path / "mallory.properties", java_settings("SCRAM-SHA-512", "bob", "breaker")
    )
    with KafkaTools(kafka_libs, tmp_path, node.bootstrap) as tools:
        tools.run(
            "configs",
            "--alter --entity-type users --entity-name bob "
            f"--add-config SCRAM-SHA-512=[password=builder] --command-config {admin}",
        )
        assert TOPIC in tools.run("topics", f"--list --command-config {bob}")
        printed = tools.refusal("topics", f"--list --command-config {mallory}")
        assert "SaslAuthenticationException" in printed


def test_a_delegation_token_is_a_login(node, kafka_libs, tmp_path):
    admin = written(tmp_path / "admin.properties", java_settings())
    with KafkaTools(kafka_libs, tmp_path, node.bootstrap) as tools:
        printed = tools.run(
            "delegation-tokens", f"--create --max-life-time-period -1 --command-config {admin}"
        )
        token_id, secret = printed.strip().splitlines()[-1].split()[:2]
        token = written(
            tmp_path / "token.properties",
            java_settings("SCRAM-SHA-256", token_id, secret, more=' tokenauth="true"'),
        )
        assert TOPIC in tools.run("topics", f"--list --command-config {token}")
        refused = tools.refusal(
            "delegation-tokens", f"--create --max-life-time-period -1 --command-config {token}"
        )
        assert "Delegation Token requests are not allowed" in refused


def test_a_tool_of_java_renews_describes_and_expires_a_token(node, kafka_libs, tmp_path):
    admin = written(tmp_path / "admin.properties", java_settings())
    login, owned = f"--command-config {admin}", f"--owner-principal User:{ADMIN}"
    with KafkaTools(kafka_libs, tmp_path, node.bootstrap) as tools:
        printed = tools.run("delegation-tokens", f"--create --max-life-time-period -1 {login}")
        token_id, secret = printed.strip().splitlines()[-1].split()[:2]

        def row():
            described = tools.run("delegation-tokens", f"--describe {owned} {login}").splitlines()
            (found,) = [line.split() for line in described if line.startswith(token_id)]
            return found

        before = row()
        assert before[1] == secret
        assert before[2] == f"User:{ADMIN}"
        tools.run(
            "delegation-tokens", f"--renew --hmac {secret} --renew-time-period 7200000 {login}"
        )
        assert row() != before  # it expires at another time
        tools.run("delegation-tokens", f"--expire --hmac {secret} --expiry-time-period -1 {login}")
        described = tools.run("delegation-tokens", f"--describe {owned} {login}")
        assert token_id not in described
        gone = tools.refusal(
            "delegation-tokens", f"--renew --hmac {secret} --renew-time-period -1 {login}"
        )
        assert "DelegationTokenNotFoundException" in gone


def test_no_password_is_in_the_log(node):
    refused_login(node, "PLAIN", "alice")
    text = (node.folder / "moldau.broker.log").read_text()
    assert "Failed authentication with" in text
    assert not [word for word in (ALICE_PASSWORD, "with a comma", "wrong") if word in text]
    assert ADMIN not in text
