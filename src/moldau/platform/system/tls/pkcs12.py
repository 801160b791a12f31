"""Key stores in the form PKCS#12, which Java writes since version 9 and everyone else ever did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import PKCS12Certificate
from cryptography.x509 import Certificate

from moldau.platform.ports.tls import TlsError
from moldau.platform.system.tls.entries import KeyEntry, StoreContents

__all__ = ["read_pkcs12"]


def read_pkcs12(data: bytes, password: str | None) -> StoreContents:
    """The first of its keys with the certificates for it, and the others."""
    try:
        found = pkcs12.load_pkcs12(data, None if password is None else password.encode())
    except ValueError as error:
        raise TlsError(f"it cannot be opened: {str(error).rstrip('.').lower()}") from None
    others = found.additional_certs
    if found.key is None or found.cert is None:
        return StoreContents((), tuple(_der(one.certificate for one in others)))
    key = found.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    chain = _chain(found.cert.certificate, [one.certificate for one in others])
    return StoreContents((KeyEntry(key, tuple(_der(chain))),), tuple(_der(_apart(others, chain))))


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
