"""TCP on the machine's own network."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Any

from moldau.errors import NetworkError
from moldau.ports.network import Address, TakeOver
from moldau.system.link import SystemLink

__all__ = ["SystemListener", "SystemNetwork"]

BACKLOG = 50
"""Connections that may wait to be accepted, as many as Kafka lets wait."""


class SystemListener:
    """A listening socket."""

    def __init__(
        self, listening: socket.socket, accepted: Callable[[socket.socket, Address], object]
    ) -> None:
        self._socket = listening
        self._accepted = accepted
        self._loop = asyncio.get_running_loop()
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
            except OSError:
                return
            self._accepted(connected, Address(*peer[:2]))


class SystemNetwork:
    """Sockets; it remembers what is open only to be able to close it."""

    def __init__(self) -> None:
        self._links: dict[SystemLink, None] = {}
        self._listeners: list[SystemListener] = []

    async def listen(self, address: Address, take_over: TakeOver) -> SystemListener:
        family, place = (await _resolve(address))[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setblocking(False)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            raise _refusal(address, error) from error
        listener = SystemListener(
            listening, lambda connected, peer: self._begin(connected, peer, take_over)
        )
        self._listeners.append(listener)
        return listener

    async def connect(self, address: Address, take_over: TakeOver) -> SystemLink:
        for family, place in (places := await _resolve(address)):
            try:
                connected = await _connected(family, place)
                return self._begin(connected, Address(*place[:2]), take_over)
            except OSError as error:
                if place == places[-1][1]:
                    raise _refusal(address, error) from error
        raise NetworkError(str(address), "the name has no address")

    def close(self) -> None:
        for listener in self._listeners:
            listener.close()
        for link in list(self._links):
            link.abort()

    def _begin(self, connected: socket.socket, peer: Address, take_over: TakeOver) -> SystemLink:
        connected.setblocking(False)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return SystemLink(connected, peer, take_over, self._links)


async def _resolve(address: Address) -> list[tuple[socket.AddressFamily, Any]]:
    """The families and places that a name stands for; the form of a place is its family's."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(
            address.host or None, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        raise _refusal(address, error) from error
    return [(family, place) for family, _type, _protocol, _name, place in found]


async def _connected(family: socket.AddressFamily, place: object) -> socket.socket:
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


def _refusal(address: Address, error: OSError) -> NetworkError:
    """Our error; asyncio words its own over the system's, which says what was wrong."""
    if isinstance(error, socket.gaierror) or error.errno is None:
        reason = error.strerror or str(error)
    else:
        reason = os.strerror(error.errno)
    return NetworkError(str(address), reason.lower())
