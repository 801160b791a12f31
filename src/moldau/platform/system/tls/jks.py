"""Key stores in Java's own old form, JKS.

    FEEDFEED, version 1 or 2, count of entries
    each: kind (1 key, 2 certificate), alias, time; then
        key            the protected key, count of certificates, certificates
        certificate    a certificate
    certificate: its type (version 2), size, DER
    SHA-1 of the password, "Mighty Aphrodite" and all that is before

A protected key is a PKCS#8 EncryptedPrivateKeyInfo whose algorithm is Sun's: 20 bytes of salt, the
key xored with a chain of SHA-1 over password and what came before, and a SHA-1 of password and key.
Both digests are Java's choice; what is stored so is as safe as its file is.
"""

from __future__ import annotations

import hashlib
import hmac
from struct import Struct as Packer
from struct import error as StructError

from moldau.platform.der import DerError, read_der
from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.entries import KeyEntry, StoreContents

__all__ = ["MAGIC", "read_jks"]

MAGIC = b"\xfe\xed\xfe\xed"
WHITENER = b"Mighty Aphrodite"
KEY, CERTIFICATE = 1, 2
DIGEST_BYTES = 20
SUN_PROTECTION = bytes.fromhex("060a2b060104012a02110101")
"""The object identifier of the algorithm, in DER."""
_INT = Packer(">i")
_SHORT = Packer(">H")
_LONG_BYTES = 8


def read_jks(
    data: bytes, password: str | None, key_password: str | None, *, unlocks: bool = True
) -> StoreContents:
    """Its keys and certificates; without a password what is in it is not checked.

    A store of trust is read without unlocking the keys in it, whose passwords may be others.
    """
    if password is not None:
        _check(data, password)
    reader = _Reader(data)
    try:
        return reader.contents(key_password or password or "" if unlocks else None)
    except (StructError, DerError, IndexError) as error:
        raise TlsError(f"it is no whole key store of Java's: {error}") from None


def _check(data: bytes, password: str) -> None:
    body, digest = data[:-DIGEST_BYTES], data[-DIGEST_BYTES:]
    found = hashlib.sha1(_wide(password) + WHITENER + body, usedforsecurity=False).digest()
    if not hmac.compare_digest(found, digest):
        raise TlsError("the password is wrong, or the file was changed")


def _wide(password: str) -> bytes:
    return password.encode("utf-16-be")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = len(MAGIC)

    def contents(self, key_password: str | None) -> StoreContents:
        version, count = self._int(), self._int()
        keys: list[KeyEntry] = []
        trusted: list[bytes] = []
        for _ in range(count):
            kind = self._int()
            self._bytes(self._short())  # its alias
            self._bytes(_LONG_BYTES)  # when it was made
            if kind == KEY:
                protected = self._bytes(self._int())
                chain = tuple(self._certificate(version) for _ in range(self._int()))
                key = b"" if key_password is None else _unprotected(protected, key_password)
                keys.append(KeyEntry(key, chain))
            elif kind == CERTIFICATE:
                trusted.append(self._certificate(version))
            else:
                raise TlsError(f"it has an entry of the kind {kind}, which is none of JKS")
        return StoreContents(tuple(keys), tuple(trusted))

    def _certificate(self, version: int) -> bytes:
        if version > 1:
            self._bytes(self._short())
        return self._bytes(self._int())

    def _int(self) -> int:
        value: int = _INT.unpack(self._bytes(_INT.size))[0]
        return value

    def _short(self) -> int:
        value: int = _SHORT.unpack(self._bytes(_SHORT.size))[0]
        return value

    def _bytes(self, size: int) -> bytes:
        end = self._position + size
        if not 0 <= size <= len(self._data) - self._position:
            raise IndexError(f"{size} bytes are missing at {self._position}")
        found = self._data[self._position : end]
        self._position = end
        return found


def _unprotected(protected: bytes, password: str) -> bytes:
    """PKCS#8 in DER."""
    outer = read_der(protected).children()
    if not outer[0].body.startswith(SUN_PROTECTION):
        raise TlsError("its key is protected in a way that is not JKS's")
    blob = outer[1].body
    salt, hidden, digest = blob[:20], blob[20:-20], blob[-20:]
    wide, stream, last = _wide(password), b"", salt
    while len(stream) < len(hidden):
        last = hashlib.sha1(wide + last, usedforsecurity=False).digest()
        stream += last
    plain = bytes(one ^ other for one, other in zip(hidden, stream, strict=False))
    if not hmac.compare_digest(hashlib.sha1(wide + plain, usedforsecurity=False).digest(), digest):
        raise TlsError("the password of the key is wrong")
    return plain
