"""Keys and ciphertexts have the forms of Tink, which is the judge where it is installed."""

from __future__ import annotations

import pytest

from moldau.client.schemas.encryption.ciphers import ALGORITHMS, cipher_of, new_key
from moldau.schemas.data_errors import DataError

DATA = b"what may not be read"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_what_is_encrypted_is_decrypted_by_the_same_key_alone(algorithm):
    cipher = cipher_of(algorithm, new_key(algorithm))
    assert cipher.decrypt(cipher.encrypt(DATA)) == DATA
    with pytest.raises(DataError, match="not encrypted with this key"):
        cipher_of(algorithm, new_key(algorithm)).decrypt(cipher.encrypt(DATA))
    with pytest.raises(DataError, match="not encrypted with this key"):
        cipher.decrypt(b"x")
    is_same = cipher.encrypt(DATA) == cipher.encrypt(DATA)
    assert is_same is (algorithm == "AES256_SIV")


@pytest.mark.parametrize("message", [b"", b"\x1a", b"\x1a\x10short", b"\x08\x00"])
def test_what_is_no_key_is_refused(message):
    with pytest.raises(DataError, match="is no key for AES128_GCM"):
        cipher_of("AES128_GCM", message)


def test_a_key_may_name_its_version():
    message = b"\x08\x00" + new_key("AES128_GCM")
    assert cipher_of("AES128_GCM", message).encrypt(DATA)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_tink_decrypts_what_is_encrypted_here_and_the_other_way_round(algorithm):
    pytest.importorskip("tink", reason="tink judges the forms of ciphertexts")
    theirs = pytest.importorskip(
        "confluent_kafka.schema_registry.rules.encryption.encrypt_executor"
    )
    judge = theirs.Cryptor(theirs.DekAlgorithm[algorithm])
    for key in (new_key(algorithm), judge.generate_key()):
        cipher = cipher_of(algorithm, key)
        assert judge.decrypt(key, cipher.encrypt(DATA), b"") == DATA
        assert cipher.decrypt(judge.encrypt(key, DATA, b"")) == DATA
