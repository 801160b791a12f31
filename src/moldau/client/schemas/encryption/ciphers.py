"""What data keys do, in the forms of Google's Tink, which Confluent's clients use.

A key is the protobuf message that Tink has for it: its version, which is 0 and so not written, and
the key itself. What AES-GCM encrypts begins with 12 random bytes; AES-SIV needs none, so that equal
values stay equal, and one can still join by them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV

from moldau.schemas.data_errors import DataError

__all__ = ["ALGORITHMS", "Cipher", "Gcm", "cipher_of", "new_key"]

NONCE_SIZE: Final = 12
BYTES_FIELD: Final = 2
"""Protobuf's wire type of bytes."""
VARINT_FIELD: Final = 0
FIELD_BITS: Final = 3
SHORT_MAX: Final = 127


class _Algorithm(NamedTuple):
    """How many bytes a key has, and the number of its field in Tink's message."""

    size: int
    field: int


ALGORITHMS: Final[Mapping[str, _Algorithm]] = {
    "AES128_GCM": _Algorithm(16, 3),
    "AES256_GCM": _Algorithm(32, 3),
    "AES256_SIV": _Algorithm(64, 2),
}


class Cipher(Protocol):
    def encrypt(self, data: bytes) -> bytes: ...

    def decrypt(self, data: bytes) -> bytes:
        """`DataError` for what this key did not encrypt."""
        ...


class Gcm:
    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def encrypt(self, data: bytes) -> bytes:
        nonce = AESGCM.generate_key(128)[:NONCE_SIZE]
        return nonce + self._cipher.encrypt(nonce, data, None)

    def decrypt(self, data: bytes) -> bytes:
        try:
            return self._cipher.decrypt(data[:NONCE_SIZE], data[NONCE_SIZE:], None)
        except (InvalidTag, ValueError):
            raise DataError("it was not encrypted with this key") from None


class _Siv:
    def __init__(self, key: bytes) -> None:
        self._cipher = AESSIV(key)

    def encrypt(self, data: bytes) -> bytes:
        return self._cipher.encrypt(data, [b""])

    def decrypt(self, data: bytes) -> bytes:
        try:
            return self._cipher.decrypt(data, [b""])
        except (InvalidTag, ValueError):
            raise DataError("it was not encrypted with this key") from None


def new_key(algorithm: str) -> bytes:
    """A new key, in Tink's form."""
    size, field = ALGORITHMS[algorithm]
    if algorithm == "AES256_SIV":
        key = AESSIV.generate_key(8 * size)
    else:
        key = AESGCM.generate_key(8 * size)
    return bytes([field << FIELD_BITS | BYTES_FIELD, size]) + key


def cipher_of(algorithm: str, message: bytes) -> Cipher:
    """The cipher of a key in Tink's form; `DataError` for what is none."""
    size, field = ALGORITHMS[algorithm]
    key = _key_in(message, field)
    if len(key) != size:
        raise DataError(f"the data key is no key for {algorithm}")
    return _Siv(key) if algorithm == "AES256_SIV" else Gcm(key)


def _key_in(message: bytes, wanted: int) -> bytes:
    """The bytes of that field; all that these messages have beside is a version."""
    at = 0
    while at + 1 < len(message):
        field, kind = message[at] >> FIELD_BITS, message[at] & (1 << FIELD_BITS) - 1
        length = message[at + 1]
        if length > SHORT_MAX or kind not in (VARINT_FIELD, BYTES_FIELD):
            break
        at += 2
        if kind == BYTES_FIELD:
            if field == wanted:
                return message[at : at + length]
            at += length
    return b""
