"""What makes a node follow: its fetchers, and the channels to other brokers.

A node that is alone follows no leader, so the fetchers are made when a partition first has a leader
elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.broker.node.world import NodeWorld
from moldau.broker.replica.assignment import NO_LEADER
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.server.broker import Broker

if TYPE_CHECKING:
    from moldau.broker.runtime.replication.fetchers import ReplicaFetchers

__all__ = ["Following"]


class Following:
    """Has partitions followed; `begin` it when all logs are open."""

    def __init__(self, broker: Broker, world: NodeWorld, upkeep: Upkeep) -> None:
        self.fetchers: ReplicaFetchers | None = None
        self._broker = broker
        self._world = world
        self._upkeep = upkeep

    def __repr__(self) -> str:
        return f"Following({self.fetchers or 'no leader'})"

    def begin(self) -> None:
        self._broker.replicas.follow_with(self._follow, self._unfollow)

    def _follow(self, partition: Partition) -> None:
        if self.fetchers is None:
            if partition.leader == NO_LEADER:
                return
            from moldau.broker.node.fetchers import replica_fetchers

            self.fetchers = replica_fetchers(self._broker, self._world, self._upkeep)
            self._broker.replica_fetchers = self.fetchers
        self.fetchers.follow(partition)

    def _unfollow(self, partition: Partition) -> None:
        if self.fetchers is not None:
            self.fetchers.unfollow(partition)

    def ask_again(self) -> None:
        """What this broker may do has changed."""
        if self.fetchers is not None:
            self.fetchers.ask_again()

    def take_settings(self) -> None:
        """The broker has others now."""
        if self.fetchers is not None:
            self.fetchers.take_settings()

    async def stop(self) -> None:
        """Follow no leader any more."""
        self._broker.replicas.follow_with(_ignore, _ignore)
        if self.fetchers is not None:
            await self.fetchers.stop()


def _ignore(partition: Partition) -> None:
    """The node stops."""
