"""Stores in PKCS#12, as Java's keytool writes them and as we do."""

import pytest
from cryptography.hazmat.primitives.serialization import load_der_private_key
from cryptography.x509 import load_der_x509_certificate

from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.pkcs12 import read_pkcs12
from tests.judges.certificates import PASSWORD as OURS
from tests.judges.certificates import Certificates
from tests.platform.system.tls.java_stores import PASSWORD, make_key_store, make_trust_store


@pytest.mark.judge
def test_a_key_fits_its_certificate(tmp_path):
    store = make_key_store(tmp_path / "keys.p12", "PKCS12")
    (entry,) = read_pkcs12(store.read_bytes(), PASSWORD).keys
    key = load_der_private_key(entry.key, None)
    assert key.public_key() == load_der_x509_certificate(entry.chain[0]).public_key()


@pytest.mark.judge
def test_trusted_certificates_are_read(tmp_path):
    certificates = Certificates(tmp_path)
    store = make_trust_store(tmp_path / "trust.p12", "PKCS12", certificates.trusted)
    found = read_pkcs12(store.read_bytes(), PASSWORD).certificates
    assert load_der_x509_certificate(found[0]) == certificates.authority.certificate


def test_the_certificates_of_a_key_come_in_their_order(tmp_path):
    certificates = Certificates(tmp_path)
    pem = certificates.issue("node")
    found = read_pkcs12(pem.with_suffix(".p12").read_bytes(), OURS)
    (entry,) = found.keys
    subjects = [load_der_x509_certificate(one).subject.rfc4514_string() for one in entry.chain]
    assert subjects == ["CN=node", "CN=Tests,O=Moldau"]
    assert found.certificates == ()


@pytest.mark.parametrize("password", ["wrong", None])
def test_a_store_that_cannot_be_opened_is_refused(tmp_path, password):
    pem = Certificates(tmp_path).issue("node")
    with pytest.raises(TlsError, match="it cannot be opened"):
        read_pkcs12(pem.with_suffix(".p12").read_bytes(), password)
