"""Key stores in the form PKCS#12, which Java writes since version 9 and everyone else ever did.

As in Java a certificate is trusted that stands alone and has the mark which keytool gives it; the
others are there for the chains of keys.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

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
from cryptography.x509 import Certificate, load_der_x509_certificate

from moldau.platform.der import DerError
from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.entries import KeyEntry, StoreContents
from moldau.platform.system.tls.pkcs12_bags import (
    CERTIFICATE_BAG,
    KEY_BAG,
    LOCKED_KEY_BAG,
    Bag,
    read_bags,
)

__all__ = ["read_pkcs12"]

log = logging.getLogger(__name__)


def read_pkcs12(data: bytes, password: str | None) -> StoreContents:
    """Its keys with the certificates for them, and the trusted certificates."""
    secret = None if password is None else password.encode()
    try:
        found = pkcs12.load_pkcs12(data, secret)
    except ValueError as error:
        raise TlsError(f"it cannot be opened: {str(error).rstrip('.').lower()}") from None
    bags = _bags_of(data, password)
    others = [one.certificate for one in found.additional_certs]
    every = others if found.cert is None else [found.cert.certificate, *others]
    keys = [(bag.name or "", _key(bag, secret)) for bag in bags if bag.kind != CERTIFICATE_BAG]
    if not keys and found.key is not None:
        keys = [("", found.key)]
    trusted = [_certificate(bag) for bag in bags if bag.is_trusted]
    entries = (_entry(name.lower(), key, every) for name, key in keys)
    return StoreContents(
        tuple(entry for entry in entries if entry.chain), tuple(_der(trusted)), len(every)
    )


def _bags_of(data: bytes, password: str | None) -> list[Bag]:
    """Keys and certificates; none where they are nested in another way than most programs do it.

    What the package that opens the store has found is all then: one key, and no mark of trust.
    """
    kinds = (KEY_BAG, LOCKED_KEY_BAG, CERTIFICATE_BAG)
    try:
        return [bag for bag in read_bags(data, password) if bag.kind in kinds]
    except (DerError, IndexError, ValueError) as error:
        log.debug("The names in a store are not looked for: %r", error)
        return []


def _key(bag: Bag, secret: bytes | None) -> PrivateKeyTypes:
    """A key is locked by itself."""
    try:
        return load_der_private_key(bag.value.whole, secret if bag.kind == LOCKED_KEY_BAG else None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise TlsError(f"its key {bag.name!r} cannot be opened: {error}") from None


def _certificate(bag: Bag) -> Certificate:
    return load_der_x509_certificate(bag.value.children()[1].children()[0].body)


def _entry(alias: str, key: PrivateKeyTypes, every: Sequence[Certificate]) -> KeyEntry:
    packed = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    public = _public(key)
    own = next((one for one in every if _public(one) == public), None)
    return KeyEntry(packed, () if own is None else tuple(_der(_chain(own, every))), alias)


def _public(owner: PrivateKeyTypes | Certificate) -> bytes:
    form = PublicFormat.SubjectPublicKeyInfo
    return owner.public_key().public_bytes(Encoding.DER, form)


def _chain(own: Certificate, every: Sequence[Certificate]) -> list[Certificate]:
    """From the certificate of the key up, as far as the store has it."""
    chain = [own]
    by_subject = {one.subject: one for one in reversed(every)}
    while (issuer := by_subject.get(chain[-1].issuer)) is not None and issuer not in chain:
        chain.append(issuer)
    return chain


def _der(certificates: Iterable[Certificate]) -> list[bytes]:
    return [one.public_bytes(Encoding.DER) for one in certificates]
