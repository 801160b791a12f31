"""Clients that are not ours log in by tickets of a real key distribution centre."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import uuid
from pathlib import Path

import pytest

import moldau.client
from moldau.client.errors import ClientError
from moldau.platform.system.kerberos import SystemKerberos
from tests.interop.security.other_languages import by_franz
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.kafka_tools import KafkaTools
from tests.judges.kerberos_centre import REALM, KerberosCentre, MissingCentre
from tests.judges.logins import written
from tests.judges.moldau_node import MoldauNode

pytest.importorskip("gssapi", reason="gssapi is not installed: pip install 'moldau[kerberos]'")
kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka_admin = pytest.importorskip("aiokafka.admin", reason="aiokafka is not installed")

SERVICE = f"kafka/localhost@{REALM}"
MODULE = "com.sun.security.auth.module.Krb5LoginModule"
TOPIC = "letters"
WAIT_S = 30


@pytest.fixture(scope="module")
def centre(tmp_path_factory):
    try:
        made = KerberosCentre(tmp_path_factory.mktemp("kerberos"))
    except MissingCentre as missing:
        pytest.skip(str(missing))
    with made, pytest.MonkeyPatch.context() as patch:
        for name, text in made.environment.items():
            patch.setenv(name, text)
        yield made


def jaas(keytab, principal):
    return (
        f'{MODULE} required useKeyTab=true storeKey=true keyTab="{keytab}" principal="{principal}";'
    )


@pytest.fixture(scope="module")
def node(centre, tmp_path_factory):
    keytab = centre.keytab("kafka/localhost")
    ports = free_ports(2)
    settings = {
        "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
        "advertised.listeners": f"PLAINTEXT://localhost:{ports[0]}",
        "listeners": f"PLAINTEXT://{HOST}:{ports[0]},CONTROLLER://localhost:{ports[1]}",
        "controller.quorum.voters": f"1@localhost:{ports[1]}",
        "inter.broker.listener.name": "PLAINTEXT",
        "sasl.kerberos.service.name": "kafka",
        "sasl.kerberos.principal.to.local.rules": "RULE:[1:$1@$0](bob@.*)s/@.*//U,DEFAULT",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:kafka;User:BOB",
        "listener.name.plaintext.gssapi.sasl.jaas.config": jaas(keytab, SERVICE),
        "listener.name.controller.gssapi.sasl.jaas.config": jaas(keytab, SERVICE),
    }
    node = MoldauNode(tmp_path_factory.mktemp("node"), settings=settings, ports=ports)
    node.start()
    try:
        yield node
        assert node.stop() == 0
        assert "A bug met" not in node.last_words()
    finally:
        node.kill()


@pytest.fixture(scope="module")
def keytabs(centre):
    return {name: centre.keytab(name) for name in ("alice", "bob")}


def java_settings(keytabs, name):
    return {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "GSSAPI",
        "sasl.kerberos.service.name": "kafka",
        "sasl.jaas.config": jaas(keytabs[name], f"{name}@{REALM}"),
    }


def test_tools_of_java_log_in_by_a_keytab_and_rules_name_them(
    node, centre, keytabs, kafka_libs, tmp_path, monkeypatch
):
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"-Djava.security.krb5.conf={centre.conf}")
    bob = written(tmp_path / "bob.properties", java_settings(keytabs, "bob"))
    alice = written(tmp_path / "alice.properties", java_settings(keytabs, "alice"))
    with KafkaTools(kafka_libs, tmp_path, f"localhost:{node.client_port}") as tools:
        tools.run("topics", f"--create --topic {TOPIC} --partitions 1 --command-config {bob}")
        assert TOPIC in tools.run("topics", f"--list --command-config {bob}")
        refused = tools.refusal("topics", f"--create --topic other --command-config {alice}")
        assert "TopicAuthorizationException" in refused


def test_kafka_python_logs_in_by_tickets_of_kinit(node, centre, keytabs):
    centre.log_in("bob", keytabs["bob"])
    admin = kafka.KafkaAdminClient(
        bootstrap_servers=f"localhost:{node.client_port}",
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="GSSAPI",
        sasl_kerberos_service_name="kafka",
        sasl_kerberos_domain_name="localhost",
    )
    assert isinstance(admin.list_topics(), list)
    admin.close()


def test_aiokafka_logs_in_by_tickets_of_kinit(node, centre, keytabs):
    async def ask():
        admin = aiokafka_admin.AIOKafkaAdminClient(
            bootstrap_servers=f"localhost:{node.client_port}",
            security_protocol="SASL_PLAINTEXT",
            sasl_mechanism="GSSAPI",
            sasl_kerberos_service_name="kafka",
            sasl_kerberos_domain_name="localhost",
        )
        await admin.start()
        try:
            return await admin.list_topics()
        finally:
            await admin.close()

    centre.log_in("bob", keytabs["bob"])
    assert isinstance(asyncio.run(ask()), list)


def ours(node, keytabs, name, service="kafka", kind=moldau.client.connect):
    return kind(
        f"localhost:{node.client_port}",
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="GSSAPI",
        sasl_kerberos_service_name=service,
        sasl_jaas_config=jaas(keytabs[name], f"{name}@{REALM}"),
        default_api_timeout_ms=5_000,
    )


def test_our_client_logs_in_by_a_keytab(node, keytabs):
    with ours(node, keytabs, "bob") as client:
        assert "__consumer_offsets" not in client.topics()


def test_a_ticket_for_another_service_is_no_login(node, centre, keytabs):
    centre.keytab("mail/localhost")
    with (
        pytest.raises(ClientError, match="Authentication failed"),
        ours(node, keytabs, "alice", "mail") as client,
    ):
        client.topics()
    assert "Kerberos refuses" in (node.folder / "moldau.broker.log").read_text()


def test_a_service_that_the_centre_does_not_know_is_named(node, keytabs):
    with (
        pytest.raises(ClientError, match="there is no ticket for nothing@localhost"),
        ours(node, keytabs, "alice", "nothing") as client,
    ):
        client.topics()


def test_a_node_without_its_keys_does_not_start(centre, tmp_path):
    settings = {
        "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "PLAINTEXT",
        "listener.name.plaintext.gssapi.sasl.jaas.config": jaas(tmp_path / "none", SERVICE),
    }
    node = MoldauNode(tmp_path, settings=settings)
    with pytest.raises(Exception, match=r"keys of kafka/localhost@.* cannot be read"):
        node.start()
    node.kill()


def test_librdkafka_logs_in_by_a_keytab_and_writes_and_reads(node, keytabs):
    need_kcat()
    topic = f"kcat-{uuid.uuid4().hex[:8]}"
    with ours(node, keytabs, "bob", kind=moldau.client.Admin) as admin:
        admin.create_topics([topic])[topic]
    written = kcat(node, keytabs, "bob", "-P", "-t", topic, given="dear librdkafka\n")
    assert written.returncode == 0, written.stderr
    read = kcat(node, keytabs, "bob", "-C", "-t", topic, "-e", "-o", "beginning")
    assert read.stdout == "dear librdkafka\n", read.stderr
    refused = kcat(node, keytabs, "alice", "-P", "-t", topic, given="hello\n")
    assert refused.returncode
    again = kcat(node, keytabs, "bob", "-C", "-t", topic, "-e", "-o", "beginning")
    assert again.stdout == read.stdout


def test_franz_go_logs_in_by_a_keytab_and_writes_and_reads(node, centre, keytabs, go_program):
    place = f"localhost:{node.client_port}"
    login = {"SASL_MECHANISM": "GSSAPI", "KRB5_CONFIG": str(centre.conf)}
    bob = {**login, "USER_NAME": "bob", "KEYTAB": str(keytabs["bob"])}
    by_franz(go_program, place, f"go-{uuid.uuid4().hex[:8]}", bob)
    alice = {**login, "USER_NAME": "alice", "KEYTAB": str(keytabs["alice"])}
    with pytest.raises(AssertionError, match="TOPIC_AUTHORIZATION_FAILED"):
        by_franz(go_program, place, "forbidden", alice)


def need_kcat():
    """Both are Debian's: kcat and libsasl2-modules-gssapi-mit."""
    if shutil.which("kcat") is None:
        pytest.skip("kcat is not installed")
    if not [
        *Path("/usr/lib").glob("*/sasl2/libgssapiv2.so"),
        *Path("/usr/lib/sasl2").glob("*gss*"),
    ]:
        pytest.skip("Cyrus SASL has no GSSAPI here (Debian: libsasl2-modules-gssapi-mit)")


def kcat(node, keytabs, name, *words, given=""):
    settings = {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "GSSAPI",
        "sasl.kerberos.service.name": "kafka",
        "sasl.kerberos.keytab": str(keytabs[name]),
        "sasl.kerberos.principal": f"{name}@{REALM}",
    }
    options = [word for pair in settings.items() for word in ("-X", "=".join(pair))]
    place = f"localhost:{node.client_port}"
    command = ["kcat", "-q", "-m", str(WAIT_S), "-b", place, *options, *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=3 * WAIT_S)


def test_each_keytab_has_tickets_of_its_own(centre, tmp_path):
    """Those of another centre for the same user would be refused by the service of this one."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        with KerberosCentre(folder) as centre, pytest.MonkeyPatch.context() as patch:
            for variable, text in centre.environment.items():
                patch.setenv(variable, text)
            mine = {"principal": f"bob@{REALM}", "keyTab": str(centre.keytab("bob"))}
            theirs = {"keyTab": str(centre.keytab("kafka/localhost"))}
            asks = SystemKerberos().initiator(mine, "kafka", "localhost")()
            answers = SystemKerberos().acceptor(theirs)()
            asks.step(answers.step(asks.step(b"")))
            assert answers.is_complete
            assert asks.is_complete
