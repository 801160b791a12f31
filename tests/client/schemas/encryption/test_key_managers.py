"""The local key manager."""

from __future__ import annotations

import pytest

from moldau.client.schemas.encryption.key_managers import LocalKeyManager
from moldau.schemas.data_errors import DataError


def test_the_same_secret_is_the_same_key():
    encrypted = LocalKeyManager("secret").encrypt("id", {}, b"key")
    assert LocalKeyManager("secret").decrypt("other", {}, encrypted) == b"key"
    with pytest.raises(DataError):
        LocalKeyManager("another").decrypt("id", {}, encrypted)
    assert "secret" not in repr(LocalKeyManager("secret"))


def test_what_confluents_driver_encrypts_is_decrypted_here():
    client = pytest.importorskip(
        "confluent_kafka.schema_registry.rules.encryption.localkms.local_client",
        reason="confluent-kafka encrypts with tink and hkdf",
    )
    pytest.importorskip("tink").aead.register()
    theirs = client.LocalKmsClient("secret").get_aead("local-kms://id")
    ours = LocalKeyManager("secret")
    assert ours.decrypt("id", {}, theirs.encrypt(b"key", b"")) == b"key"
    assert theirs.decrypt(ours.encrypt("id", {}, b"key"), b"") == b"key"
