"""Our own client protects its connections and logs in, with the settings of Java."""

from __future__ import annotations

import pytest

import moldau.client
import moldau.testing
from moldau.client.aio.world import ClientWorld
from moldau.client.protection import protection_of
from moldau.client.settings.client import ClientSettings
from moldau.config.refusals import SettingError
from tests.broker.server.login.dialogue import MODULE, SETTINGS
from tests.judges.certificates import HOSTS, PASSWORD, Certificates

ALICE = f'{MODULE} required username="alice" password="wonder";'


def settings(**given):
    return ClientSettings.of({"bootstrap.servers": "h:1", **given})


def test_a_client_asks_a_node_behind_a_login():
    with moldau.testing.Node(settings=SETTINGS) as node:
        login = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN"}
        with moldau.client.connect(node.bootstrap, **login, sasl_jaas_config=ALICE) as kafka:
            assert list(kafka.topics()) == []


@pytest.mark.parametrize(
    ("given", "clause"),
    [
        ({}, "needs a login"),
        ({"sasl.jaas.config": ALICE}, "no Kerberos here"),
        ({"sasl.jaas.config": "nothing", "sasl.mechanism": "PLAIN"}, "with the semicolon"),
    ],
)
def test_a_login_that_is_not_given_is_asked_for(given, clause):
    given_settings = settings(**{"security.protocol": "SASL_PLAINTEXT", **given})
    with pytest.raises(SettingError, match=clause):
        protection_of(given_settings, ClientWorld(None, None, None, None))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    certificates = Certificates(tmp_path_factory.mktemp("certificates"))
    certificates.issue("node", HOSTS)
    certificates.issue("alice")
    return certificates


@pytest.fixture(scope="module")
def mutual(certificates):
    """A node that wants certificates of its clients."""
    settings = certificates.pem_settings(certificates.folder / "node.pem") | {
        "listener.security.protocol.map": "PLAINTEXT:SSL,CONTROLLER:PLAINTEXT",
        "inter.broker.listener.name": "PLAINTEXT",
        "ssl.client.auth": "required",
    }
    with moldau.testing.Node(settings=settings) as node:
        yield node


def pem(certificates):
    return certificates.pem_settings(certificates.folder / "alice.pem")


def pkcs12(certificates):
    return {
        "ssl.keystore.type": "PKCS12",
        "ssl.keystore.location": str(certificates.folder / "alice.p12"),
        "ssl.keystore.password": PASSWORD,
        "ssl.truststore.type": "PKCS12",
        "ssl.truststore.location": str(certificates.folder / "truststore.p12"),
        "ssl.truststore.password": PASSWORD,
    }


def inline(certificates):
    text = (certificates.folder / "alice.pem").read_text()
    key, begin, chain = text.partition("-----BEGIN CERTIFICATE-----")
    return {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.key": key,
        "ssl.keystore.certificate.chain": begin + chain,
        "ssl.truststore.type": "PEM",
        "ssl.truststore.certificates": certificates.trusted.read_text(),
    }


@pytest.mark.parametrize("stores", [pem, pkcs12, inline])
def test_a_client_shows_a_certificate_from_any_kind_of_store(certificates, mutual, stores):
    given = {"bootstrap.servers": mutual.bootstrap, "security.protocol": "SSL"}
    given |= stores(certificates)
    with moldau.client.Producer(given) as producer:
        producer.send("letters", b"by TLS")
        producer.flush()
    with moldau.client.connect(given) as kafka:
        assert "letters" in kafka.topics()


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ({"ssl.truststore.location": "none.pem"}, "none.pem: no such file"),
        ({"ssl.keystore.password": "x"}, "key store password cannot be specified with PEM"),
        ({"ssl.enabled.protocols": "SSLv3"}, "SSLv3 is chosen"),
    ],
)
def test_settings_that_cannot_be_are_refused(certificates, mutual, change, clause):
    given = {"bootstrap.servers": mutual.bootstrap, "security.protocol": "SSL"}
    given |= pem(certificates) | change
    with pytest.raises(SettingError, match=clause), moldau.client.connect(given) as kafka:
        kafka.topics()


def test_a_client_without_a_certificate_reads_why_it_is_refused(certificates, mutual):
    given = {"bootstrap.servers": mutual.bootstrap, "security.protocol": "SSL"}
    given |= certificates.pem_settings() | {"default.api.timeout.ms": "3000"}
    with (
        pytest.raises(moldau.client.ClientError, match="wants a certificate, and none was shown"),
        moldau.client.connect(given) as kafka,
    ):
        kafka.topics()
