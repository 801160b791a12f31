"""TCP on the machine's own network.

Every connection takes a descriptor, and so does every file. A process that has none left can open
no segment and load no module, which it does not survive; so a share of them is kept from those who
come. The system gives out the lowest number that is free: the number of a descriptor shows how
many are taken.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable
from importlib import import_module
from resource import RLIMIT_NOFILE, getrlimit
from typing import TYPE_CHECKING

from moldau.errors import NetworkError
from moldau.platform.ports.network import Address, TakeOver
from moldau.platform.system.link import SystemLink
from moldau.platform.system.look_ups import LookUps
from moldau.platform.system.places import refusal

if TYPE_CHECKING:
    from moldau.platform.ports.tls import TlsTerms
    from moldau.platform.system.tls.protection import SystemTls

__all__ = ["SystemListener", "SystemNetwork", "descriptors_for_links"]

log = logging.getLogger(__name__)

TLS = "moldau.platform.system.tls.protection"
"""Imported where it is asked for."""
BACKLOG = 50
"""As many as Kafka lets wait."""
FILES_SHARE = 4
"""This part of the descriptors is for files, as its denominator."""
FILES_MAX = 10_000
"""But no more than these: a process may have a million."""
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
REMEDIES = {
    errno.EADDRINUSE: "; stop the program that listens there, or choose another port",
    errno.EACCES: "; low ports are for root alone: choose one above 1023",
    errno.EADDRNOTAVAIL: "; choose an address of this machine, or 0.0.0.0 for all of them",
}
"""Remedies where a socket cannot listen, by the error."""
RECOVERY_S = 0.1
"""How long no connection is accepted when the system has nothing left to accept with."""
COMPLAINT_S = 60
"""Between two lines in the log about the same."""


class SystemListener:
    """A listening socket."""

    def __init__(
        self, listening: socket.socket, accepted: Callable[[socket.socket, Address], object]
    ) -> None:
        self._socket = listening
        self._accepted = accepted
        self._loop = asyncio.get_running_loop()
        self._complained_at = -float(COMPLAINT_S)
        self._loop.add_reader(listening, self._accept)
        self.address = Address(*listening.getsockname()[:2])

    def close(self) -> None:
        if self._socket.fileno() >= 0:
            self._loop.remove_reader(self._socket)
            self._socket.close()

    def _accept(self) -> None:
        """Take those that wait; one that has already left again is no matter."""
        for _ in range(BACKLOG):
            try:
                connected, peer = self._socket.accept()
            except OSError as error:
                if error.errno in EXHAUSTED:
                    self._recover()
                return
            if connected.fileno() >= descriptors_for_links():
                connected.close()
                self._complain()
            else:
                self._accepted(connected, Address(*peer[:2]))

    def _recover(self) -> None:
        """Do not spin: those that wait make the listener readable all the time."""
        self._complain()
        self._loop.remove_reader(self._socket)
        self._loop.call_later(RECOVERY_S, self._go_on)

    def _go_on(self) -> None:
        if self._socket.fileno() >= 0:
            self._loop.add_reader(self._socket, self._accept)

    def _complain(self) -> None:
        now_s = self._loop.time()
        if now_s - self._complained_at >= COMPLAINT_S:
            self._complained_at = now_s
            log.warning(
                "%s refuses connections: of %d descriptors what is left is for files; raise the "
                "limit (ulimit -n), or set max.connections below it",
                self.address,
                getrlimit(RLIMIT_NOFILE)[0],
            )


def descriptors_for_links() -> int:
    """Below this number a descriptor may be a connection's."""
    limit = getrlimit(RLIMIT_NOFILE)[0]
    return limit - min(limit // FILES_SHARE, FILES_MAX)


class SystemNetwork:
    """Sockets; it keeps what is open only to be able to close it."""

    def __init__(self, backlog: int = BACKLOG) -> None:
        self._backlog = backlog
        """Connections that may wait at each listener to be accepted."""
        self._look_ups = LookUps()
        self._links: dict[SystemLink, None] = {}
        self._listeners: list[SystemListener] = []

    async def listen(self, address: Address, take_over: TakeOver) -> SystemListener:
        family, place = (await self._look_ups.places_of(address))[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setblocking(False)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(self._backlog)
        except OSError as error:
            listening.close()
            raise refusal(address, error, REMEDIES.get(error.errno or 0, "")) from error
        listener = SystemListener(
            listening, lambda connected, peer: self._begin(connected, peer, take_over)
        )
        self._listeners.append(listener)
        return listener

    async def connect(self, address: Address, take_over: TakeOver) -> SystemLink:
        for family, place in (places := await self._look_ups.places_of(address)):
            try:
                connected = await _connected(family, place)
                return self._begin(connected, Address(*place[:2]), take_over)
            except OSError as error:
                if place == places[-1][1]:
                    raise refusal(address, error) from error
        raise NetworkError(str(address), "the name has no address")

    def tls(self, terms: TlsTerms, *, is_server: bool) -> SystemTls:
        made: SystemTls = import_module(TLS).SystemTls(terms, is_server=is_server)
        return made

    def close(self) -> None:
        for listener in self._listeners:
            listener.close()
        for link in list(self._links):
            link.abort()

    def _begin(self, connected: socket.socket, peer: Address, take_over: TakeOver) -> SystemLink:
        connected.setblocking(False)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return SystemLink(connected, peer, take_over, self._links)


async def _connected(family: int, place: object) -> socket.socket:
    connecting = socket.socket(family, socket.SOCK_STREAM)
    connecting.setblocking(False)
    is_connected = False
    try:
        await asyncio.get_running_loop().sock_connect(connecting, place)  # type: ignore[arg-type]
        is_connected = True
        return connecting
    finally:
        if not is_connected:
            connecting.close()
