"""How keys and certificates are locked in stores: by a password, in one of three ways.

    PBES2                 RFC 8018: a key by PBKDF2, then AES or Triple DES
    PKCS#12               RFC 7292, appendix B: a key by a chain of SHA-1, then Triple DES or RC2
    Java's own, JCEKS     a key by two chains of MD5, one for each half of the salt; Triple DES

All are blocks in a chain (CBC), padded as PKCS#7 says.
"""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.padding import PKCS7

from moldau.platform.der import DerError, Element
from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.rc2 import rc2_opened

__all__ = ["unlocked"]

ITERATIONS_MAX: Final = 5_000_000
"""As Java has it."""
CHAIN_BYTES: Final = 64
"""What SHA-1 takes at a time."""
BITS_PER_BYTE = 8
DES_KEY_BYTES, DES_BLOCK_BYTES = 24, 8
FOR_KEY, FOR_VECTOR = 1, 2
"""What PKCS#12 derives bytes for."""
SEQUENCE: Final = 0x30
PBES2: Final = bytes.fromhex("2a864886f70d01050d")
JCEKS: Final = bytes.fromhex("2b060104012a021301")
HMAC_SHA1: Final = bytes.fromhex("2a864886f70d0207")
HASHES: Final = {
    HMAC_SHA1: "sha1",
    bytes.fromhex("2a864886f70d0208"): "sha224",
    bytes.fromhex("2a864886f70d0209"): "sha256",
    bytes.fromhex("2a864886f70d020a"): "sha384",
    bytes.fromhex("2a864886f70d020b"): "sha512",
}
CIPHERS: Final[dict[bytes, tuple[type[AES | TripleDES], int]]] = {
    bytes.fromhex("60864801650304012a"): (AES, 32),
    bytes.fromhex("608648016503040116"): (AES, 24),
    bytes.fromhex("608648016503040102"): (AES, 16),
    bytes.fromhex("2a864886f70d0307"): (TripleDES, DES_KEY_BYTES),
}
"""Of PBES2, with the bytes of their keys."""
OLD_CIPHERS: Final[dict[bytes, tuple[type[AES | TripleDES] | None, int]]] = {
    bytes.fromhex("2a864886f70d010c0103"): (TripleDES, DES_KEY_BYTES),
    bytes.fromhex("2a864886f70d010c0104"): (TripleDES, 16),
    bytes.fromhex("2a864886f70d010c0105"): (None, 16),
    bytes.fromhex("2a864886f70d010c0106"): (None, 5),
}
"""Of PKCS#12; None is RC2."""


def unlocked(algorithm: Element, data: bytes, password: str) -> bytes:
    """What `data` is, locked by this AlgorithmIdentifier; `TlsError` where it does not open."""
    try:
        lock = _lock(algorithm, password)
        padding = PKCS7(BITS_PER_BYTE * len(lock.vector)).unpadder()
        return padding.update(_opened(lock, data)) + padding.finalize()
    except (ValueError, IndexError, DerError):
        raise TlsError("the password is wrong, or what is locked by it is not whole") from None


class _Lock(NamedTuple):
    cipher: type[AES | TripleDES] | None
    """None is RC2."""
    key: bytes
    vector: bytes


def _opened(lock: _Lock, data: bytes) -> bytes:
    if lock.cipher is None:
        return rc2_opened(lock.key, lock.vector, data)
    key = lock.key
    if lock.cipher is TripleDES and len(key) < DES_KEY_BYTES:
        key += key[:DES_BLOCK_BYTES]
    decryptor = Cipher(lock.cipher(key), CBC(lock.vector)).decryptor()
    return decryptor.update(data) + decryptor.finalize()


def _lock(algorithm: Element, password: str) -> _Lock:
    name, *terms = algorithm.children()
    if name.body == PBES2:
        return _of_pbes2(terms[0], password)
    salt, count = (one.body for one in terms[0].children())
    iterations = _iterations(count)
    if name.body == JCEKS:
        derived = _two_chains(salt, password, iterations)
        return _Lock(TripleDES, derived[:DES_KEY_BYTES], derived[-DES_BLOCK_BYTES:])
    if name.body not in OLD_CIPHERS:
        raise TlsError(f"it is locked by an algorithm that is not known here: {name.body.hex()}")
    cipher, size = OLD_CIPHERS[name.body]
    return _Lock(
        cipher,
        _chained(FOR_KEY, salt, password, iterations, size),
        _chained(FOR_VECTOR, salt, password, iterations, DES_BLOCK_BYTES),
    )


def _of_pbes2(terms: Element, password: str) -> _Lock:
    derivation, encryption = terms.children()
    salt, count, *more = derivation.children()[1].children()
    named, vector = encryption.children()
    functions = [one.children()[0].body for one in more if one.tag == SEQUENCE]
    hash_name = HASHES.get(functions[0] if functions else HMAC_SHA1)
    if named.body not in CIPHERS or hash_name is None:
        raise TlsError(f"it is locked by an algorithm that is not known here: {named.body.hex()}")
    cipher, size = CIPHERS[named.body]
    iterations = _iterations(count.body)
    key = hashlib.pbkdf2_hmac(hash_name, password.encode(), salt.body, iterations, size)
    return _Lock(cipher, key, vector.body)


def _iterations(count: bytes) -> int:
    iterations = int.from_bytes(count, "big")
    if not 0 < iterations <= ITERATIONS_MAX:
        raise TlsError(f"it is locked by {iterations} iterations; {ITERATIONS_MAX} are the most")
    return iterations


def _chained(purpose: int, salt: bytes, password: str, iterations: int, size: int) -> bytes:
    """RFC 7292, B.2."""
    secret = (password + "\0").encode("utf-16-be")
    state = bytearray(_filled(salt) + _filled(secret))
    derived = b""
    while len(derived) < size:
        block = bytes([purpose]) * CHAIN_BYTES + state
        for _ in range(iterations):
            block = hashlib.sha1(block, usedforsecurity=False).digest()
        derived += block
        addend = int.from_bytes(_filled(block)[:CHAIN_BYTES], "big") + 1
        for start in range(0, len(state), CHAIN_BYTES):
            summed = int.from_bytes(state[start : start + CHAIN_BYTES], "big") + addend
            state[start : start + CHAIN_BYTES] = summed.to_bytes(CHAIN_BYTES + 1, "big")[1:]
    return derived[:size]


def _filled(text: bytes) -> bytes:
    """Repeated up to whole blocks."""
    size = -(-len(text) // CHAIN_BYTES) * CHAIN_BYTES
    return (text * (size // len(text) + 1))[:size] if text else b""


def _two_chains(salt: bytes, password: str, iterations: int) -> bytes:
    """Java's own. (It swaps bytes of a salt whose halves are alike, which chance does not make.)"""
    secret, half, derived = password.encode("ascii", "replace"), len(salt) // 2, b""
    for part in (salt[:half], salt[half:]):
        for _ in range(iterations):
            part = hashlib.md5(part + secret, usedforsecurity=False).digest()
        derived += part
    return derived
