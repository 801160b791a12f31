"""Rules of the types ENCRYPT, for fields, and ENCRYPT_PAYLOAD, for whole values.

Text is encrypted to base64, bytes to bytes. With `encrypt.dek.expiry.days` a key is written with
for that long; then the next version is made, and every ciphertext begins with its key's version:
a zero and four bytes.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Final

from moldau.client.schemas.encryption.data_keys import DataKey, DataKeys, Wanted, algorithm_of
from moldau.client.schemas.encryption.key_managers import KeyManager
from moldau.client.schemas.registry import RegistryClient
from moldau.platform.ports.clock import Clock
from moldau.platform.system.clock import SystemClock
from moldau.schemas.data_errors import DataError
from moldau.schemas.parsed import Field
from moldau.schemas.rules import WRITE, Rule, Run, Scene

__all__ = ["FieldEncryption"]

PAYLOAD: Final = "ENCRYPT_PAYLOAD"
DAY_MS: Final = 24 * 60 * 60 * 1000
MAGIC: Final = b"\0"
PREFIX_SIZE: Final = 5
FIRST: Final = 1


class FieldEncryption:
    """For `rules` of serializers and deserializers; key managers by their types."""

    types = ("ENCRYPT", PAYLOAD)

    def __init__(
        self,
        registry: RegistryClient,
        managers: Mapping[str, KeyManager],
        clock: Clock | None = None,
    ) -> None:
        self._keys = DataKeys(registry, managers)
        self._clock = clock or SystemClock()

    def __repr__(self) -> str:
        return f"<FieldEncryption with {self._keys!r}>"

    def runner(self, rule: Rule, scene: Scene) -> Run:
        wanted, days = _wanted(rule, scene), _days(rule)
        change: Run
        if scene.mode == WRITE:
            change = _Writing(self._keys, wanted, days * DAY_MS, self._clock)
        else:
            change = _Reading(self._keys, wanted, days > 0)
        if rule.type == PAYLOAD:
            return change

        def change_field(field: Field, value: object) -> object:
            if value is None or not rule.wants(field.name, field.tags):
                return value
            return change(value)

        return lambda value: scene.parsed.changed(value, change_field)


class _Writing:
    def __init__(self, keys: DataKeys, wanted: Wanted, expiry_ms: int, clock: Clock) -> None:
        self._keys = keys
        self._wanted = wanted
        self._expiry_ms = expiry_ms
        self._clock = clock
        self._key: DataKey | None = None

    def __call__(self, value: object) -> object:
        if isinstance(value, str):
            return base64.b64encode(self._encrypted(value.encode())).decode()
        if isinstance(value, bytes | bytearray | memoryview):
            return self._encrypted(bytes(value))
        raise DataError(f"{type(value).__name__} cannot be encrypted: only text and bytes can")

    def _encrypted(self, data: bytes) -> bytes:
        key = self._fresh()
        found = key.cipher.encrypt(data)
        if not self._expiry_ms:
            return found
        return MAGIC + key.version.to_bytes(4, "big") + found

    def _fresh(self) -> DataKey:
        if self._key is None:
            self._key = self._keys.to_write(self._wanted, newest=self._expiry_ms > 0)
        if self._is_old(self._key):
            self._key = self._keys.to_write(self._wanted, newest=True)
        if self._is_old(self._key):
            self._key = self._keys.make(self._wanted, self._key.version + 1)
        return self._key

    def _is_old(self, key: DataKey) -> bool:
        if not self._expiry_ms:
            return False
        return self._clock.now_ms() - key.timestamp_ms > self._expiry_ms


class _Reading:
    def __init__(self, keys: DataKeys, wanted: Wanted, has_version: bool) -> None:
        self._keys = keys
        self._wanted = wanted
        self._has_version = has_version

    def __call__(self, value: object) -> object:
        if not value:
            return value  # nothing that is encrypted is empty
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bytes | bytearray | memoryview):
            return self._decrypted(bytes(value))
        return value

    def _text(self, value: str) -> str:
        try:
            return self._decrypted(base64.b64decode(value, validate=True)).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise DataError("the field is not encrypted") from None

    def _decrypted(self, data: bytes) -> bytes:
        version = FIRST
        if self._has_version:
            if len(data) < PREFIX_SIZE:
                raise DataError("what is encrypted names no version of its key")
            version, data = int.from_bytes(data[1:PREFIX_SIZE], "big"), data[PREFIX_SIZE:]
        return self._keys.to_read(self._wanted, version).cipher.decrypt(data)


def _wanted(rule: Rule, scene: Scene) -> Wanted:
    given = rule.parameters
    name = given.get("encrypt.kek.name")
    if not name:
        raise DataError(f"the rule {rule.name!r} has no encrypt.kek.name")
    return Wanted(
        name,
        given.get("encrypt.kms.type") or "",
        given.get("encrypt.kms.key.id") or "",
        algorithm_of(given.get("encrypt.dek.algorithm") or "AES256_GCM"),
        scene.subject,
    )


def _days(rule: Rule) -> int:
    text = rule.parameters.get("encrypt.dek.expiry.days") or "0"
    if not text.isascii() or not text.isdecimal():
        raise DataError(f"encrypt.dek.expiry.days of the rule {rule.name!r} is no number: {text!r}")
    return int(text)
