"""What a signed token has to hold before it is a login: Kafka's BrokerJwtValidator (KIP-768).

    exp, iat    must be there; exp lies ahead and behind iat; nbf, where there is one, does not
    iss         must be the expected issuer, where one is set
    aud         must name one of the expected audiences; where none is set it must not be there,
                since the token was then issued for others
    sub         or another claim by a setting: the name of the principal
    scope       or another claim: a text or a list of texts, none of them twice

The two clocks may differ by the skew that is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from moldau.network.sasl.oauth.jwt import JwtError

__all__ = ["Bearer", "TokenRules", "check_claims", "number_of", "scopes_of", "text_of"]

TIME_MAX_S: Final = 1 << 42
"""Beyond any date: a product with 1000 still fits the 64 bits of the protocol."""


class Bearer(NamedTuple):
    """Who has shown a valid token."""

    name: str
    expires_at_ms: int
    scopes: frozenset[str] = frozenset()


class TokenRules(NamedTuple):
    """As `sasl.oauthbearer.*` of a listener has them."""

    issuer: str | None = None
    audiences: tuple[str, ...] = ()
    scope_claim: str = "scope"
    name_claim: str = "sub"
    skew_s: int = 30


def check_claims(claims: Mapping[str, Any], rules: TokenRules, now_ms: int) -> Bearer:
    """Whom the claims name, or `JwtError`."""
    now_s, skew_s = now_ms / 1000, rules.skew_s
    ends_s, issued_s = _required(claims, "exp"), _required(claims, "iat")
    if now_s - skew_s >= ends_s:
        raise JwtError(f"the token has expired, at {ends_s:.0f} s since 1970")
    begins_s = number_of(claims, "nbf")
    if begins_s is not None and now_s + skew_s < begins_s:
        raise JwtError(f"the token is not valid before {begins_s:.0f} s since 1970 (nbf)")
    if ends_s < max(issued_s, begins_s or 0):
        raise JwtError("the token expires before it begins (iat, nbf)")
    _check_issuer(claims, rules)
    _check_audience(claims, rules)
    name = text_of(claims, rules.name_claim)
    return Bearer(name, int(ends_s * 1000), frozenset(scopes_of(claims, rules.scope_claim)))


def _check_issuer(claims: Mapping[str, Any], rules: TokenRules) -> None:
    if rules.issuer is not None and claims.get("iss") != rules.issuer:
        raise JwtError("the issuer (iss) is not sasl.oauthbearer.expected.issuer")


def _check_audience(claims: Mapping[str, Any], rules: TokenRules) -> None:
    if "aud" not in claims and not rules.audiences:
        return
    given = claims.get("aud")
    named = [given] if isinstance(given, str) else given
    if not isinstance(named, list) or not any(one in rules.audiences for one in named):
        raise JwtError("the audience (aud) has none of sasl.oauthbearer.expected.audience")


def _required(claims: Mapping[str, Any], name: str) -> float:
    found = number_of(claims, name)
    if found is None:
        raise JwtError(f"the token has no claim {name}")
    return found


def number_of(claims: Mapping[str, Any], name: str) -> float | None:
    """A time, in seconds since 1970; None where the claim is missing."""
    if name not in claims:
        return None
    found = claims[name]
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise JwtError(f"the claim {name} is not a number")
    if not 0 <= found <= TIME_MAX_S:
        raise JwtError(f"the claim {name} is not a time")
    return found


def text_of(claims: Mapping[str, Any], name: str) -> str:
    """A text that is there and not blank."""
    found = claims.get(name)
    if not isinstance(found, str) or not found.strip():
        raise JwtError(f"the token has no text in the claim {name}")
    return found.strip()


def scopes_of(claims: Mapping[str, Any], name: str) -> list[str]:
    """A text counts as one scope, as in Kafka; nothing decides by them."""
    found = claims.get(name)
    given = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    if not all(isinstance(scope, str) and scope.strip() for scope in given):
        raise JwtError(f"the claim {name} has a scope that is empty, or no text")
    scopes = [scope.strip() for scope in given]
    if len(set(scopes)) != len(scopes):
        raise JwtError(f"the claim {name} has a scope twice")
    return scopes
