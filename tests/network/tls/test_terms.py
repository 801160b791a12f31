"""Settings of TLS go together as in Kafka, and are refused in its words."""

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.network.tls.terms import terms_of
from moldau.platform.ports.tls import ClientCertificates, KeyStore


def terms(**given):
    texts = {f"ssl.{name.replace('_', '.')}": value for name, value in given.items()}
    return terms_of(BrokerSettings(texts))


def test_a_key_store_needs_a_password_unless_it_is_pem():
    found = terms(keystore_location="a.jks", keystore_password="x", key_password="y")
    assert found.keys == KeyStore("JKS", "a.jks", "x", "y", None, None)
    assert terms(keystore_type="PEM", keystore_location="a.pem").keys == KeyStore("PEM", "a.pem")


def test_a_trust_store_needs_none():
    found = terms(truststore_type="pkcs12", truststore_location="a.p12")
    assert found.trusted == KeyStore("PKCS12", "a.p12")


def test_keys_and_certificates_may_stand_in_the_settings():
    found = terms(
        keystore_type="PEM",
        keystore_key="key",
        keystore_certificate_chain="chain",
        truststore_type="PEM",
        truststore_certificates="certificates",
    )
    assert found.keys == KeyStore("PEM", None, None, None, "chain", "key")
    assert found.trusted == KeyStore("PEM", certificates="certificates")


def test_what_is_chosen_is_handed_on():
    settings = BrokerSettings(
        {
            "ssl.enabled.protocols": "TLSv1.3",
            "ssl.cipher.suites": "TLS_AES_256_GCM_SHA384",
            "ssl.endpoint.identification.algorithm": "",
        }
    )
    found = terms_of(settings, ClientCertificates.REQUIRED)
    assert found.versions == ("TLSv1.3",)
    assert found.ciphers == ("TLS_AES_256_GCM_SHA384",)
    assert found.client_certificates is ClientCertificates.REQUIRED
    assert not found.checks_name
    assert terms().checks_name


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"keystore_password": "x"}, "key store is not specified, but key store password is"),
        ({"keystore_location": "a"}, "key store is specified, but key store password is not"),
        ({"keystore_key": "k"}, "private key can be specified only for PEM, but key store type is"),
        (
            {"keystore_key": "k", "keystore_type": "PEM"},
            "private key is specified, but certificate chain is not",
        ),
        (
            {"keystore_certificate_chain": "k", "keystore_type": "PEM"},
            "certificate chain is specified, but private key is not",
        ),
        (
            {
                "keystore_certificate_chain": "c",
                "keystore_key": "k",
                "keystore_location": "a",
                "keystore_type": "PEM",
            },
            "Both SSL key store location and separate private key are specified",
        ),
        (
            {"keystore_location": "a", "keystore_password": "x", "keystore_type": "PEM"},
            "key store password cannot be specified with PEM",
        ),
        ({"truststore_password": "x"}, "trust store is not specified, but trust store password is"),
        (
            {"truststore_certificates": "c"},
            "trust store certs can be specified only for PEM, but trust store type is JKS",
        ),
        (
            {
                "truststore_certificates": "c",
                "truststore_location": "a",
                "truststore_type": "PEM",
            },
            "Both SSL trust store location and separate trust certificates",
        ),
        (
            {"truststore_location": "a", "truststore_password": "x", "truststore_type": "PEM"},
            "trust store password cannot be specified for PEM",
        ),
        (
            {"truststore_location": "a", "truststore_type": "BCFKS"},
            "PEM, PKCS12, JKS, JCEKS, and not",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_in_kafkas_words(given, words):
    with pytest.raises(SettingError, match=words):
        terms(**given)
