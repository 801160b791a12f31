"""Brokers whose process has ended are fenced without waiting for their sessions to end.

The system closes the connections of a process that ends. So when the connection that brought a
broker's heartbeats is lost, the active controller tries the broker's listeners at once. If every
one of them refuses, nothing listens there any more, and the broker's session ends now. If one
accepts, or nothing answers, the session goes on until its heartbeats have been missing for
`broker.session.timeout.ms`. A controller that has just become active tries all brokers once: their
connections were to the controller before it.

Fencing early is safe. It moves leaders to replicas in sync, in a later epoch, and a broker that was
fenced by mistake cannot commit in the old one; its next heartbeat brings it back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from moldau.broker.metadata.image import Image
from moldau.platform.ports.network import Network
from moldau.platform.ports.tasks import Tasks

__all__ = ["EarlyFencing"]

log = logging.getLogger(__name__)

BROKERS_MAX = 10_000
"""Connections that are remembered; more than any cluster has brokers."""

EndSession = Callable[[int, int], None]
"""Given a broker's id and epoch."""


class EarlyFencing:
    """Fences brokers early; it acts only while its controller is active, for `end_session` does."""

    def __init__(
        self,
        network: Network,
        tasks: Tasks,
        own_id: int,
        image: Callable[[], Image],
        end_session: EndSession,
    ) -> None:
        self._network = network
        self._tasks = tasks
        self._own_id = own_id
        self._image = image
        self._end_session = end_session
        self._beating: dict[int, tuple[int, int]] = {}
        """Broker id and epoch, by the number of the connection that brings the heartbeats."""

    def __repr__(self) -> str:
        return f"EarlyFencing({len(self._beating)} connections with heartbeats)"

    def heartbeat(self, connection: int, broker_id: int, broker_epoch: int) -> None:
        """A broker's heartbeat has come by this connection."""
        if connection in self._beating or len(self._beating) < BROKERS_MAX:
            self._beating[connection] = (broker_id, broker_epoch)

    def connection_lost(self, connection: int) -> None:
        """If it brought heartbeats, look whether the broker's process has ended."""
        found = self._beating.pop(connection, None)
        if found is not None:
            self._tasks.spawn(f"probe-broker-{found[0]}", self._probe(*found))

    def probe_all(self) -> None:
        """This controller has just become active."""
        for broker in self._image().cluster.brokers.values():
            if not broker.fenced and broker.broker_id != self._own_id:
                name = f"probe-broker-{broker.broker_id}"
                self._tasks.spawn(name, self._probe(broker.broker_id, broker.epoch))

    async def _probe(self, broker_id: int, broker_epoch: int) -> None:
        from moldau.broker.server.probing import all_refuse  # a single node never gets here

        broker = self._image().cluster.brokers.get(broker_id)
        if broker is None or broker.epoch != broker_epoch or broker.fenced:
            return
        if await all_refuse(self._network, self._tasks, broker):
            log.info("Broker %d: its connection is lost and its listeners refuse", broker_id)
            self._end_session(broker_id, broker_epoch)
