"""Connections to listeners of SSL and SASL_SSL: TLS below, and whatever login belongs above."""

from __future__ import annotations

from moldau.network.outgoing.peer import Peer
from moldau.network.outgoing.protection import Protection
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.ports.tls import Tls

__all__ = ["TlsProtection"]


class TlsProtection:
    """A `Protection` around another one."""

    doubt = ""

    def __init__(self, tls: Tls, login: Protection) -> None:
        self._tls = tls
        self._login = login

    def __repr__(self) -> str:
        return f"TlsProtection({self._tls}, {self._login})"

    def wrap(self, address: Address, take_over: TakeOver) -> TakeOver:
        return self._tls.call(address.host, take_over)

    async def authenticate(self, peer: Peer) -> None:
        await self._login.authenticate(peer)
