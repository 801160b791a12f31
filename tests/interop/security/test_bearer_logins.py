"""Clients that are not ours log in by tokens of an identity provider."""

from __future__ import annotations

import asyncio
import time

import pytest
from confluent_kafka import Consumer, KafkaError, Producer
from confluent_kafka.admin import AdminClient, NewTopic

import moldau.client
from moldau.errors import MoldauError
from tests.interop.security.other_languages import by_franz, by_kafkajs
from tests.judges.certificates import HOSTS, Certificates
from tests.judges.identity_provider import (
    AUDIENCE,
    CLIENTS,
    ISSUER,
    IdentityProvider,
    claims_of,
    new_key,
    signed,
    unsigned,
)
from tests.judges.kafka_tools import KafkaTools
from tests.judges.logins import written
from tests.judges.moldau_node import MoldauNode

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka = pytest.importorskip("aiokafka", reason="aiokafka is not installed")

TOPIC = "letters"
WAIT_S = 30
MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
LISTENER = "listener.name.plaintext."
UNSECURED = (
    "org.apache.kafka.common.security.oauthbearer.internals.unsecured."
    "OAuthBearerUnsecuredValidatorCallbackHandler"
)
INVALID = '{"status":"invalid_token"}'


@pytest.fixture(scope="module")
def provider():
    with IdentityProvider() as provider:
        yield provider


def settings_of(provider):
    return {
        "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
        "inter.broker.listener.name": "PLAINTEXT",
        "sasl.mechanism.inter.broker.protocol": "OAUTHBEARER",
        "sasl.mechanism.controller.protocol": "OAUTHBEARER",
        "sasl.enabled.mechanisms": "OAUTHBEARER",
        "sasl.oauthbearer.jwks.endpoint.url": provider.keys_url,
        "sasl.oauthbearer.expected.issuer": ISSUER,
        "sasl.oauthbearer.expected.audience": AUDIENCE,
        "sasl.oauthbearer.token.endpoint.url": provider.token_url,
        f"{LISTENER}oauthbearer.sasl.jaas.config": (
            f'{MODULE} required clientId="node" clientSecret="{CLIENTS["node"]}";'
        ),
        "listener.name.controller.oauthbearer.sasl.jaas.config": (
            f'{MODULE} required clientId="node" clientSecret="{CLIENTS["node"]}";'
        ),
    }


def from_token(token):
    """Of librdkafka: a token that this test has made."""
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "OAUTHBEARER",
        "oauth_cb": lambda config: (token, time.time() + 3600),
    }


@pytest.fixture(scope="module")
def node(tmp_path_factory, provider):
    node = MoldauNode(tmp_path_factory.mktemp("node"), settings=settings_of(provider))
    node.start()
    try:
        admin = AdminClient(
            {"bootstrap.servers": node.bootstrap, **from_token(provider.token("admin"))}
        )
        admin.poll(1)
        for future in admin.create_topics([NewTopic(TOPIC, 1, 1)]).values():
            future.result(WAIT_S)
        yield node
        assert node.stop() == 0
        assert "A bug met" not in node.last_words()
    finally:
        node.kill()


def test_librdkafka_writes_and_reads_by_a_token(node, provider):
    settings = {"bootstrap.servers": node.bootstrap, **from_token(provider.token("alice"))}
    producer = Producer(settings)
    producer.produce(TOPIC, b"by a token")
    assert producer.flush(WAIT_S) == 0
    consumer = Consumer({**settings, "group.id": "readers", "auto.offset.reset": "earliest"})
    consumer.subscribe([TOPIC])
    message = consumer.poll(WAIT_S)
    consumer.close()
    assert message is not None
    assert message.error() is None


def test_librdkafka_gets_its_token_from_the_provider(node, provider):
    producer = Producer(
        {
            "bootstrap.servers": node.bootstrap,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "OAUTHBEARER",
            "sasl.oauthbearer.method": "oidc",
            "sasl.oauthbearer.client.id": "bob",
            "sasl.oauthbearer.client.secret": CLIENTS["bob"],
            "sasl.oauthbearer.token.endpoint.url": provider.token_url,
        }
    )
    producer.produce(TOPIC, b"by credentials")
    assert producer.flush(WAIT_S) == 0


