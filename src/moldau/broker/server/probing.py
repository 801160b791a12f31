"""Looking whether a broker's process has ended: whether all of its listeners refuse a connection.

A refusal is the system's word that nothing listens there. A connection that is accepted and stays,
or a host that does not answer, is no evidence. While a process ends its sockets are closed one by
one, and the system may still accept a connection that it then resets; that is looked at again.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.metadata.cluster import BrokerState
from moldau.errors import AddressRefusesError, NetworkError
from moldau.platform.ports.network import Address, Link, Network
from moldau.platform.ports.tasks import Promise, Tasks

__all__ = ["all_refuse", "count_refusing"]

PROBE_TIMEOUT_MS = 500
"""A host that does not refuse within that time may be cut off, and that is no evidence."""
HELD_MS = 50
"""A connection that lasts so long was accepted by a process; the end of one takes less."""
TRIES = 3
"""A process that is there may close a connection, too: it has too many, or none is welcome yet."""


async def all_refuse(network: Network, tasks: Tasks, broker: BrokerState) -> bool:
    """Whether nothing listens at any of its addresses."""
    for endpoint in broker.endpoints.values():
        if not await _refuses(network, tasks, Address(endpoint.host, endpoint.port)):
            return False
    return bool(broker.endpoints)


async def count_refusing(network: Network, tasks: Tasks, addresses: Iterable[Address]) -> int:
    """At how many of them nothing listens."""
    return sum([await _refuses(network, tasks, address) for address in addresses])


async def _refuses(network: Network, tasks: Tasks, address: Address) -> bool:
    for _ in range(TRIES):
        probe = _Probe(tasks.promise())
        try:
            async with tasks.deadline(PROBE_TIMEOUT_MS):
                await network.connect(address, probe.take_over)
        except AddressRefusesError:
            return True
        except (NetworkError, TimeoutError):
            return False
        if await probe.is_held(tasks):
            return False
    return False


class _Probe:
    """A connection on which nothing is sent."""

    def __init__(self, ended: Promise[None]) -> None:
        self._ended = ended
        self._link: Link

    def take_over(self, link: Link) -> _Probe:
        self._link = link
        return self

    async def is_held(self, tasks: Tasks) -> bool:
        """Whether it is not closed at once; it is over when this returns."""
        try:
            async with tasks.deadline(HELD_MS):
                await self._ended.wait()
        except TimeoutError:
            self._link.abort()
            return True
        return False

    def readable(self) -> None:
        """What sends unasked is no broker."""
        self._link.abort()

    def all_sent(self) -> None:
        """Nothing is sent."""

    def lost(self, reason: str) -> None:
        self._ended.keep(None)
