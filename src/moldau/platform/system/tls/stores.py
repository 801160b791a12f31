"""Certificates and keys from whichever store, in PEM, which is all that OpenSSL is given.

Of JKS and PKCS12 the form of a file is what it begins with, not what the settings call it: Java
opens files of either under the name of the other one, too. JCEKS is a name of its own, as in Java.
"""

from __future__ import annotations

import re
import ssl
from base64 import encodebytes
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from moldau.platform.ports.tls import KeyStore, TlsError
from moldau.platform.system.tls.alias_order import as_a_hash_map
from moldau.platform.system.tls.entries import KeyEntry, StoreContents
from moldau.platform.system.tls.jks import JCEKS_MAGIC, MAGIC, read_jks

__all__ = ["Identity", "first_certificate", "read_certificates", "read_identity", "read_store"]

PEM = "PEM"
PKCS12 = "moldau.platform.system.tls.pkcs12"
"""Imported where there is such a store."""
JCEKS = "JCEKS"
ONLY_JCEKS = "it is a store of the kind JCEKS: set the type of the store to that"
NOT_JCEKS = "it is no store of the kind JCEKS, which the type of the store says"
UNMARKED = (
    "none of its certificates has the mark by which Java trusts it: "
    "import them by keytool -importcert, or take them in PEM"
)
CERTIFICATE = "CERTIFICATE"
LINE = 64
_BLOCK = re.compile(r"-{5}BEGIN ([A-Z0-9 ]+)-{5}(.*?)-{5}END \1-{5}", re.DOTALL)


class Identity(NamedTuple):
    """The certificates of one end, its own first, and the key for it."""

    pem: str
    password: str | None
    """Of the key, where it is locked."""
    others: tuple[str, ...] = ()
    """The same with keys of other sorts: a client chooses among them."""

    def __repr__(self) -> str:
        return "Identity(hidden)"


def read_store(store: KeyStore) -> bytes:
    """What the store is made of, to be read again and compared."""
    if store.path is None:
        return f"{store.certificates or ''}\n{store.key or ''}".encode()
    try:
        return Path(store.path).read_bytes()
    except OSError as error:
        raise TlsError(f"{store.path}: {(error.strerror or str(error)).lower()}") from None


def read_identity(store: KeyStore, data: bytes) -> Identity:
    """The identity in a key store; `data` is what `read_store` has found."""
    if store.kind == PEM:
        return Identity(_text(store, data), store.key_password)
    entries = {one.alias: one for one in _contents(store, data, unlocks=True).keys if one.chain}
    if not entries:
        raise TlsError(f"{store.path}: it has no private key with a certificate")
    by_kind: dict[bytes, KeyEntry] = {}
    for alias in as_a_hash_map(list(entries)):
        by_kind.setdefault(entries[alias].kind, entries[alias])
    first, *others = map(_pem, by_kind.values())
    return Identity(first, None, tuple(others))


def _pem(entry: KeyEntry) -> str:
    key = encodebytes(entry.key).decode()
    pem = f"-----BEGIN PRIVATE KEY-----\n{key}-----END PRIVATE KEY-----\n"
    return pem + "".join(map(ssl.DER_cert_to_PEM_cert, entry.chain))


def first_certificate(identity: Identity) -> bytes | None:
    """The first certificate of a store, in DER."""
    for name, body in _BLOCK.findall(identity.pem):
        if name == CERTIFICATE:
            return ssl.PEM_cert_to_DER_cert(_block(name, body).strip())
    return None


def read_certificates(store: KeyStore, data: bytes) -> str:
    """Of a trust store; of a key's certificates its own is trusted, as with Java, and no other."""
    if store.kind == PEM:
        found = _only_certificates(_text(store, data))
    else:
        contents = _contents(store, data, unlocks=False)
        of_keys = [entry.chain[0] for entry in contents.keys if entry.chain]
        trusted = dict.fromkeys((*contents.certificates, *of_keys))
        found = "".join(map(ssl.DER_cert_to_PEM_cert, trusted))
        if contents.certificate_count and not found:
            raise TlsError(f"{store.path}: {UNMARKED}")
    if not found:
        raise TlsError(f"{store.path or 'ssl.truststore.certificates'}: it has no certificate")
    return found


def _contents(store: KeyStore, data: bytes, *, unlocks: bool) -> StoreContents:
    is_jceks = store.kind == JCEKS
    try:
        if data.startswith(JCEKS_MAGIC) is not is_jceks and not data.startswith(MAGIC):
            raise TlsError(NOT_JCEKS if is_jceks else ONLY_JCEKS)
        if data.startswith((MAGIC, JCEKS_MAGIC)):
            return read_jks(data, store.password, store.key_password, unlocks=unlocks)
        found: StoreContents = import_module(PKCS12).read_pkcs12(data, store.password)
    except TlsError as error:
        raise TlsError(f"{store.path}: {error}") from None
    return found


def _text(store: KeyStore, data: bytes) -> str:
    """The blocks of a PEM, each in lines as OpenSSL needs them.

    A file of settings may have made one line of them all.
    """
    try:
        blocks = _BLOCK.findall(data.decode())
    except UnicodeDecodeError:
        raise TlsError(f"{store.path}: it is no PEM, which is text") from None
    return "".join(_block(name, body) for name, body in blocks)


def _block(name: str, body: str) -> str:
    if ":" in body:  # a locked key in the old form has lines of its own
        return f"-----BEGIN {name}-----{body}-----END {name}-----\n"
    packed = "".join(body.split())
    lines = [packed[start : start + LINE] for start in range(0, len(packed), LINE)]
    return "\n".join((f"-----BEGIN {name}-----", *lines, f"-----END {name}-----", ""))


def _only_certificates(text: str) -> str:
    """A file of trust may have a key in it, too."""
    return "".join(_block(name, body) for name, body in _BLOCK.findall(text) if name == CERTIFICATE)
