"""Stores in Java's old form, as Java's keytool writes them."""

import pytest
from cryptography.hazmat.primitives.serialization import load_der_private_key
from cryptography.x509 import load_der_x509_certificate

from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.jks import MAGIC, read_jks
from tests.judges.certificates import Certificates
from tests.platform.system.tls.java_stores import (
    KEY_PASSWORD,
    PASSWORD,
    make_key_store,
    make_trust_store,
)


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    path = tmp_path_factory.mktemp("jks") / "keys.jks"
    return make_key_store(path, "JKS", KEY_PASSWORD).read_bytes()


@pytest.mark.judge
def test_a_key_is_unlocked_and_fits_its_certificate(keys):
    (entry,) = read_jks(keys, PASSWORD, KEY_PASSWORD).keys
    key = load_der_private_key(entry.key, None)
    certificate = load_der_x509_certificate(entry.chain[0])
    assert key.public_key() == certificate.public_key()


@pytest.mark.judge
def test_certificates_that_stand_alone_are_read_even_without_a_password(tmp_path):
    certificates = Certificates(tmp_path)
    store = make_trust_store(tmp_path / "trust.jks", "JKS", certificates.trusted)
    found = read_jks(store.read_bytes(), None, None)
    assert load_der_x509_certificate(found.certificates[0]) == certificates.authority.certificate
    assert found.keys == ()


@pytest.mark.judge
@pytest.mark.parametrize(
    ("password", "key_password", "reason"),
    [("wrong", KEY_PASSWORD, "wrong, or the file"), (PASSWORD, "wrong", "of the key is wrong")],
)
def test_wrong_passwords_are_named(keys, password, key_password, reason):
    with pytest.raises(TlsError, match=reason):
        read_jks(keys, password, key_password)


@pytest.mark.judge
def test_a_store_that_is_cut_off_anywhere_is_refused(keys):
    for size in range(len(MAGIC), len(keys) - 20, 97):
        with pytest.raises(TlsError):
            read_jks(keys[:size], None, KEY_PASSWORD)
