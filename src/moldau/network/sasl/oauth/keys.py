"""The public keys of an identity provider (JWKS, RFC 7517), and signatures verified by them.

The algorithm is the token's word, and what it may be is ours: the asymmetric ones below, each with
the one kind of key that it goes with. So `none` is refused, and an RSA key is never taken for the
secret of an HMAC. A token without a key id is tried with every key that fits; one whose id is not
among the keys is worth fetching them anew (`KeySet.has`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from moldau.network.sasl.oauth.jwt import Jwt, JwtError, read_base64url, read_object

__all__ = ["KeySet", "VerifyingKey", "read_keys"]

KEYS_MAX: Final = 200
RSA_BITS_MIN, RSA_BITS_MAX = 2048, 16_384
"""Shorter ones are refused by RFC 7518; longer ones would keep a node busy."""
HASHES: Final[Mapping[str, hashes.HashAlgorithm]] = {
    "256": hashes.SHA256(),
    "384": hashes.SHA384(),
    "512": hashes.SHA512(),
}
CURVES: Final[Mapping[str, tuple[str, ec.EllipticCurve]]] = {
    "P-256": ("ES256", ec.SECP256R1()),
    "P-384": ("ES384", ec.SECP384R1()),
    "P-521": ("ES512", ec.SECP521R1()),
}
"""Curve, with the one algorithm that it is for."""
RSA_ALGORITHMS: Final = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
EC_ALGORITHMS: Final = frozenset(name for name, _ in CURVES.values())
EDWARDS_ALGORITHMS: Final = frozenset({"EdDSA", "Ed25519"})
"""The older name, and that of RFC 9864."""
ALGORITHMS: Final = RSA_ALGORITHMS | EC_ALGORITHMS | EDWARDS_ALGORITHMS

PublicKey = rsa.RSAPublicKey | ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey


class VerifyingKey(NamedTuple):
    """One key, and the algorithms that it may verify."""

    key_id: str | None
    algorithms: frozenset[str]
    public: PublicKey

    def is_signature(self, algorithm: str, signed: bytes, signature: bytes) -> bool:
        try:
            _verify(self.public, algorithm, signed, signature)
        except InvalidSignature:
            return False
        return True


class KeySet:
    """All keys of a provider, as they were fetched."""

    def __init__(self, keys: tuple[VerifyingKey, ...]) -> None:
        self.keys = keys

    def __repr__(self) -> str:
        return f"KeySet({', '.join(str(key.key_id) for key in self.keys)})"

    def has(self, key_id: object) -> bool:
        """Whether it is worth a look; what is no key id is refused anyway."""
        return not isinstance(key_id, str) or any(key.key_id == key_id for key in self.keys)

    def verify(self, jwt: Jwt) -> None:
        """Return where one of the keys has signed it; else `JwtError`."""
        algorithm, key_id = jwt.header.get("alg"), jwt.header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
            raise JwtError(f"the algorithm is not one of {', '.join(sorted(ALGORITHMS))}")
        if "crit" in jwt.header or jwt.header.get("b64", True) is not True:
            raise JwtError("the header asks for an extension (crit) that is not there")
        fitting = [
            key
            for key in self.keys
            if algorithm in key.algorithms and (key_id is None or key.key_id == key_id)
        ]
        if not fitting:
            raise JwtError("the provider's keys have none with the key id of the token")
        if not any(key.is_signature(algorithm, jwt.signed, jwt.signature) for key in fitting):
            raise JwtError("the signature is not by the provider's key")


def _verify(public: PublicKey, algorithm: str, signed: bytes, signature: bytes) -> None:
    if isinstance(public, ed25519.Ed25519PublicKey):
        public.verify(signature, signed)
        return
    digest = HASHES[algorithm[2:]]
    if isinstance(public, ec.EllipticCurvePublicKey):
        public.verify(_as_der(signature, public), signed, ec.ECDSA(digest))
    elif algorithm.startswith("PS"):
        scheme = padding.PSS(padding.MGF1(digest), digest.digest_size)
        public.verify(signature, signed, scheme, digest)
    else:
        public.verify(signature, signed, padding.PKCS1v15(), digest)


def _as_der(signature: bytes, public: ec.EllipticCurvePublicKey) -> bytes:
    """JOSE writes the two numbers one behind the other, each as long as a coordinate."""
    size = (public.key_size + 7) // 8
    if len(signature) != 2 * size:
        raise InvalidSignature
    first, second = signature[:size], signature[size:]
    return encode_dss_signature(int.from_bytes(first, "big"), int.from_bytes(second, "big"))


def read_keys(text: bytes) -> KeySet:
    """The keys that can verify a signature; others in the set are left out, by RFC 7517."""
    found = read_object(text, "set of keys").get("keys")
    if not isinstance(found, list) or len(found) > KEYS_MAX:
        raise JwtError(f"the set of keys has no list of up to {KEYS_MAX} keys")
    keys = [key for key in map(_key, found) if key is not None]
    if not keys:
        raise JwtError("the set of keys has none that verifies signatures")
    return KeySet(tuple(keys))


def _key(given: object) -> VerifyingKey | None:
    if not isinstance(given, dict) or given.get("use", "sig") != "sig":
        return None
    key_id, algorithm = given.get("kid"), given.get("alg")
    try:
        made = _public(given)
    except (KeyError, TypeError, ValueError, JwtError):
        return None
    if made is None:
        return None
    public, algorithms = made
    if algorithm is not None:
        algorithms &= {algorithm} if isinstance(algorithm, str) else frozenset()
    return VerifyingKey(key_id if isinstance(key_id, str) else None, algorithms, public)


def _public(given: dict[str, Any]) -> tuple[PublicKey, frozenset[str]] | None:
    kind, curve = given.get("kty"), given.get("crv")
    if kind == "RSA":
        modulus, exponent = _number(given["n"]), _number(given["e"])
        if not RSA_BITS_MIN <= modulus.bit_length() <= RSA_BITS_MAX:
            return None
        return rsa.RSAPublicNumbers(exponent, modulus).public_key(), RSA_ALGORITHMS
    if kind == "EC" and isinstance(curve, str) and curve in CURVES:
        algorithm, shape = CURVES[curve]
        point = ec.EllipticCurvePublicNumbers(_number(given["x"]), _number(given["y"]), shape)
        return point.public_key(), frozenset({algorithm})
    if kind == "OKP" and curve == "Ed25519":
        public = ed25519.Ed25519PublicKey.from_public_bytes(read_base64url(given["x"]))
        return public, EDWARDS_ALGORITHMS
    return None


def _number(text: str) -> int:
    return int.from_bytes(read_base64url(text), "big")
