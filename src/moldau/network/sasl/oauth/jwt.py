"""A JSON web token in its compact form, taken apart (RFC 7515, RFC 7519).

    base64url(header) . base64url(claims) . base64url(signature)

Strangers send this, so it is read strictly: a bound on its size, no padding, no
name twice in an object, no number that JSON does not have. Nothing of it is true before its
signature has been verified.
"""

from __future__ import annotations

import json
import math
import re
from base64 import urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from moldau.network.sasl.dialogue import SaslError

__all__ = ["Jwt", "JwtError", "parse_jwt", "read_base64url", "read_object"]

TOKEN_SIZE_MAX: Final = 128 * 1024
"""Tokens of real providers have a few KiB, and with very many groups some tens."""
SECTIONS: Final = 3
MALFORMED: Final = (
    "Malformed JWT provided; expected three sections (header, payload, and signature)"
)
_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]*")


class JwtError(SaslError):
    """A token is not valid; the sentence is for our own log and holds nothing of the token."""


class Jwt(NamedTuple):
    """The parts, and the bytes that are signed."""

    header: Mapping[str, Any]
    claims: Mapping[str, Any]
    signed: bytes
    signature: bytes

    def __repr__(self) -> str:
        return f"Jwt({len(self.claims)} claims)"


def parse_jwt(token: str) -> Jwt:
    """The token's parts, or `JwtError`."""
    token = token.strip()
    if len(token) > TOKEN_SIZE_MAX:
        raise JwtError(f"the token has {len(token)} characters; {TOKEN_SIZE_MAX} are accepted")
    sections = token.split(".", SECTIONS)
    if len(sections) != SECTIONS or not sections[0] or not sections[1]:
        raise JwtError(MALFORMED)
    header, claims, signature = sections
    return Jwt(
        read_object(read_base64url(header), "header"),
        read_object(read_base64url(claims), "payload"),
        f"{header}.{claims}".encode(),
        read_base64url(signature),
    )


def read_base64url(text: str) -> bytes:
    """Without padding, as JOSE writes it everywhere."""
    if not _BASE64URL.fullmatch(text):
        raise JwtError("a section of the token is not base64url")
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except Base64Error:
        raise JwtError("a section of the token is not base64url") from None


def read_object(text: bytes, what: str) -> dict[str, Any]:
    """One object of JSON, with every name in it once."""
    try:
        found = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_finite
        )
    except (ValueError, RecursionError):
        raise JwtError(f"the {what} is not an object of JSON") from None
    if not isinstance(found, dict):
        raise JwtError(f"the {what} is not an object of JSON")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
