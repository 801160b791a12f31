"""The cluster and its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from moldau.client.core.admin.cluster import (
    ClusterView,
    broker_api_versions,
    describe_cluster,
    unregister_broker,
)
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.sync.admin.asking import Asking
from moldau.protocol.wire.versions import Versions

__all__ = ["ClusterCalls"]


class ClusterCalls(Asking):
    """What it consists of."""

    def describe_cluster(
        self, *, operations: bool = False, fenced_brokers: bool = False
    ) -> ClusterView:
        """Its id, its nodes and its controller; fenced brokers only if they are wanted."""
        return self._hold(
            describe_cluster(self._call(), operations=operations, fenced_brokers=fenced_brokers)
        )

    def broker_api_versions(
        self, nodes: Iterable[int] | None = None
    ) -> Outcomes[int, Mapping[str, Versions]]:
        """Which versions of which requests each node understands."""
        return self._hold(broker_api_versions(self._call(), nodes))

    def unregister_broker(self, node_id: int) -> None:
        """Forget a broker that is gone for good."""
        self._hold(unregister_broker(self._call(), node_id))
