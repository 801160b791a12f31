"""The cluster and its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.client.aio.admin.asking import AsyncAsking
from moldau.client.core.admin.cluster import (
    ClusterView,
    broker_api_versions,
    describe_cluster,
    unregister_broker,
)
from moldau.client.core.admin.outcomes import Outcomes
from moldau.protocol.wire.versions import Versions

__all__ = ["AsyncClusterCalls"]


class AsyncClusterCalls(AsyncAsking):
    """What it consists of."""

    async def describe_cluster(
        self, *, operations: bool = False, fenced_brokers: bool = False
    ) -> ClusterView:
        """Its id, its nodes and its controller; fenced brokers only if they are wanted."""
        return await self._hold(
            describe_cluster(self._call(), operations=operations, fenced_brokers=fenced_brokers)
        )

    async def broker_api_versions(
        self, nodes: Iterable[int] | None = None
    ) -> Outcomes[int, Mapping[str, Versions]]:
        """Which versions of which requests each node understands."""
        return await self._hold(broker_api_versions(self._call(), nodes))

    async def unregister_broker(self, node_id: int) -> None:
        """Forget a broker that is gone for good."""
        await self._hold(unregister_broker(self._call(), node_id))
