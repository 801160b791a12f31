"""Key stores in the form PKCS#12, which Java writes since version 9 and everyone else ever did."""

from __future__ import annotations

from collections.abc import Iterable

from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509 import Certificate

from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.entries import KeyEntry, StoreContents

__all__ = ["read_pkcs12"]


def read_pkcs12(data: bytes, password: str | None) -> StoreContents:
    """Its key with the certificates for it, and the others."""
    try:
        found = pkcs12.load_pkcs12(data, None if password is None else password.encode())
    except ValueError as error:
        raise TlsError(f"it cannot be opened: {str(error).rstrip('.').lower()}") from None
    others = [one.certificate for one in found.additional_certs]
    if found.key is None or found.cert is None:
        return StoreContents(None, tuple(_der(others)))
    key = found.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    chain = _chain(found.cert.certificate, others)
    rest = [one for one in others if one not in chain]
    return StoreContents(KeyEntry(key, tuple(_der(chain))), tuple(_der(rest)))


def _chain(own: Certificate, others: list[Certificate]) -> list[Certificate]:
    """From the certificate of the key up, as far as the store has it."""
    chain = [own]
    by_subject = {one.subject: one for one in others}
    while (issuer := by_subject.get(chain[-1].issuer)) is not None and issuer not in chain:
        chain.append(issuer)
    return chain


def _der(certificates: Iterable[Certificate]) -> list[bytes]:
    return [one.public_bytes(Encoding.DER) for one in certificates]
