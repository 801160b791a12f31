"""What is put on a fresh connection before anything is asked on it: TLS below, SASL above.

TLS changes the bytes, so it stands between the link and its owner; SASL is a conversation, so it
takes place on the peer, before the question for versions. Nothing of either is here: `PLAIN` does
neither, and what brings them implements `Protection`.
"""

from __future__ import annotations

from typing import Protocol

from moldau.network.outgoing.peer import DOUBT, Peer
from moldau.platform.ports.network import Address, TakeOver

__all__ = ["PLAIN", "Protection"]


class Protection(Protocol):
    """How connections to one listener are protected."""

    @property
    def doubt(self) -> str:
        """What a listener may expect instead that closes connections before its first answer."""
        ...

    def wrap(self, address: Address, take_over: TakeOver) -> TakeOver:
        """From what takes over a plain stream, to what takes over the link as it is."""
        ...

    async def authenticate(self, peer: Peer) -> None:
        """Log in to the other node, or raise `NetworkError` or `KafkaError`."""
        ...


class _Plain:
    """No TLS, no SASL."""

    doubt = DOUBT

    def wrap(self, address: Address, take_over: TakeOver) -> TakeOver:
        return take_over

    async def authenticate(self, peer: Peer) -> None:
        """No authentication."""


PLAIN: Protection = _Plain()
