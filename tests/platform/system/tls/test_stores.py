"""Certificates and keys come out of every kind of store, in PEM."""

import ssl

import pytest
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12
from cryptography.x509 import load_der_x509_certificate, load_pem_x509_certificates

from moldau.platform.ports.tls import KeyStore, TlsError, TlsTerms
from moldau.platform.system.tls.contexts import make_context
from moldau.platform.system.tls.stores import read_certificates, read_identity, read_store
from tests.judges.certificates import PASSWORD, Certificates
from tests.platform.system.tls.handshakes import shaken_hands
from tests.platform.system.tls.java_stores import KEY_PASSWORD, keytool, make_key_store
from tests.platform.system.tls.java_stores import PASSWORD as JAVA_PASSWORD


@pytest.fixture
def certificates(tmp_path):
    return Certificates(tmp_path)


def identity(store):
    return read_identity(store, read_store(store))


def trusted(store):
    return read_certificates(store, read_store(store))


def test_pem_and_pkcs12_hold_the_same(certificates):
    pem = certificates.issue("node")
    by_pem = identity(KeyStore("PEM", str(pem))).pem
    by_pkcs12 = identity(KeyStore("PKCS12", str(pem.with_suffix(".p12")), PASSWORD)).pem
    assert "".join(by_pem.split()) == "".join(by_pkcs12.split())


def test_a_file_is_what_it_begins_with_whatever_its_type_is_called(certificates):
    pem = certificates.issue("node")
    store = KeyStore("JKS", str(pem.with_suffix(".p12")), PASSWORD)
    assert identity(store).pem.count("BEGIN CERTIFICATE") == 2


def test_pem_on_one_line_is_put_into_lines(certificates):
    text = certificates.issue("node").read_text()
    store = KeyStore("PEM", certificates=text.replace("\n", " "), key=None)
    assert identity(store).pem == text


def test_of_a_file_of_trust_the_certificates_count_alone(certificates):
    pem = certificates.issue("node")
    found = trusted(KeyStore("PEM", str(pem)))
    assert found.count("BEGIN CERTIFICATE") == 2
    assert "PRIVATE" not in found


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("missing.pem", "PEM", "no such file"),
        ("empty.pem", "PEM", "no certificate"),
        ("binary.pem", "PEM", "no PEM"),
        ("empty.pem", "PKCS12", "cannot be opened"),
    ],
)
def test_what_gives_no_trust_is_named_with_its_file(certificates, tmp_path, name, kind, reason):
    certificates.issue("node")
    (tmp_path / "empty.pem").write_text("")
    (tmp_path / "binary.pem").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(TlsError, match=reason) as caught:
        trusted(KeyStore(kind, str(tmp_path / name), PASSWORD))
    assert name in str(caught.value)


def test_a_trust_store_is_no_key_store(certificates, tmp_path):
    with pytest.raises(TlsError, match="no private key"):
        identity(KeyStore("PKCS12", str(tmp_path / "truststore.p12"), PASSWORD))


def subjects(pem):
    found = load_pem_x509_certificates(pem.encode())
    return sorted(one.subject.rfc4514_string() for one in found)


@pytest.mark.judge
@pytest.mark.parametrize("kind", ["PKCS12", "JKS"])
def test_of_a_key_its_own_certificate_is_trusted_beside_those_that_stand_alone(
    certificates, tmp_path, kind
):
    store = make_key_store(tmp_path / "both", kind)
    assert subjects(trusted(KeyStore(kind, str(store), JAVA_PASSWORD))) == ["CN=java,O=Stores"]
    keytool(store, kind, "-importcert", "-alias", "ca", "-file", str(certificates.trusted))
    found = trusted(KeyStore(kind, str(store), JAVA_PASSWORD))
    assert subjects(found) == ["CN=Tests,O=Moldau", "CN=java,O=Stores"]


@pytest.mark.judge
def test_an_authority_is_trusted_where_the_chain_of_a_key_has_it_too(certificates):
    """As where one store has both, and `keytool -importcert` has put the authority into it."""
    store = certificates.issue("node").with_suffix(".p12")
    asked = KeyStore("PKCS12", str(store), PASSWORD)
    assert subjects(trusted(asked)) == ["CN=node"]
    words = ("-importcert", "-alias", "authority", "-file", str(certificates.trusted))
    keytool(store, "PKCS12", *words, password=PASSWORD)
    assert subjects(trusted(asked)) == ["CN=Tests,O=Moldau", "CN=node"]
    assert subjects(identity(asked).pem) == ["CN=Tests,O=Moldau", "CN=node"]


