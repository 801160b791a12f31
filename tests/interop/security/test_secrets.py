"""After a run that uses every secret, none is in the log, an error, a setting, metrics or audit."""

from __future__ import annotations

from base64 import b64encode
from urllib.request import urlopen

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer
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

from moldau.config.broker.settings import BrokerSettings
from tests.interop.security.test_bearer_logins import MODULE, from_token
from tests.judges.identity_provider import IdentityProvider
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.logins import client_settings, node_settings
from tests.judges.moldau_node import MoldauNode

LISTENER = "listener.name.plaintext."
PASSWORDS = {
    "plain": "Open-Sesame-1",
    "scram": "Open-Sesame-2",
    "wrong": "Open-Sesame-3",
    "cluster": "Open-Sesame-4",
    "client": "Open-Sesame-5",
    "dynamic": "Open-Sesame-6",
}
NAMED = {
    key.name: f"Hidden-{number:03}-Value"
    for number, key in enumerate(BrokerSettings.KEYS.values())
    if key.is_secret
}
"""Every other setting of a node that is a secret, whether or not anything uses it here."""
KEY = b64encode(bytes(range(32))).decode()
"""Of encryption at rest."""
METRICS = "where metrics are"
WAIT_S = 30


def settings(provider):
    plain = f'Plain required username="admin" password="{PASSWORDS["plain"]}"'
    return {
        **NAMED,
        **{f"listener.name.other.{name}": f"{text}-There" for name, text in NAMED.items()},
        **{f"listener.name.other.plain.{name}": f"{text}-Too" for name, text in NAMED.items()},
        **node_settings(),
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
        "sasl.oauthbearer.jwks.endpoint.url": provider.keys_url,
        "sasl.oauthbearer.expected.audience": "the-cluster",
        "sasl.oauthbearer.client.credentials.client.secret": PASSWORDS["client"],
        "delegation.token.secret.key": PASSWORDS["cluster"],
        f"{LISTENER}plain.sasl.jaas.config": f'{plain} user_admin="{PASSWORDS["plain"]}";',
        f"{LISTENER}oauthbearer.sasl.jaas.config": (
            f'{MODULE} required clientSecret="{PASSWORDS["client"]}";'
        ),
    }


@pytest.fixture(scope="module")
def provider():
    with IdentityProvider() as provider:
        yield provider


@pytest.fixture(scope="module")
def node(provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("node")
    (metrics_port,) = free_ports(1)
    (folder / "keys").write_text(f"orders.1 = {KEY}\n")
    more = {
        "moldau.audit.file": str(folder / "audit"),
        "moldau.encryption.at.rest.key.file": str(folder / "keys"),
    }
    port = ("--metrics-port", str(metrics_port))
    node = MoldauNode(folder, settings={**settings(provider), **more}, start_with=port)
    (folder / METRICS).write_text(f"http://{HOST}:{metrics_port}/metrics")
    node.start()
    yield node
    node.kill()


def admin_of(node):
    login = client_settings("PLAIN", "admin", PASSWORDS["plain"])
    return AdminClient({"bootstrap.servers": node.bootstrap, **login})


def settle(futures):
    return [future.result(WAIT_S) for future in futures.values()]


def error_of(node, **login):
    """What a refused client gets to read."""
    errors: list[KafkaError] = []
    config = {"bootstrap.servers": node.bootstrap, "error_cb": errors.append, **login}
    producer = Producer(config)
    while not errors:
        producer.poll(1)
    return errors[0].str()


def use_every_secret(node, provider):
    """Texts that clients, operators and collectors get to see."""
    admin, seen = admin_of(node), []
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 8192)
    credential = UserScramCredentialUpsertion("bob", info, PASSWORDS["scram"].encode())
    settle(admin.alter_user_scram_credentials([credential]))
    wanted = NewTopic("letters", 1, 1, config={"encryption.at.rest": "orders"})
    settle(admin.create_topics([wanted]))
    writer = Producer(
        {
            "bootstrap.servers": node.bootstrap,
            **client_settings("PLAIN", "admin", PASSWORDS["plain"]),
        }
    )
    writer.produce("letters", "sealed")
    assert writer.flush(WAIT_S) == 0
    token = provider.token("alice")
    refused = (
        client_settings("PLAIN", "admin", PASSWORDS["wrong"]),
        client_settings("SCRAM-SHA-256", "bob", PASSWORDS["wrong"]),
        from_token(provider.token("alice", aud="another")),
    )
    seen += [error_of(node, **login) for login in refused]
    for login in (client_settings("SCRAM-SHA-256", "bob", PASSWORDS["scram"]), from_token(token)):
        reader = AdminClient({"bootstrap.servers": node.bootstrap, **login})
        reader.poll(0.5)
        seen.append(str(reader.list_topics(timeout=WAIT_S).topics))
    jaas = f'Plain required user_eve="{PASSWORDS["dynamic"]}"'
    seen += [str(alter(admin, f"{LISTENER}plain.sasl.jaas.config", text)) for text in (jaas, ";")]
    (found,) = settle(admin.describe_configs([ConfigResource(ResourceType.BROKER, "1")]))
    seen += [f"{name}={values_of(entry)}" for name, entry in found.items()]
    seen.append(str(settle(admin.describe_user_scram_credentials(["bob"]))))
    return token, seen


def values_of(entry):
    """The one in force, and where it was set."""
    return [entry.value, *(synonym.value for synonym in (entry.synonyms or {}).values())]


def alter(admin, name, value):
    """The answer to a change of a setting that is a secret."""
    entry = ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
    change = ConfigResource(ResourceType.BROKER, "1", incremental_configs=[entry])
    try:
        return settle(admin.incremental_alter_configs([change]))
    except KafkaException as error:
        return error


def test_no_secret_is_shown_anywhere(node, provider):
    token, seen = use_every_secret(node, provider)
    log = (node.folder / "moldau.broker.log").read_text()
    assert "Failed authentication with" in log
    audit = (node.folder / "audit").read_text()
    assert "moldau.audit.login" in audit
    with urlopen((node.folder / METRICS).read_text(), timeout=WAIT_S) as page:
        metrics = page.read().decode()
    assert 'failed_authentication_total{listener="PLAINTEXT"}' in metrics
    shown = "\n".join([log, audit, metrics, *seen])
    assert not [name for name, secret in PASSWORDS.items() if secret in shown]
    assert KEY not in shown
    assert "sasl.jaas.config" in shown, "names of secrets are shown"
    assert not [name for name, secret in NAMED.items() if secret in shown]
    assert token.rpartition(".")[2] not in shown
    assert "eyJ" not in shown


def test_a_setting_that_cannot_be_read_shows_no_secret(provider, tmp_path):
    broken = {f"{LISTENER}plain.sasl.jaas.config": f'P required user_a="{PASSWORDS["plain"]}'}
    node = MoldauNode(tmp_path, settings={**settings(provider), **broken})
    with pytest.raises(Exception, match="with the semicolon") as refused:
        node.start()
    assert not [secret for secret in PASSWORDS.values() if secret in str(refused.value)]