def refusal(node, token):
    """What librdkafka makes of the node's answer to this token."""
    errors: list[KafkaError] = []
    producer = Producer(
        {"bootstrap.servers": node.bootstrap, **from_token(token), "error_cb": errors.append}
    )
    while not errors:
        producer.poll(1)
    return errors[0]


FORGED = {
    "of yesterday": lambda key: signed(key, claims_of("alice", exp=int(time.time()) - 3600)),
    "alg none": lambda key: unsigned(claims_of("alice")),
    "alg none with a key": lambda key: unsigned(claims_of("alice"), kid=key.kid),
    "another key": lambda key: signed(new_key(key.kid), claims_of("alice")),
    "an unknown key": lambda key: signed(new_key("unknown"), claims_of("alice")),
    "another issuer": lambda key: signed(key, claims_of("alice", iss="https://evil.example")),
    "another audience": lambda key: signed(key, claims_of("alice", aud=["somewhere"])),
    "no audience": lambda key: signed(key, claims_of("alice", aud=None)),
    "no subject": lambda key: signed(key, claims_of("alice", sub=None)),
    "no end": lambda key: signed(key, claims_of("alice", exp=None)),
    "no beginning": lambda key: signed(key, claims_of("alice", iat=None)),
    "not yet": lambda key: signed(key, claims_of("alice", nbf=int(time.time()) + 3600)),
    "not a token": lambda key: "nothing.at.all",
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_token_that_is_not_valid_is_refused_in_kafkas_words(node, provider, forged):
    error = refusal(node, FORGED[forged](provider.keys[0]))
    assert error.code() == KafkaError._AUTHENTICATION
    assert INVALID in error.str()


def test_a_key_is_in_force_the_moment_that_it_is_published(node, provider):
    time.sleep(5.5)  # a key that is not there is asked for no sooner
    before, key = provider.asked.count("/keys"), new_key("second")
    provider.keys.append(key)
    settings = {
        "bootstrap.servers": node.bootstrap,
        **from_token(signed(key, claims_of("alice"))),
    }
    producer = Producer(settings)
    producer.produce(TOPIC, b"by another key")
    assert producer.flush(WAIT_S) == 0
    assert provider.asked.count("/keys") == before + 1


def test_kafka_python_logs_in_by_a_token(node, provider):
    from kafka.net.sasl.oauth import AbstractTokenProvider

    class Provider(AbstractTokenProvider):  # type: ignore[misc]
        def token(self):
            return provider.token("alice")

    producer = kafka.KafkaProducer(
        bootstrap_servers=node.bootstrap,
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="OAUTHBEARER",
        sasl_oauth_token_provider=Provider(),
    )
    assert producer.send(TOPIC, b"from kafka-python").get(WAIT_S).topic == TOPIC
    producer.close()


def test_aiokafka_logs_in_by_a_token(node, provider):
    from aiokafka.abc import AbstractTokenProvider

    class Provider(AbstractTokenProvider):  # type: ignore[misc]
        async def token(self):
            return provider.token("alice")

    async def write():
        producer = aiokafka.AIOKafkaProducer(
            bootstrap_servers=node.bootstrap,
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism="OAUTHBEARER",
            sasl_oauth_token_provider=Provider(),
        )
        await producer.start()
        try:
            return await producer.send_and_wait(TOPIC, b"from aiokafka")
        finally:
            await producer.stop()

    assert asyncio.run(write()).topic == TOPIC


def java_settings(provider, secret=CLIENTS["alice"]):
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "OAUTHBEARER",
        "sasl.login.callback.handler.class": (
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler"
        ),
        "sasl.oauthbearer.token.endpoint.url": provider.token_url,
        "sasl.jaas.config": (
            f'{MODULE} required clientId="alice" clientSecret="{secret}" scope="kafka" '
            'extension_logicalCluster="lkc-1";'
        ),
    }


