"""The cluster, its nodes, their directories, and the quorum of its controllers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from moldau.client.aio.admin.asking import AsyncAsking
from moldau.client.core import admin as calls
from moldau.client.core.admin.outcomes import Outcomes
from moldau.protocol.wire.versions import Versions

if TYPE_CHECKING:
    from moldau.client.core.admin.cluster import ClusterView
    from moldau.client.core.admin.features import FeaturesView, FeatureUpdate
    from moldau.client.core.admin.log_dirs import LogDir, Replica, ReplicaLogDirs
    from moldau.client.core.admin.quorum import QuorumView, VoterEndpoint
    from moldau.client.core.admin.replica_batches import Found, Offsets
    from moldau.client.topic_partition import TopicPartition

__all__ = ["AsyncClusterCalls"]


class AsyncClusterCalls(AsyncAsking):
    """What it consists of, and what it runs."""

    async def describe_cluster(
        self, *, operations: bool = False, fenced_brokers: bool = False
    ) -> ClusterView:
        """Its id, its nodes and its controller; fenced brokers only if they are wanted."""
        return await self._hold(
            calls.describe_cluster(
                self._call(), operations=operations, fenced_brokers=fenced_brokers
            )
        )

    async def broker_api_versions(
        self, nodes: Iterable[int] | None = None
    ) -> Outcomes[int, Mapping[str, Versions]]:
        """Which versions of which requests each node understands."""
        return await self._hold(calls.broker_api_versions(self._call(), nodes))

    async def unregister_broker(self, node_id: int) -> None:
        """Forget a broker that is gone for good."""
        await self._hold(calls.unregister_broker(self._call(), node_id))

    async def client_instance_id(self) -> str:
        """The id that a broker gives this client for its metrics (KIP-714)."""
        return await self._hold(calls.client_instance_id(self._call()))

    async def describe_log_dirs(
        self,
        nodes: Iterable[int] | None = None,
        partitions: Iterable[TopicPartition] | None = None,
    ) -> Outcomes[int, dict[str, LogDir]]:
        """Directories of brokers by path, with what is in them; of all brokers, or of these.

        With `partitions` no others are in them, which costs little where there are many.
        """
        return await self._hold(calls.describe_log_dirs(self._call(), nodes, partitions))

    async def describe_replica_log_dirs(
        self, replicas: Iterable[Replica]
    ) -> Outcomes[Replica, ReplicaLogDirs]:
        """In which directory replicas are, and to which they are moving."""
        return await self._hold(calls.describe_replica_log_dirs(self._call(), replicas))

    async def alter_replica_log_dirs(self, paths: Mapping[Replica, str]) -> Outcomes[Replica, None]:
        """Move replicas to other directories of their brokers."""
        return await self._hold(calls.alter_replica_log_dirs(self._call(), paths))

    async def read_replicas(
        self, wanted: Mapping[int, Offsets], *, max_bytes: int = 1048576, max_wait_ms: int = 0
    ) -> Found:
        """Headers of what brokers hold from offsets on, leaders or not, to be compared."""
        return await self._hold(
            calls.read_replicas(self._call(), wanted, max_bytes=max_bytes, max_wait_ms=max_wait_ms)
        )

    async def describe_features(self, node_id: int | None = None) -> FeaturesView:
        """What the cluster runs, and what a node could run."""
        return await self._hold(calls.describe_features(self._call(), node_id))

    async def update_features(
        self, updates: Mapping[str, FeatureUpdate | int], *, validate_only: bool = False
    ) -> Outcomes[str, None]:
        """Raise or lower the levels of features."""
        return await self._hold(
            calls.update_features(self._call(), updates, validate_only=validate_only)
        )

    async def describe_metadata_quorum(self) -> QuorumView:
        """Who leads the quorum, who votes in it, and how far each is."""
        return await self._hold(calls.describe_metadata_quorum(self._call()))

    async def add_raft_voter(
        self,
        voter_id: int,
        directory_id: str,
        endpoints: Sequence[VoterEndpoint],
        *,
        cluster_id: str | None = None,
    ) -> None:
        """Let a controller vote (KIP-853)."""
        await self._hold(
            calls.add_raft_voter(
                self._call(), voter_id, directory_id, endpoints, cluster_id=cluster_id
            )
        )

    async def remove_raft_voter(
        self, voter_id: int, directory_id: str, *, cluster_id: str | None = None
    ) -> None:
        """Let a controller vote no more."""
        await self._hold(
            calls.remove_raft_voter(self._call(), voter_id, directory_id, cluster_id=cluster_id)
        )