@pytest.mark.judge
@pytest.mark.parametrize("password", [JAVA_PASSWORD, None])
def test_trust_needs_no_password_of_a_key(tmp_path, password):
    store = make_key_store(tmp_path / "keys.jks", "JKS", KEY_PASSWORD)
    assert subjects(trusted(KeyStore("JKS", str(store), password))) == ["CN=java,O=Stores"]


def test_an_identity_shows_nothing(certificates):
    assert repr(identity(KeyStore("PEM", str(certificates.issue("node"))))) == "Identity(hidden)"


@pytest.mark.judge
@pytest.mark.parametrize(
    ("cipher", "kind"),
    [("ECDHE-RSA-AES256-GCM-SHA384", "RSA"), ("ECDHE-ECDSA-AES256-GCM-SHA384", "EC")],
)
@pytest.mark.parametrize("form", ["JKS", "PKCS12"])
def test_of_a_store_with_keys_of_several_sorts_each_is_shown(tmp_path, cipher, kind, form):
    path = tmp_path / "store"
    for number, sort in enumerate(("RSA", "EC")):
        subject = ["-dname", f"CN={sort} {number}"]
        names = ["-alias", f"a{number}", "-keypass", JAVA_PASSWORD]
        keytool(path, form, "-genkeypair", "-keyalg", sort, *subject, *names)
    terms = TlsTerms(versions=("TLSv1.2",))
    server = make_context(
        terms, identity(KeyStore(form, str(path), JAVA_PASSWORD)), None, is_server=True
    )
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    client.maximum_version = ssl.TLSVersion.TLSv1_2
    client.set_ciphers(cipher)
    shown = load_der_x509_certificate(shaken_hands(server, client).getpeercert(True))
    assert shown.subject.rfc4514_string() == {"RSA": "CN=RSA 0", "EC": "CN=EC 1"}[kind]


@pytest.mark.judge
def test_a_store_of_the_kind_jceks_is_opened_under_its_own_name_alone(tmp_path):
    store = str(make_key_store(tmp_path / "store.jceks", "JCEKS", KEY_PASSWORD))
    found = identity(KeyStore("JCEKS", store, JAVA_PASSWORD, KEY_PASSWORD))
    assert subjects(found.pem) == ["CN=java,O=Stores"]
    for kind in ("JKS", "PKCS12"):
        with pytest.raises(TlsError, match="it is a store of the kind JCEKS: set the type"):
            identity(KeyStore(kind, store, JAVA_PASSWORD, KEY_PASSWORD))
    with pytest.raises(TlsError, match=r"the password (of the key )?is wrong"):
        identity(KeyStore("JCEKS", store, JAVA_PASSWORD, "another"))
    other = str(make_key_store(tmp_path / "store.p12", "PKCS12"))
    with pytest.raises(TlsError, match="it is no store of the kind JCEKS"):
        identity(KeyStore("JCEKS", other, JAVA_PASSWORD))


@pytest.mark.judge
def test_a_secret_key_beside_the_others_is_named(tmp_path):
    store = make_key_store(tmp_path / "store.jceks", "JCEKS")
    keytool(store, "JCEKS", "-genseckey", "-alias", "hush", "-keyalg", "AES", "-keysize", "128")
    with pytest.raises(TlsError, match="it has a secret key, 'hush': take it out by keytool"):
        identity(KeyStore("JCEKS", str(store), JAVA_PASSWORD))


def test_certificates_without_the_mark_of_java_are_not_trusted(certificates, tmp_path):
    path = tmp_path / "bare.p12"
    lock = BestAvailableEncryption(PASSWORD.encode())
    authority = [certificates.authority.certificate]
    path.write_bytes(pkcs12.serialize_key_and_certificates(None, None, None, authority, lock))
    with pytest.raises(TlsError, match="none of its certificates has the mark by which Java"):
        trusted(KeyStore("PKCS12", str(path), PASSWORD))
