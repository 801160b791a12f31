"""Who has the keys that data keys are encrypted with: a cloud's key manager, or a secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from moldau.client.schemas.encryption.ciphers import Gcm

__all__ = ["KeyManager", "LocalKeyManager"]

KEY_SIZE: Final = 16


class KeyManager(Protocol):
    """Wraps keys for one type, such as `aws-kms`; may ask a service, and raise `MoldauError`."""

    def encrypt(self, key_id: str, properties: Mapping[str, str], data_key: bytes) -> bytes:
        """With the key that has this id there; `properties` are the KEK's."""
        ...

    def decrypt(self, key_id: str, properties: Mapping[str, str], encrypted: bytes) -> bytes: ...


class LocalKeyManager:
    """For `local-kms`: one key, made from a secret that all clients know, for tests and beginnings.

    It is the key that confluent-kafka's `LocalKmsDriver` makes from `LOCAL_SECRET`.
    """

    def __init__(self, secret: str) -> None:
        derive = HKDF(algorithm=SHA256(), length=KEY_SIZE, salt=None, info=b"").derive
        self._cipher = Gcm(derive(secret.encode()))

    def __repr__(self) -> str:
        return "<LocalKeyManager>"

    def encrypt(self, key_id: str, properties: Mapping[str, str], data_key: bytes) -> bytes:
        return self._cipher.encrypt(data_key)

    def decrypt(self, key_id: str, properties: Mapping[str, str], encrypted: bytes) -> bytes:
        return self._cipher.decrypt(encrypted)
