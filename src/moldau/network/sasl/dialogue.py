"""What a dialogue of SASL is, how it ends well, and the two ways in which it fails.

A serving generator is begun with `next`, which gives nothing, and then gets token after token. What
it yields goes to the client; what it returns ends the login. An asking one is begun with `next`,
which gives its first token.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple, TypeAlias

from moldau.errors import MoldauError

__all__ = ["Asking", "Identity", "SaslError", "SaslRefusedError", "Serving"]


class SaslError(MoldauError):
    """The login fails, and why is for our own log: the peer gets only that it failed."""


class SaslRefusedError(SaslError):
    """The login fails, and the peer may read this very sentence."""

    def __init__(self, message: str, *, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message
        """For our own log, where that may have more."""


class Identity(NamedTuple):
    """Whom the client has proved to be."""

    name: str
    is_by_token: bool = False
    """By a delegation token, which is no way to another one."""
    expires_at_ms: int | None = None
    """When the proof ends, on the clock of the wall."""
    last: bytes = b""
    """The server's last token."""


Serving: TypeAlias = Generator[bytes, bytes, Identity]
Asking: TypeAlias = Generator[bytes, bytes, None]
