"""PLAIN: name and password in one token (RFC 4616); worth something over TLS alone.

token = [authorization id] NUL name NUL password
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.network.sasl.dialogue import Asking, Identity, SaslError, SaslRefusedError, Serving

__all__ = ["PLAIN", "ask_plain", "login_of", "serve_plain"]

PLAIN = "PLAIN"
PARTS = 3
REFUSED = "Authentication failed: Invalid username or password"
OTHER_ID = (
    "Authentication failed: Client requested an authorization id that is different from username"
)


def serve_plain(is_password: Callable[[str, str], bool]) -> Serving:
    """`is_password` takes as long for unknown names."""
    authorization_id, name, password = login_of((yield b""))
    if not is_password(name, password):
        raise SaslRefusedError(REFUSED)
    if authorization_id not in ("", name):
        raise SaslRefusedError(OTHER_ID)
    return Identity(name)


def login_of(token: bytes) -> tuple[str, str, str]:
    """Authorization id, name and password, or `SaslError`."""
    parts = token.split(b"\0")
    if len(parts) != PARTS:
        raise SaslError(f"a token of PLAIN has {PARTS} parts, and this one {len(parts)}")
    try:
        authorization_id, name, password = (part.decode() for part in parts)
    except UnicodeDecodeError:
        raise SaslError("a token of PLAIN is text, and this one is not") from None
    if not name or not password:
        raise SaslError("a token of PLAIN has no name, or no password")
    return authorization_id, name, password


def ask_plain(name: str, password: str) -> Asking:
    yield b"\0".join((b"", name.encode(), password.encode()))
