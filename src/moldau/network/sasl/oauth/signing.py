"""Tokens that are signed here, to be shown to an identity provider (RFC 7515).

Keys are in PEM, as PKCS #8, and may be encrypted by a passphrase. A signature by an elliptic curve
is its two numbers one behind the other, as JOSE has it, and not in DER.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from moldau.network.sasl.dialogue import SaslError

__all__ = ["sign_jwt"]

COORDINATE_BYTES: Final = 32
"""Of the curve P-256."""
PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


def sign_jwt(
    header: Mapping[str, Any],
    claims: Mapping[str, Any],
    key: bytes,
    passphrase: str | None = None,
) -> str:
    """In its compact form, by the algorithm `alg` of the header, RS256 or ES256; or `SaslError`."""
    signed = f"{_section(header)}.{_section(claims)}"
    private = _private_key(key, passphrase, header["alg"])
    return f"{signed}.{_base64url(_signature(private, signed.encode()))}"


def _private_key(key: bytes, passphrase: str | None, algorithm: str) -> PrivateKey:
    try:
        private = load_pem_private_key(key, None if passphrase is None else passphrase.encode())
    except (TypeError, ValueError, UnsupportedAlgorithm):
        raise SaslError(
            "the key for assertions cannot be read: it has to be PEM, and with a passphrase "
            "encrypted by that one"
        ) from None
    is_curve = isinstance(private, ec.EllipticCurvePrivateKey) and (
        private.curve.name == ec.SECP256R1.name
    )
    if is_curve if algorithm == "ES256" else isinstance(private, rsa.RSAPrivateKey):
        return private  # type: ignore[return-value]  # one of the two
    raise SaslError(f"the key for assertions is none for {algorithm}")


def _signature(private: PrivateKey, signed: bytes) -> bytes:
    if isinstance(private, rsa.RSAPrivateKey):
        return private.sign(signed, padding.PKCS1v15(), SHA256())
    numbers = decode_dss_signature(private.sign(signed, ec.ECDSA(SHA256())))
    return b"".join(number.to_bytes(COORDINATE_BYTES, "big") for number in numbers)


def _section(values: Mapping[str, Any]) -> str:
    return _base64url(json.dumps(values, separators=(",", ":")).encode())


def _base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
