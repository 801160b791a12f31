"""Contexts allow what is chosen, and refuse in one sentence what cannot be."""

import ssl

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from moldau.platform.ports.tls import ClientCertificates, TlsError, TlsTerms
from moldau.platform.system.tls.contexts import make_context
from moldau.platform.system.tls.stores import Identity
from tests.judges.certificates import Certificates, now_ms
from tests.platform.system.tls.handshakes import shaken_hands

SIGNED_WITH_SHA_1 = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghfkMX+Vj+nHoim2p
my3QMRv8A+EoHgfgw/Yvh8m7jZehRANCAASxPlnARfDm0w/6yaUI5oQaoVvTBlmY
m8p3oUtUYixSsH+0DTJNHjFX0qxfy79kr6ddla1NllexJjP42pYit/Wg
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBADCBqAIBATAJBgcqhkjOPQQBMA0xCzAJBgNVBAMMAmNhMCAXDTI2MTEyNDEw
MjE0M1oYDzIxMjYxMDMxMTAyMTQzWjAMMQowCAYDVQQDDAF3MFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEsT5ZwEXw5tMP+smlCOaEGqFb0wZZmJvKd6FLVGIsUrB/
tA0yTR4xV9KsX8u/ZK+nXZWtTZZXsSYz+NqWIrf1oDAJBgcqhkjOPQQBA0gAMEUC
ID5h4qOm7k+JA0+gQukeGGToJItkKcB3jagkOC+iRtUbAiEAwDTh2zt+/UJfT/io
2f68La7lfRwhY95v1lSnezPYQsQ=
-----END CERTIFICATE-----
"""
"""By an authority that is gone: today's libraries sign nothing with SHA-1."""
V12, V13 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


def made(terms, identity=None, trusted=None, is_server=True):
    return make_context(terms, identity, trusted, is_server=is_server)


@pytest.mark.parametrize(
    ("versions", "ciphers", "expected"),
    [
        (("TLSv1.2", "TLSv1.3"), (), (V12, V13)),
        (("TLSv1.3",), (), (V13, V13)),
        (("TLSv1.2", "TLSv1.1", "TLSv1"), (), (V12, V12)),
        (("TLSv1.2", "TLSv1.3"), ("TLS_RSA_WITH_AES_256_CBC_SHA",), (V12, V12)),
        (("TLSv1.2", "TLSv1.3"), ("TLS_AES_256_GCM_SHA384",), (V13, V13)),
    ],
)
def test_only_chosen_versions_are_spoken(versions, ciphers, expected):
    context = made(TlsTerms(versions=versions, ciphers=ciphers))
    assert (context.minimum_version, context.maximum_version) == expected


@pytest.mark.parametrize(
    ("versions", "ciphers", "reason"),
    [
        (("TLSv1.1",), (), "TLSv1.1 is chosen"),
        (("TLSv1.2", "TLSv9"), (), "TLSv9 is chosen"),
        (("TLSv1.2", "TLSv1.1", "TLSv9"), (), "and TLSv9 is chosen"),
        ((), (), "none is chosen"),
        (("TLSv1.2",), ("TLS_AES_256_GCM_SHA384",), "no chosen cipher suite belongs"),
        (("TLSv1.2",), ("TLS_NO_WITH_SUCH",), "none of the chosen cipher suites: NO-SUCH"),
    ],
)
def test_impossible_choices_are_refused(versions, ciphers, reason):
    with pytest.raises(TlsError, match=reason):
        made(TlsTerms(versions=versions, ciphers=ciphers))


def test_client_certificates_are_wanted_as_chosen():
    modes = [made(TlsTerms(client_certificates=each)).verify_mode for each in ClientCertificates]
    assert modes == [ssl.CERT_NONE, ssl.CERT_OPTIONAL, ssl.CERT_REQUIRED]


def test_a_client_checks_names_unless_set_otherwise():
    contexts = [made(TlsTerms(checks_name=each), is_server=False) for each in (True, False)]
    assert [context.check_hostname for context in contexts] == [True, False]
    assert {context.verify_mode for context in contexts} == {ssl.CERT_REQUIRED}


@pytest.fixture
def issued(tmp_path):
    return Certificates(tmp_path).authority.issue("node", (), now_ms(), 1)


def locked(issued):
    lock = BestAvailableEncryption(b"hush")
    key = issued.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock).decode()
    return key + issued.certificate.public_bytes(Encoding.PEM).decode()


def test_a_locked_key_is_opened_by_its_password(issued):
    made(TlsTerms(), Identity(locked(issued), "hush"))


@pytest.mark.parametrize(("password", "reason"), [("wrong", "is wrong"), (None, "is needed")])
def test_a_locked_key_without_its_password_is_refused(issued, password, reason):
    with pytest.raises(TlsError, match=reason):
        made(TlsTerms(), Identity(locked(issued), password))


def test_a_key_of_another_certificate_is_refused(tmp_path, issued):
    other = Certificates(tmp_path).authority.issue("other", (), now_ms(), 1)
    begin = "-----BEGIN CERTIFICATE"
    mixed = other.pem.partition(begin)[0] + begin + issued.pem.partition(begin)[2]
    with pytest.raises(TlsError, match="not that of the first certificate"):
        made(TlsTerms(), Identity(mixed, None))


@pytest.mark.parametrize("version", [V12, V13])
@pytest.mark.parametrize("ciphers", [(), ("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",)])
def test_a_certificate_that_is_signed_weakly_is_shown_with_a_warning(version, ciphers, caplog):
    if version is V13 and ciphers:
        ciphers = ("TLS_AES_256_GCM_SHA384",)
    server = made(TlsTerms(ciphers=ciphers), Identity(SIGNED_WITH_SHA_1, None))
    [warning] = [record.getMessage() for record in caplog.records]
    assert "have it issued with SHA-256" in warning
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    client.minimum_version = client.maximum_version = version
    client.set_ciphers("DEFAULT:@SECLEVEL=0")
    end = shaken_hands(server, client, "localhost")
    assert end.version() == {V12: "TLSv1.2", V13: "TLSv1.3"}[version]


def test_a_weak_certificate_brings_no_suite_back(issued):
    terms = TlsTerms(ciphers=("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",))
    strong = made(terms, Identity(locked(issued), "hush")).get_ciphers()
    weak = made(terms, Identity(SIGNED_WITH_SHA_1, None)).get_ciphers()
    assert [one["name"] for one in weak] == [one["name"] for one in strong]


def test_what_is_no_pem_is_refused():
    with pytest.raises(TlsError, match="no certificate with its private key"):
        made(TlsTerms(), Identity("", None))
    with pytest.raises(TlsError, match="trusted certificates cannot be read"):
        made(TlsTerms(client_certificates=ClientCertificates.REQUIRED), None, "no")


@pytest.mark.parametrize("version", [V12, V13])
def test_names_and_protocols_that_a_client_asks_for_change_nothing(issued, version):
    """SNI may name any host, and ALPN any protocol: there is one certificate, and Kafka's."""
    server = made(TlsTerms(), Identity(locked(issued), "hush"))
    shown = []
    for name, protocols in (("localhost", ()), ("other.example", ("h2", "http/1.1"))):
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        client.minimum_version = client.maximum_version = version
        client.set_alpn_protocols(protocols)
        end = shaken_hands(server, client, name)
        assert (end.version(), end.selected_alpn_protocol()) == (
            version.name.replace("_", "."),
            None,
        )
        shown.append(end.getpeercert(True))
    assert shown[0] is not None
    assert shown[0] == shown[1]
