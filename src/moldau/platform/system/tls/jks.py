"""Key stores in Java's own old forms, JKS and JCEKS.

    FEEDFEED or CECECECE, version 1 or 2, count of entries
    each: kind (1 key, 2 certificate, of JCEKS 3 a secret key), alias, time; then
        key            the protected key, count of certificates, certificates
        certificate    a certificate
    certificate: its type (version 2), size, DER
    SHA-1 of the password, "Mighty Aphrodite" and all that is before

A protected key is a PKCS#8 EncryptedPrivateKeyInfo whose algorithm is Sun's: 20 bytes of salt, the
key xored with a chain of SHA-1 over password and what came before, and a SHA-1 of password and key.
Both digests are Java's choice; what is stored so is as safe as its file is. JCEKS locks its keys by
Triple DES, with a key that takes some time to make. A secret key in it is an object of Java's, and
TLS has no use for it: such a store is refused.
"""

from __future__ import annotations

import hashlib
import hmac
from importlib import import_module
from struct import Struct as Packer
from struct import error as StructError

from moldau.platform.der import DerError, Element, read_der
from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.alias_order import as_a_hashtable
from moldau.platform.system.tls.entries import KeyEntry, StoreContents

__all__ = ["JCEKS_MAGIC", "MAGIC", "read_jks"]

MAGIC = b"\xfe\xed\xfe\xed"
JCEKS_MAGIC = b"\xce\xce\xce\xce"
WHITENER = b"Mighty Aphrodite"
KEY, CERTIFICATE, SECRET_KEY = 1, 2, 3
LOCKS = "moldau.platform.system.tls.store_locks"
"""Imported where a store of JCEKS has a key."""
DIGEST_BYTES = 20
KEY_PARTS_MIN = 3
"""Of PKCS#8: version, algorithm, key."""
SUN_PROTECTION = bytes.fromhex("060a2b060104012a02110101")
JCEKS_PROTECTION = bytes.fromhex("06092b060104012a021301")
"""The object identifiers of the algorithms, in DER."""
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
        keys: dict[str, KeyEntry] = {}
        trusted: dict[str, bytes] = {}
        aliases: dict[str, None] = {}
        for _ in range(count):
            kind = self._int()
            alias = self._bytes(self._short()).decode("utf-8", "replace")
            aliases[alias] = None
            self._bytes(_LONG_BYTES)  # when it was made
            if kind == KEY:
                protected = self._bytes(self._int())
                chain = tuple(self._certificate(version) for _ in range(self._int()))
                key = b"" if key_password is None else _unprotected(protected, key_password)
                keys[alias] = KeyEntry(key, chain, alias)
            elif kind == CERTIFICATE:
                trusted[alias] = self._certificate(version)
            elif kind == SECRET_KEY:
                raise TlsError(f"it has a secret key, {alias!r}: take it out by keytool -delete")
            else:
                raise TlsError(f"it has an entry of the kind {kind}, which is none of JKS")
        listed = [keys[alias] for alias in as_a_hashtable(aliases) if alias in keys]
        return StoreContents(tuple(listed), tuple(trusted.values()))

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
    algorithm, locked = read_der(protected).children()
    if algorithm.body.startswith(JCEKS_PROTECTION):
        return _unlocked(algorithm, locked.body, password)
    if not algorithm.body.startswith(SUN_PROTECTION):
        raise TlsError("its key is protected in a way that is neither JKS's nor JCEKS's")
    blob = locked.body
    salt, hidden, digest = blob[:20], blob[20:-20], blob[-20:]
    wide, stream, last = _wide(password), b"", salt
    while len(stream) < len(hidden):
        last = hashlib.sha1(wide + last, usedforsecurity=False).digest()
        stream += last
    plain = bytes(one ^ other for one, other in zip(hidden, stream, strict=False))
    if not hmac.compare_digest(hashlib.sha1(wide + plain, usedforsecurity=False).digest(), digest):
        raise TlsError("the password of the key is wrong")
    return plain


def _unlocked(algorithm: Element, locked: bytes, password: str) -> bytes:
    """One of 256 wrong passwords leaves a padding that fits, and no key."""
    key: bytes = import_module(LOCKS).unlocked(algorithm, locked, password)
    try:
        is_key = len(read_der(key).children()) >= KEY_PARTS_MIN
    except DerError:
        is_key = False
    if not is_key:
        raise TlsError("the password of the key is wrong")
    return key
