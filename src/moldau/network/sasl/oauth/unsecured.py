"""Tokens without a signature: anyone can be anyone (KIP-255). For tests, and never on a network.

A listener accepts them only where its `sasl.server.callback.handler.class` is Kafka's
OAuthBearerUnsecuredValidatorCallbackHandler; options of its JAAS login, which begin with
`unsecuredValidator`, say which claims are looked at. A client makes them of the options that begin
with `unsecuredLogin`.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, Final

from moldau.network.sasl.oauth.jwt import JwtError, parse_jwt
from moldau.network.sasl.oauth.rules import Bearer, number_of, text_of

__all__ = ["VALIDATOR", "InsufficientScopeError", "check_unsecured", "make_unsecured"]

VALIDATOR: Final = "unsecuredValidator"
LOGIN: Final = "unsecuredLogin"
LIFETIME_S: Final = "3600"


class InsufficientScopeError(JwtError):
    """The token is fine and not for this; the client may see which scope it would take."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"the token has not all of the scope {scope}")
        self.scope = scope


def check_unsecured(token: str, options: Mapping[str, str], now_ms: int) -> Bearer:
    """Whom the token names, by the options of the listener's login; or `JwtError`."""
    jwt = parse_jwt(token)
    if jwt.header.get("alg") != "none" or jwt.signature:
        raise JwtError("the token is signed, and this listener takes unsecured ones alone")
    claims, skew_ms = jwt.claims, _skew_ms(options)
    name = text_of(claims, options.get(f"{VALIDATOR}PrincipalClaimName", "sub"))
    issued_s, ends_s = number_of(claims, "iat"), number_of(claims, "exp")
    if issued_s is not None and issued_s * 1000 > now_ms + skew_ms:
        raise JwtError("the token is issued in the future (iat)")
    if ends_s is None:
        raise JwtError("the token has no claim exp")
    if now_ms - skew_ms >= ends_s * 1000:
        raise JwtError(f"the token has expired, at {ends_s:.0f} s since 1970")
    if issued_s is not None and ends_s <= issued_s:
        raise JwtError("the token expires before it is issued")
    scopes = _scopes(claims, options.get(f"{VALIDATOR}ScopeClaimName", "scope"))
    required = options.get(f"{VALIDATOR}RequiredScope", "").split()
    if not scopes.issuperset(required):
        raise InsufficientScopeError(f"[{', '.join(required)}]")
    return Bearer(name, int(ends_s * 1000), scopes)


def _skew_ms(options: Mapping[str, str]) -> int:
    text = options.get(f"{VALIDATOR}AllowableClockSkewMs", "0").strip()
    if not text.isascii() or not text.isdecimal():
        raise JwtError(f"{VALIDATOR}AllowableClockSkewMs is not a number from 0")
    return int(text)


def _scopes(claims: Mapping[str, Any], name: str) -> frozenset[str]:
    """A text is one scope, as in signed tokens; what is neither text nor list is none."""
    found = claims.get(name)
    if isinstance(found, str):
        return frozenset({found.strip()})
    if isinstance(found, list):
        return frozenset(scope.strip() for scope in found if isinstance(scope, str))
    return frozenset()


def make_unsecured(options: Mapping[str, str], now_ms: int) -> str:
    """A token as the options of a client's login ask for it; empty where they name no one."""
    claim = options.get(f"{LOGIN}PrincipalClaimName", "sub")
    claims: dict[str, Any] = {
        **_prefixed(options, "NumberClaim_", float),
        **_prefixed(options, "ListClaim_", _list),
        **_prefixed(options, "StringClaim_", str),
    }
    if claim not in claims:
        return ""
    lifetime_s = float(options.get(f"{LOGIN}LifetimeSeconds", LIFETIME_S))
    claims["iat"], claims["exp"] = now_ms / 1000, now_ms / 1000 + lifetime_s
    return f"{_section({'alg': 'none'})}.{_section(claims)}."


def _prefixed(options: Mapping[str, str], kind: str, read: Any) -> dict[str, Any]:  # noqa: ANN401  # any of the three
    prefix = LOGIN + kind
    return {
        name.removeprefix(prefix): read(text)
        for name, text in options.items()
        if name.startswith(prefix)
    }


def _list(text: str) -> list[str]:
    """The first character is the delimiter: `|one|two`."""
    return text[1:].split(text[0]) if text else []


def _section(values: Mapping[str, Any]) -> str:
    return urlsafe_b64encode(json.dumps(values).encode()).rstrip(b"=").decode()
