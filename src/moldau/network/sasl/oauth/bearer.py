"""OAUTHBEARER: the token in one message (RFC 7628, KIP-255, KIP-342).

    client  n,a=NAME,^Aauth=Bearer TOKEN^Aextension=value^A^A     ^A is the byte 1
    server  nothing, and the client is logged in; or {"status":"invalid_token"}
    client  ^A                                                    it has read the error
    server  refused, with the same error as the message

The client is answered that its token is not valid; why is for our own log. Extensions are accepted
and mean nothing, as with Kafka's validator.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from moldau.network.sasl.dialogue import Asking, Identity, SaslError, SaslRefusedError, Serving
from moldau.network.sasl.oauth.jwt import JwtError
from moldau.network.sasl.oauth.rules import Bearer
from moldau.network.sasl.oauth.unsecured import InsufficientScopeError

__all__ = ["Validate", "ask_bearer", "serve_bearer", "token_of"]

SEPARATOR: Final = b"\x01"
AUTH: Final = "auth"
_NAME: Final = r"(?:[\x01-\x2b\x2d-\x3c\x3e-\x7f]|=2C|=3D)+"
_FIRST: Final = re.compile(
    rf"n,(?:a=(?P<id>{_NAME}))?,\x01(?P<pairs>(?:[A-Za-z]+=[\x21-\x7e \t\r\n]+\x01)*)\x01"
)
_CREDENTIAL: Final = re.compile(r"(?P<scheme>\w+) +(?P<token>[-_~+/.a-zA-Z0-9]+=*)")
_EXTENSION_NAME: Final = re.compile(r"[A-Za-z]+")
_EXTENSION_VALUE: Final = re.compile(r"[\x21-\x7e \t\r\n]+")

Validate = Callable[[str], Bearer]
"""Whom a token names, or `JwtError`."""


def serve_bearer(validate: Validate) -> Serving:
    response = yield b""
    authorization_id, token = _read_first(response)
    try:
        bearer = validate(token)
    except JwtError as error:
        answer = _error(error)
        response = yield answer.encode()
        raise SaslRefusedError(answer, reason=str(error)) from error
    if authorization_id not in ("", bearer.name):
        raise SaslRefusedError(
            "Authentication failed: Client requested an authorization id "
            f"({authorization_id}) that is different from the token's principal name "
            f"({bearer.name})"
        )
    return Identity(bearer.name, expires_at_ms=bearer.expires_at_ms)


def token_of(response: bytes) -> str:
    """The token in a client's first message, or `SaslError`."""
    return _read_first(response)[1]


def _error(error: JwtError) -> str:
    if isinstance(error, InsufficientScopeError):
        scope = json.dumps(error.scope)
        return f'{{"status":"insufficient_scope", "scope":{scope}}}'
    return '{"status":"invalid_token"}'


def _read_first(response: bytes) -> tuple[str, str]:
    """Authorization id and token."""
    try:
        match = _FIRST.fullmatch(response.decode())
    except UnicodeDecodeError:
        match = None
    if match is None:
        raise SaslError("Invalid OAUTHBEARER client first message")
    pairs = dict(pair.split("=", 1) for pair in match["pairs"].split("\x01") if pair)
    if AUTH not in pairs:
        raise SaslError("Invalid OAUTHBEARER client first message: 'auth' not specified")
    credential = _CREDENTIAL.fullmatch(pairs[AUTH])
    if credential is None:
        raise SaslError("Invalid OAUTHBEARER client first message: invalid 'auth' format")
    if credential["scheme"].lower() != "bearer":
        raise SaslError("Invalid scheme in OAUTHBEARER client first message")
    name = (match["id"] or "").replace("=2C", ",").replace("=3D", "=")
    return name, credential["token"]


def ask_bearer(token: str, extensions: Mapping[str, str] | None = None) -> Asking:
    """One message; an error of the server is acknowledged, and then answered by its refusal."""
    given = {AUTH: f"Bearer {token}", **_checked(extensions or {})}
    pairs = b"".join(f"{name}={value}".encode() + SEPARATOR for name, value in given.items())
    challenge = yield b"n,," + SEPARATOR + pairs + SEPARATOR
    if challenge:
        yield SEPARATOR


def _checked(extensions: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in extensions.items():
        if name == AUTH or not _EXTENSION_NAME.fullmatch(name):
            raise SaslError(f"the extension name {name} is invalid: letters alone, and not {AUTH}")
        if not _EXTENSION_VALUE.fullmatch(value):
            raise SaslError(f"the extension {name} has a value that cannot be sent")
    return extensions
