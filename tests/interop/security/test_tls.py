"""Clients that are not ours speak TLS with a node, in both versions and with every mechanism."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time

import pytest
from confluent_kafka import Consumer, KafkaException, Producer
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewTopic,
    ResourceType,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from tests.interop.security.other_languages import by_franz, by_kafkajs
from tests.judges.certificates import HOSTS, PASSWORD, Certificates
from tests.judges.kafka_tools import KafkaTools
from tests.judges.logins import (
    ALICE,
    ALICE_PASSWORD,
    MECHANISMS,
    client_settings,
    java_settings,
    written,
)
from tests.judges.tls_node import TlsNode

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka = pytest.importorskip("aiokafka", reason="aiokafka is not installed")

TOPIC = "letters"
WAIT_S = 30
TLS_VERSIONS = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
VERSIONS = {"TLSv1.3": "PLAINTEXT", "TLSv1.2": "OLDER"}
"""And a listener for each."""
SCRAMS = {
    "SCRAM-SHA-256": ScramMechanism.SCRAM_SHA_256,
    "SCRAM-SHA-512": ScramMechanism.SCRAM_SHA_512,
}


@pytest.fixture(scope="module")
def secured(tmp_path_factory):
    secured = TlsNode(tmp_path_factory.mktemp("node"))
    secured.node.start()
    try:
        admin = AdminClient(librdkafka(secured, "PLAINTEXT"))
        settle(admin.create_topics([NewTopic(TOPIC, 1, 1)]))
        for mechanism in SCRAMS.values():
            credential = ScramCredentialInfo(mechanism, 4096)
            change = UserScramCredentialUpsertion(ALICE, credential, ALICE_PASSWORD.encode())
            settle(admin.alter_user_scram_credentials([change]))
        yield secured
        assert secured.node.stop() == 0
        assert "A bug met" not in secured.node.last_words()
    finally:
        secured.node.kill()


def settle(futures):
    for future in futures.values():
        future.result(WAIT_S)


def librdkafka(secured, listener, keys=None, **more):
    place = {"bootstrap.servers": secured.places[listener]}
    return place | secured.certificates.librdkafka_settings(keys) | more


def write_and_read(settings, value):
    producer = Producer(settings)
    for _ in range(50):
        producer.produce(TOPIC, value * 1000)
    assert producer.flush(WAIT_S) == 0
    consumer = Consumer(settings | {"group.id": repr(value), "auto.offset.reset": "earliest"})
    consumer.subscribe([TOPIC])
    found = 0
    while found < 50:
        message = consumer.poll(WAIT_S)
        assert message is not None
        assert message.error() is None
        found += message.value() == value * 1000
    consumer.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_librdkafka_writes_and_reads(secured, version):
    write_and_read(librdkafka(secured, VERSIONS[version]), version.encode())


def test_librdkafka_shows_a_certificate(secured):
    write_and_read(librdkafka(secured, "MUTUAL", secured.alice), b"mutual")


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_librdkafka_logs_in_behind_tls(secured, mechanism):
    settings = librdkafka(secured, "LOGIN") | client_settings(mechanism, ALICE, ALICE_PASSWORD)
    write_and_read(settings | {"security.protocol": "SASL_SSL"}, mechanism.encode())


def refusal(settings):
    errors: list[str] = []
    client = Producer(settings | {"error_cb": lambda error: errors.append(str(error))})
    for _ in range(WAIT_S):
        client.poll(1)
        if errors:
            break
    return "\n".join(errors)


def logged(secured):
    return (secured.node.folder / "moldau.broker.log").read_text()


def test_a_client_without_a_certificate_is_refused_where_one_is_required(secured):
    assert "certificate required" in refusal(librdkafka(secured, "MUTUAL")).lower()
    assert "on MUTUAL (SSL handshake failed): it showed no certificate" in logged(secured)


def test_expired_and_foreign_certificates_are_refused_and_named_in_the_log(secured, tmp_path):
    old = secured.certificates.issue("old", earlier_days=30)
    assert "expired" in refusal(librdkafka(secured, "MUTUAL", old))
    foreign = Certificates(tmp_path, "CN=Foreign").issue("mallory")
    refusal(librdkafka(secured, "MUTUAL", foreign))
    text = logged(secured)
    assert "its certificate is refused: certificate has expired" in text
    assert "its certificate is refused: no trusted authority has signed it" in text


def test_a_plain_client_at_a_tls_listener_is_named_with_the_remedy(secured):
    refusal({"bootstrap.servers": secured.places["PLAINTEXT"]})
    remedy = "what came is no TLS; set security.protocol to SSL or SASL_SSL at that client"
    assert remedy in logged(secured)


@pytest.mark.parametrize("version", VERSIONS)
def test_kafka_python_writes_and_reads(secured, version):
    by_kafka_python(secured, VERSIONS[version])


def test_kafka_python_shows_a_certificate(secured):
    keys = str(secured.alice)
    by_kafka_python(secured, "MUTUAL", ssl_certfile=keys, ssl_keyfile=keys)


def by_kafka_python(secured, listener, **more):
    settings = {
        "bootstrap_servers": secured.places[listener],
        "security_protocol": "SSL",
        "ssl_cafile": str(secured.certificates.trusted),
        **more,
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
def test_kafka_python_logs_in_behind_tls(secured, mechanism):
    producer = kafka.KafkaProducer(
        bootstrap_servers=secured.places["LOGIN"],
        security_protocol="SASL_SSL",
        ssl_cafile=str(secured.certificates.trusted),
        sasl_mechanism=mechanism,
        sasl_plain_username=ALICE,
        sasl_plain_password=ALICE_PASSWORD,
    )
    assert producer.send(TOPIC, b"from kafka-python").get(WAIT_S).topic == TOPIC
    producer.close()


@pytest.mark.parametrize("mechanism", [*VERSIONS, *MECHANISMS])
def test_aiokafka_writes(secured, mechanism):
    context = ssl.create_default_context(cafile=str(secured.certificates.trusted))
    listener = VERSIONS.get(mechanism, "LOGIN")
    if mechanism in VERSIONS:
        context.minimum_version = context.maximum_version = TLS_VERSIONS[mechanism]
    login = (
        {}
        if mechanism in VERSIONS
        else {
            "sasl_mechanism": mechanism,
            "sasl_plain_username": ALICE,
            "sasl_plain_password": ALICE_PASSWORD,
        }
    )

    asyncio.run(by_aiokafka(secured.places[listener], context, **login))


def test_aiokafka_shows_a_certificate(secured):
    context = ssl.create_default_context(cafile=str(secured.certificates.trusted))
    context.load_cert_chain(secured.alice)
    asyncio.run(by_aiokafka(secured.places["MUTUAL"], context))


async def by_aiokafka(place, context, **login):
    producer = aiokafka.AIOKafkaProducer(
        bootstrap_servers=place,
        security_protocol="SASL_SSL" if login else "SSL",
        ssl_context=context,
        **login,
    )
    await producer.start()
    try:
        sent = await producer.send_and_wait(TOPIC, b"from aiokafka")
    finally:
        await producer.stop()
    assert sent.topic == TOPIC


def java(secured, folder, name, settings):
    stores = {
        "ssl.truststore.type": "PKCS12",
        "ssl.truststore.location": str(secured.certificates.folder / "truststore.p12"),
        "ssl.truststore.password": PASSWORD,
    }
    return written(
        folder / f"{name}.properties", {"security.protocol": "SSL", **stores, **settings}
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_java_writes_and_reads(secured, version, kafka_libs, tmp_path):
    settings = java(secured, tmp_path, "plain", {"ssl.enabled.protocols": version})
    topic = f"java-{version}"
    with KafkaTools(kafka_libs, tmp_path, secured.places[VERSIONS[version]]) as tools:
        tools.run("topics", f"--create --topic {topic} --command-config {settings}")
        tools.run(
            "console-producer",
            f"--topic {topic} --command-config {settings}",
            typed="".join(f"letter {number}\n" for number in range(100)),
        )
        read = tools.run(
            "console-consumer",
            f"--topic {topic} --from-beginning --max-messages 100 --command-config {settings}",
        )
    assert "letter 99" in read


def test_java_shows_a_certificate_and_logs_in(secured, kafka_libs, tmp_path):
    keys = {
        "ssl.keystore.type": "PKCS12",
        "ssl.keystore.location": str(secured.alice.with_suffix(".p12")),
        "ssl.keystore.password": PASSWORD,
    }
    mutual = java(secured, tmp_path, "mutual", keys)
    with KafkaTools(kafka_libs, tmp_path, secured.places["MUTUAL"]) as tools:
        assert TOPIC in tools.run("topics", f"--list --command-config {mutual}")
    for mechanism in MECHANISMS:
        login = java_settings(mechanism, ALICE, ALICE_PASSWORD) | {"security.protocol": "SASL_SSL"}
        path = java(secured, tmp_path, mechanism, login)
        with KafkaTools(kafka_libs, tmp_path, secured.places["LOGIN"]) as tools:
            assert TOPIC in tools.run("topics", f"--list --command-config {path}")


def shown_by(secured, listener):
    """The certificate that a client gets to see there."""
    context = ssl.create_default_context(cafile=secured.certificates.trusted)
    host, _, port = secured.places[listener].rpartition(":")
    with (
        socket.create_connection((host, int(port)), WAIT_S) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as protected,
    ):
        return protected.getpeercert(binary_form=True) or b""


def show_other(secured, listener, path):
    """Have the listener show what is in this file, from now on."""
    name = f"listener.name.{listener.lower()}.ssl.keystore.location"
    entry = ConfigEntry(name, str(path), incremental_operation=AlterConfigOpType.SET)
    change = ConfigResource(ResourceType.BROKER, "1", incremental_configs=[entry])
    admin = AdminClient(librdkafka(secured, "PLAINTEXT"))
    settle(admin.incremental_alter_configs([change]))


def test_a_listener_gets_another_certificate_while_it_runs(secured, tmp_path):
    before = {name: shown_by(secured, name) for name in ("OLDER", "PLAINTEXT")}
    renewed = secured.certificates.issue("node", (*HOSTS, "another-node"), file="renewed")
    show_other(secured, "OLDER", renewed)
    deadline = time.monotonic() + WAIT_S
    while shown_by(secured, "OLDER") == before["OLDER"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert b"another-node" in shown_by(secured, "OLDER")
    assert shown_by(secured, "PLAINTEXT") == before["PLAINTEXT"]
    in_use = shown_by(secured, "OLDER")
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate")
    other_subject = secured.certificates.issue("stranger", (*HOSTS, "another-node"))
    for path, clause in (
        (broken, "broken.pem: it has no certificate"),
        (tmp_path / "nothing.pem", "no such file"),
        (other_subject, "ssl.allow.dn.changes=true allows that"),
        (secured.certificates.issue("node", HOSTS, file="fewer"), "has not DNS:another-node"),
    ):
        with pytest.raises(KafkaException, match=clause):
            show_other(secured, "OLDER", path)
    assert shown_by(secured, "OLDER") == in_use


def login_of(secured, mechanism):
    return {
        "CA_FILE": str(secured.certificates.trusted),
        "SASL_MECHANISM": mechanism,
        "USER_NAME": ALICE,
        "USER_PASSWORD": ALICE_PASSWORD,
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_kafkajs_writes_and_reads(secured, version, kafkajs):
    more = {"CA_FILE": str(secured.certificates.trusted), "TLS_VERSION": version}
    by_kafkajs(kafkajs, secured.places[VERSIONS[version]], f"javascript-{version}", more)


def with_a_certificate(secured):
    return {"CA_FILE": str(secured.certificates.trusted), "KEY_FILE": str(secured.alice)}


def test_kafkajs_shows_a_certificate(secured, kafkajs):
    place = secured.places["MUTUAL"]
    by_kafkajs(kafkajs, place, "javascript-mutual", with_a_certificate(secured))


def test_franz_go_shows_a_certificate(secured, go_program):
    by_franz(go_program, secured.places["MUTUAL"], "go-mutual", with_a_certificate(secured))


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_kafkajs_logs_in_behind_tls(secured, mechanism, kafkajs):
    topic = f"javascript-{mechanism}"
    by_kafkajs(kafkajs, secured.places["LOGIN"], topic, login_of(secured, mechanism))


@pytest.mark.parametrize("version", VERSIONS)
def test_franz_go_writes_and_reads(secured, version, go_program):
    more = {"CA_FILE": str(secured.certificates.trusted), "TLS_VERSION": version}
    by_franz(go_program, secured.places[VERSIONS[version]], f"go-{version}", more)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_franz_go_logs_in_behind_tls(secured, mechanism, go_program):
    by_franz(go_program, secured.places["LOGIN"], f"go-{mechanism}", login_of(secured, mechanism))


def test_no_key_and_no_password_is_in_the_log(secured):
    text = logged(secured)
    assert "PRIVATE KEY" not in text
    assert PASSWORD not in text
