"""After a run with TLS and Kerberos no key and no password of a store is seen anywhere.

Looked for in the log at its finest level, refusals of changes and of starts, described settings,
metrics, the audit file and a debug bundle: passwords of key stores, trust stores and locked keys,
each line of every private key, and the keys of the keytab in hexadecimal and Base64.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from base64 import b64encode
from urllib.request import urlopen

import pytest
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewTopic,
    ResourceType,
)
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

import moldau.client
from tests.judges.certificates import HOSTS, PASSWORD, Certificates
from tests.judges.kafka_node import HOST, free_ports
from tests.judges.kerberos_centre import REALM, KerberosCentre, MissingCentre
from tests.judges.logins import written
from tests.judges.moldau_node import MoldauNode

pytest.importorskip("gssapi", reason="gssapi is not installed: pip install 'moldau[kerberos]'")

SERVICE = f"kafka/localhost@{REALM}"
KERBEROS = "com.sun.security.auth.module.Krb5LoginModule"
KEY_PASSWORD, WRONG_PASSWORD = "Shut-Sesame-1", "Shut-Sesame-2"
NAMES = ("PLAINTEXT", "STORED", "INLINE", "CONTROLLER")
WAIT_S = 30
KEY_LINE_MIN = 24
"""Shorter lines of a key are its last one, which may be a word of anything."""


class Guarded:
    """A node with keys in a store, in its settings and in a keytab; and all its secrets."""

    def __init__(self, folder, centre):
        self.folder, self.certificates = folder, Certificates(folder)
        self.keytab = centre.keytab("kafka/localhost")
        self.of_bob = centre.keytab("bob")
        self.stored = self.certificates.issue("CN=stored", HOSTS)
        self.inline = self.certificates.issue("CN=inline", HOSTS)
        self.client_keys = self.certificates.issue("CN=alice")
        ports = free_ports(len(NAMES) + 1)
        self.metrics = f"http://{HOST}:{ports.pop()}/metrics"
        self.places = places_at(ports)
        port = self.metrics.rpartition(":")[2].partition("/")[0]
        self.node = MoldauNode(
            folder,
            settings=self.settings(self.places),
            ports=(ports[0], ports[-1]),
            start_with=("--metrics-port", port, "--log-level", "debug"),
        )

    def settings(self, places):
        return {
            "listeners": ",".join(f"{name}://{place}" for name, place in places.items()),
            "listener.security.protocol.map": (
                "PLAINTEXT:SASL_PLAINTEXT,STORED:SSL,INLINE:SSL,CONTROLLER:SASL_PLAINTEXT"
            ),
            "controller.quorum.voters": f"1@{places['CONTROLLER']}",
            "inter.broker.listener.name": "PLAINTEXT",
            "sasl.kerberos.service.name": "kafka",
            "listener.name.plaintext.gssapi.sasl.jaas.config": jaas(self.keytab, SERVICE),
            "listener.name.controller.gssapi.sasl.jaas.config": jaas(self.keytab, SERVICE),
            "ssl.client.auth": "required",
            "ssl.truststore.type": "PKCS12",
            "ssl.truststore.location": str(self.folder / "truststore.p12"),
            "ssl.truststore.password": PASSWORD,
            "listener.name.stored.ssl.keystore.type": "PKCS12",
            "listener.name.stored.ssl.keystore.location": str(self.stored.with_suffix(".p12")),
            "listener.name.stored.ssl.keystore.password": PASSWORD,
            "listener.name.inline.ssl.keystore.type": "PEM",
            "listener.name.inline.ssl.keystore.key": on_one_line(locked(self.inline)),
            "listener.name.inline.ssl.keystore.certificate.chain": on_one_line(
                certificates_of(self.inline)
            ),
            "listener.name.inline.ssl.key.password": KEY_PASSWORD,
            "moldau.audit.file": str(self.folder / "audit"),
        }

    def tls_client(self, listener):
        place = {"bootstrap.servers": self.places[listener]}
        return place | self.certificates.librdkafka_settings(self.client_keys)

    def java_style(self):
        """Of our own tools: a key store and a keytab of theirs are secrets as well."""
        return {
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "GSSAPI",
            "sasl.kerberos.service.name": "kafka",
            "sasl.jaas.config": jaas(self.of_bob, f"bob@{REALM}"),
        }

    def secrets(self):
        texts = [locked(self.inline), *(path.read_text() for path in (self.stored, self.inline))]
        texts += [self.client_keys.read_text()]
        lines = {line for text in texts for line in key_lines(text)}
        return {PASSWORD, KEY_PASSWORD, WRONG_PASSWORD, *lines, *keytab_keys(self.keytab)}


def places_at(ports):
    return {name: f"localhost:{port}" for name, port in zip(NAMES, ports, strict=True)}


def jaas(keytab, principal):
    options = f'useKeyTab=true storeKey=true keyTab="{keytab}" principal="{principal}"'
    return f"{KERBEROS} required {options};"


def locked(pem):
    """The key of this file, locked by a password."""
    key = load_pem_private_key(pem.read_bytes(), None)
    lock = BestAvailableEncryption(KEY_PASSWORD.encode())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock).decode()


def certificates_of(pem):
    return "".join(re.findall(r"-+BEGIN CERT.*?END CERTIFICATE-+\n", pem.read_text(), re.DOTALL))


def key_of(pem):
    return pem.read_text().partition("-----BEGIN CERT")[0]


def on_one_line(text):
    return text.replace("\n", " ").strip()


def key_lines(text):
    """What is between the first and the last line of each private key."""
    for body in re.findall(r"PRIVATE KEY-+\n(.*?)-+END", text, re.DOTALL):
        yield from (line for line in body.split() if len(line) >= KEY_LINE_MIN)


def keytab_keys(keytab):
    listed = subprocess.run(
        ["klist", "-k", "-K", keytab], capture_output=True, text=True, check=True
    )
    for key in re.findall(r"\(0x([0-9a-f]+)\)", listed.stdout):
        yield from (key, b64encode(bytes.fromhex(key)).decode())


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    try:
        made = KerberosCentre(tmp_path_factory.mktemp("kerberos"))
    except MissingCentre as missing:
        pytest.skip(str(missing))
    with made, pytest.MonkeyPatch.context() as patch:
        for name, text in made.environment.items():
            patch.setenv(name, text)
        guarded = Guarded(tmp_path_factory.mktemp("node"), made)
        guarded.node.start()
        yield guarded
        guarded.node.kill()


def settle(futures):
    return [future.result(WAIT_S) for future in futures.values()]


def refusal(admin, changes):
    """The answer to a change of settings that cannot be."""
    entries = [
        ConfigEntry(name, value, incremental_operation=AlterConfigOpType.SET)
        for name, value in changes.items()
    ]
    change = ConfigResource(ResourceType.BROKER, "1", incremental_configs=entries)
    with pytest.raises(KafkaException) as refused:
        settle(admin.incremental_alter_configs([change]))
    return str(refused.value)


def use_every_key(guarded):
    """Texts that clients, operators and collectors get to see."""
    admin, seen = AdminClient(guarded.tls_client("STORED")), []
    settle(admin.create_topics([NewTopic("letters", 1, 1)]))
    for listener in ("STORED", "INLINE"):
        producer = Producer(guarded.tls_client(listener))
        producer.produce("letters", b"sealed")
        assert producer.flush(WAIT_S) == 0
    settings = {name.replace(".", "_"): text for name, text in guarded.java_style().items()}
    with moldau.client.connect(guarded.places["PLAINTEXT"], **settings) as client:
        assert "letters" in client.topics()
    inline = "listener.name.inline.ssl."
    spoiled = (
        {"listener.name.stored.ssl.keystore.password": WRONG_PASSWORD},
        {f"{inline}key.password": WRONG_PASSWORD},
        {f"{inline}keystore.key": on_one_line(key_of(guarded.stored))},
        {f"{inline}keystore.key": on_one_line(locked(guarded.inline))[:-60]},
        {"ssl.truststore.password": WRONG_PASSWORD},
    )
    seen += [refusal(admin, changes) for changes in spoiled]
    (found,) = settle(admin.describe_configs([ConfigResource(ResourceType.BROKER, "1")]))
    for name, entry in found.items():
        values = [entry.value, *(other.value for other in (entry.synonyms or {}).values())]
        seen.append(f"{name}={values}")
    return seen


def bundle(guarded):
    """Everything in it, with the log that goes in."""
    path = guarded.folder / "bundle.tar.gz"
    settings = written(guarded.folder / "bob.properties", guarded.java_style())
    place = ("--bootstrap-server", guarded.places["PLAINTEXT"], "--command-config", settings)
    log = guarded.folder / "moldau.broker.log"
    printed = guarded.node.run("debug-bundle", *place, "--log", log, path)
    with tarfile.open(path) as packed:
        files = [packed.extractfile(member) for member in packed.getmembers()]
        return [printed, *(file.read().decode() for file in files if file is not None)]


def test_no_key_and_no_password_of_a_store_is_shown_anywhere(guarded):
    seen = use_every_key(guarded)
    seen += bundle(guarded)
    log = (guarded.folder / "moldau.broker.log").read_text()
    audit = (guarded.folder / "audit").read_text()
    with urlopen(guarded.metrics, timeout=WAIT_S) as page:
        metrics = page.read().decode()
    assert "CN=alice" in audit
    assert "ssl.keystore.password" in "".join(seen), "names of secrets are shown"
    shown = "\n".join([log, audit, metrics, *seen])
    assert not [secret for secret in guarded.secrets() if secret in shown]
    assert "PRIVATE KEY" not in shown


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("listener.name.stored.ssl.keystore.password", WRONG_PASSWORD, "cannot be opened"),
        ("listener.name.inline.ssl.key.password", WRONG_PASSWORD, "its password is wrong"),
        ("ssl.truststore.password", WRONG_PASSWORD, "cannot be opened"),
        ("listener.name.plaintext.gssapi.sasl.jaas.config", jaas("/no", SERVICE), "cannot be read"),
    ],
)
def test_a_start_that_fails_shows_no_key_and_no_password(guarded, tmp_path, name, text, reason):
    settings = guarded.settings(places_at(free_ports(len(NAMES))))
    node = MoldauNode(tmp_path, settings={**settings, name: text})
    with pytest.raises(Exception, match="Moldau did not start") as refused:
        node.start()
    assert reason in str(refused.value)
    assert not [secret for secret in guarded.secrets() if secret in str(refused.value)]
    assert "PRIVATE KEY" not in str(refused.value)
