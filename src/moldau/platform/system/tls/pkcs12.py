"""Key stores in the form PKCS#12, which Java writes since version 9 and everyone else ever did."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    pkcs12,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12Certificate
from cryptography.x509 import Certificate

from moldau.platform.der import DerError, Element, read_der
from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.entries import KeyEntry, StoreContents

__all__ = ["read_pkcs12"]

log = logging.getLogger(__name__)

DATA: Final = bytes.fromhex("06092a864886f70d010701")
KEY_BAG: Final = bytes.fromhex("060b2a864886f70d010c0a0101")
LOCKED_KEY_BAG: Final = bytes.fromhex("060b2a864886f70d010c0a0102")
"""Identifiers of contents, in DER."""


def read_pkcs12(data: bytes, password: str | None) -> StoreContents:
    """Its keys with the certificates for them, and the other certificates."""
    secret = None if password is None else password.encode()
    try:
        found = pkcs12.load_pkcs12(data, secret)
    except ValueError as error:
        raise TlsError(f"it cannot be opened: {str(error).rstrip('.').lower()}") from None
    others = found.additional_certs
    if found.key is None or found.cert is None:
        return StoreContents((), tuple(_der(one.certificate for one in others)))
    every = [found.cert.certificate, *(one.certificate for one in others)]
    chains = [_chain(found.cert.certificate, every)]
    entries = [_entry(_packed(found.key), chains[0])]
    for key in _all_keys(data, secret):
        packed, public = _packed(key), _public(key)
        own = next((one for one in every if _public(one) == public), None)
        if own is not None and all(packed != entry.key for entry in entries):
            chains.append(_chain(own, every))
            entries.append(_entry(packed, chains[-1]))
    shown = [one for chain in chains for one in chain]
    return StoreContents(tuple(entries), tuple(_der(_apart(others, shown))))


def _all_keys(data: bytes, secret: bytes | None) -> list[PrivateKeyTypes]:
    """The package that opens the store gives one key; the others are found beside it.

    A key is locked by itself and lies open to be found. What is nested in another way than every
    program writes it has no further keys.
    """
    found: list[PrivateKeyTypes] = []
    try:
        for bag in _bags(data):
            kind, value, *_ = bag.children()
            if kind.whole == KEY_BAG:
                found.append(load_der_private_key(value.body, None))
            elif kind.whole == LOCKED_KEY_BAG:
                found.append(load_der_private_key(value.body, secret))
    except (DerError, IndexError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        log.debug("Further keys of a store are not looked for: %r", error)
    return found


def _bags(data: bytes) -> Iterator[Element]:
    """RFC 7292, 4: of the parts that are not locked as a whole."""
    outer = read_der(data).children()[1].children()
    for part in _content(outer).children():
        kind = part.children()
        if kind[0].whole == DATA:
            yield from _content(kind).children()


def _content(info: list[Element]) -> Element:
    """What is in it, taken out of its envelope and of the bytes that it is there."""
    return read_der(info[1].children()[0].body)


def _entry(packed: bytes, chain: list[Certificate]) -> KeyEntry:
    return KeyEntry(packed, tuple(_der(chain)))


def _packed(key: PrivateKeyTypes) -> bytes:
    return key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())


def _public(owner: PrivateKeyTypes | Certificate) -> bytes:
    form = PublicFormat.SubjectPublicKeyInfo
    return owner.public_key().public_bytes(Encoding.DER, form)


def _chain(own: Certificate, others: list[Certificate]) -> list[Certificate]:
    """From the certificate of the key up, as far as the store has it."""
    chain = [own]
    by_subject = {one.subject: one for one in others}
    while (issuer := by_subject.get(chain[-1].issuer)) is not None and issuer not in chain:
        chain.append(issuer)
    return chain


def _apart(others: list[PKCS12Certificate], chain: list[Certificate]) -> Iterator[Certificate]:
    """Those that stand alone: a trusted one that the chain has too is there twice, with a name."""
    of_chain = list(chain)
    for one in others:
        if one.certificate in of_chain:
            of_chain.remove(one.certificate)
        elif one.certificate not in chain or one.friendly_name:
            yield one.certificate


def _der(certificates: Iterable[Certificate]) -> list[bytes]:
    return [one.public_bytes(Encoding.DER) for one in certificates]
