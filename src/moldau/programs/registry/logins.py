"""Who asks a program: with logins, the user of HTTP is the principal of Kafka.

    Authorization: Basic YWxpY2U6c2VjcmV0    name and password, by PLAIN or SCRAM
    Authorization: Bearer eyJhbGciOi…        a token of the identity provider, by OAUTHBEARER

What a request shows is what its clients log in to the cluster with, so that the cluster's
credentials, access rules and quotas decide, and none are kept here. Who shows a certificate instead
is in `delegated`.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple

from moldau.config.refusals import SettingError
from moldau.network.sasl.oauth import GIVEN, OAUTHBEARER
from moldau.network.sasl.oauth.jwt import JwtError, parse_jwt
from moldau.network.sasl.oauth.rules import number_of
from moldau.programs.http.messages import HttpError, Request
from moldau.programs.registry.refusals import Refusal, refuse

__all__ = [
    "Kind",
    "Login",
    "authorization_of",
    "ends_ms",
    "ensure_logins",
    "login_settings",
    "shown_login",
    "unauthorized",
]

PLAIN: Final = "PLAIN"
SCRAM: Final = "SCRAM"
DELEGATED_BY: Final = "SCRAM-SHA-256"
SECURITY: Final = "org.apache.kafka.common.security"
MODULES: Final[Mapping[str, str]] = {
    PLAIN: f"{SECURITY}.plain.PlainLoginModule",
    SCRAM: f"{SECURITY}.scram.ScramLoginModule",
    OAUTHBEARER: f"{SECURITY}.oauthbearer.OAuthBearerLoginModule",
}
TOKEN: Final = re.compile(r"[-_~+/.a-zA-Z0-9]+=*")
"""Of RFC 6750; it stands in quotes where it goes on."""
MS_PER_S: Final = 1000
DIGITS: Final = 12


class Kind(Enum):
    """How a user has shown who it is."""

    PASSWORD = "Basic"  # noqa: S105  # the name of a scheme
    BEARER = "Bearer"
    CERTIFICATE = "certificate"
    DELEGATED = "delegation token"


class Login(NamedTuple):
    """What a request shows."""

    user: str
    password: str
    """Or the token; empty with a certificate."""
    kind: Kind = Kind.PASSWORD
    owner: str = ""
    """Of a delegation token: the user that it is for."""

    @property
    def principal(self) -> str:
        """The name of the user in the cluster."""
        return self.owner or self.user

    def __repr__(self) -> str:
        return f"Login({self.principal})"


def shown_login(request: Request) -> Login:
    """The login in the header `Authorization`, or 401."""
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == Kind.BEARER.value.lower():
        return _bearer(text.strip())
    try:
        user, colon, password = b64decode(text.strip(), validate=True).decode().partition(":")
    except (Base64Error, ValueError):
        raise unauthorized("Authorization is not as HTTP has it") from None
    if scheme.lower() != Kind.PASSWORD.value.lower() or not colon or not user or not password:
        raise unauthorized("log in with the name and password of a user of the cluster")
    return Login(user, password)


def _bearer(token: str) -> Login:
    if not TOKEN.fullmatch(token):
        raise unauthorized("Authorization has no token as HTTP has it")
    try:
        user = parse_jwt(token).claims.get("sub")
    except JwtError:
        user = None
    digest = sha256(token.encode()).hexdigest()[:DIGITS]
    return Login(user if isinstance(user, str) else digest, token, Kind.BEARER)


def ends_ms(login: Login) -> float | None:
    """When a token is over, since 1970; None where it has none."""
    if login.kind is not Kind.BEARER:
        return None
    try:
        ends_s = number_of(parse_jwt(login.password).claims, "exp")
    except JwtError:
        return None
    return None if ends_s is None else ends_s * MS_PER_S


def login_settings(client: Mapping[str, str], login: Login) -> dict[str, str]:
    """Of a client that logs in so; for names the mechanism is the one that `client` has."""
    own = client.get("sasl.mechanism", PLAIN)
    if login.kind is Kind.BEARER:
        options, mechanism = {GIVEN: login.password}, OAUTHBEARER
    else:
        options, mechanism = {"username": login.user, "password": login.password}, own
        if login.kind is Kind.DELEGATED:
            options["tokenauth"] = "true"
            mechanism = own if own.startswith(SCRAM) else DELEGATED_BY
    module = MODULES.get(mechanism.partition("-")[0])
    if module is None or (login.kind is Kind.PASSWORD and mechanism == OAUTHBEARER):
        raise unauthorized("log in with a token of the cluster's identity provider")
    words = " ".join(f"{name}={_quoted(text)}" for name, text in options.items())
    return {
        **{name: text for name, text in client.items() if not name.startswith("sasl.")},
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": f"{module} required {words};",
    }


def authorization_of(login: Login) -> str:
    """The header of a request that shows this."""
    if login.kind is Kind.BEARER:
        return f"{login.kind.value} {login.password}"
    return f"Basic {b64encode(f'{login.user}:{login.password}'.encode()).decode()}"


def ensure_logins(client: Mapping[str, str]) -> None:
    """`SettingError` where the cluster's clients do not log in."""
    if not client.get("security.protocol", "").upper().startswith("SASL"):
        raise SettingError(
            "logins are for a cluster whose clients log in: set security.protocol to SASL_SSL or "
            "SASL_PLAINTEXT, and sasl.mechanism"
        )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def unauthorized(why: str) -> HttpError:
    return refuse(Refusal.AUTHENTICATION, why)