def bearer(provider):
    return {"SASL_MECHANISM": "OAUTHBEARER", "TOKEN": provider.token("alice")}


def test_kafkajs_logs_in_by_a_token(node, provider, kafkajs):
    by_kafkajs(kafkajs, node.bootstrap, "by-javascript", bearer(provider))


def test_franz_go_logs_in_by_a_token(node, provider, go_program):
    by_franz(go_program, node.bootstrap, "by-go", bearer(provider))


def test_tools_of_java_get_a_token_and_log_in(node, provider, kafka_libs, tmp_path, monkeypatch):
    allowed = "org.apache.kafka.sasl.oauthbearer.allowed.urls"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"-D{allowed}={provider.token_url}")
    alice = written(tmp_path / "alice.properties", java_settings(provider))
    with KafkaTools(kafka_libs, tmp_path, node.bootstrap) as tools:
        assert TOPIC in tools.run("topics", f"--list --command-config {alice}")


@pytest.mark.parametrize("is_by_file", [False, True])
def test_our_client_gets_its_token_from_the_provider_or_a_file(
    node, provider, tmp_path, is_by_file
):
    settings = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "OAUTHBEARER"}
    if is_by_file:
        path = tmp_path / "token"
        path.write_text(provider.token("alice") + "\n")
        settings["sasl_oauthbearer_token_endpoint_url"] = f"file://{path}"
    else:
        settings["sasl_oauthbearer_token_endpoint_url"] = provider.token_url
        settings["sasl_oauthbearer_client_credentials_client_id"] = "alice"
        settings["sasl_oauthbearer_client_credentials_client_secret"] = CLIENTS["alice"]
    with moldau.client.connect(node.bootstrap, **settings) as client:
        assert TOPIC in set(client.topics())


def test_no_token_and_no_secret_is_in_the_log(provider, tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("alone"), settings=settings_of(provider))
    node.start()  # of its own: of many refusals in half a minute a log has the first ten
    try:
        for forged in ("of yesterday", "alg none"):
            refusal(node, FORGED[forged](provider.keys[0]))
        text = (node.folder / "moldau.broker.log").read_text()
    finally:
        node.kill()
    assert "the token has expired" in text
    assert "the algorithm is not one of" in text
    assert "eyJ" not in text
    assert not [secret for secret in CLIENTS.values() if secret in text]


def test_a_provider_behind_https_is_trusted_by_the_options_of_the_login(tmp_path_factory):
    folder = tmp_path_factory.mktemp("https")
    certificates = Certificates(folder)
    trust = f'ssl.truststore.type="PEM" ssl.truststore.location="{certificates.trusted}"'
    with IdentityProvider(certificates.issue("CN=provider", HOSTS)) as provider:
        settings = {
            name: text.removesuffix(";") + f" {trust};" if name.endswith("jaas.config") else text
            for name, text in settings_of(provider).items()
        }
        node = MoldauNode(tmp_path_factory.mktemp("behind"), settings=settings)
        node.start()
        try:
            login = {
                "security_protocol": "SASL_PLAINTEXT",
                "sasl_mechanism": "OAUTHBEARER",
                "sasl_oauthbearer_token_endpoint_url": provider.token_url,
                "sasl_oauthbearer_client_credentials_client_id": "alice",
                "sasl_oauthbearer_client_credentials_client_secret": CLIENTS["alice"],
            }
            trusting = {"sasl_jaas_config": f"{MODULE} required {trust};"}
            with moldau.client.connect(node.bootstrap, **login, **trusting) as client:
                assert set(client.topics()) == set()
            hasty = {**login, "default_api_timeout_ms": 3000}
            with (
                moldau.client.connect(node.bootstrap, **hasty) as client,
                pytest.raises(MoldauError, match="no trusted authority has signed it"),
            ):
                client.topics()
            assert node.stop() == 0
        finally:
            node.kill()
