"""What the quorum of a node is made of, and what its settings say about it."""

from __future__ import annotations

from dataclasses import field

from moldau.broker.log.settings import MIB
from moldau.broker.log.world import World
from moldau.broker.quorum.member import QuorumSettings
from moldau.broker.quorum.voters import VoterSet
from moldau.broker.runtime.quorum.hosted_controller import MakeController
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.metadata_log import MetadataLogSettings
from moldau.broker.runtime.quorum.outgoing_messages import Peers
from moldau.broker.runtime.quorum.snapshotting import SnapshotSettings
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QuorumLoopSettings:
    """What of the node's settings is about its quorum."""

    quorum: QuorumSettings = field(default_factory=QuorumSettings)
    log: MetadataLogSettings = field(default_factory=MetadataLogSettings)
    snapshots: SnapshotSettings = field(default_factory=SnapshotSettings)
    fetch_bytes_max: int = MIB
    """Of one fetch of the log."""
    piece_bytes_max: int = MIB
    """Of one piece of a snapshot."""
    max_idle_ms: int = 500
    """0 writes no NoOpRecords."""
    min_insync_replicas: int = 1
    """What a new cluster gets as its config, where eligible leaders depend on it."""

    @classmethod
    def of(cls, settings: BrokerSettings) -> QuorumLoopSettings:
        return cls(
            quorum=QuorumSettings(
                election_timeout_ms=settings.controller_quorum_election_timeout_ms,
                fetch_timeout_ms=settings.controller_quorum_fetch_timeout_ms,
                election_backoff_max_ms=settings.controller_quorum_election_backoff_max_ms,
                request_timeout_ms=settings.controller_quorum_request_timeout_ms,
                retry_backoff_ms=settings.controller_quorum_retry_backoff_ms,
                auto_join=settings.controller_quorum_auto_join_enable,
            ),
            log=MetadataLogSettings(
                segment_bytes=settings.internal_metadata_log_segment_bytes
                or settings.metadata_log_segment_bytes,
                segment_ms=settings.metadata_log_segment_ms,
            ),
            snapshots=SnapshotSettings(
                bytes_between=settings.metadata_log_max_record_bytes_between_snapshots,
                interval_ms=settings.metadata_log_max_snapshot_interval_ms,
                retention_bytes=settings.metadata_max_retention_bytes,
                retention_ms=settings.metadata_max_retention_ms,
            ),
            fetch_bytes_max=settings.controller_quorum_fetch_max_bytes,
            piece_bytes_max=settings.controller_quorum_fetch_snapshot_max_bytes,
            max_idle_ms=settings.metadata_max_idle_interval_ms,
            min_insync_replicas=settings.min_insync_replicas,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuorumParts:
    """What the quorum of a node is made of."""

    identity: Identity
    log_directory: str
    """The one that holds `__cluster_metadata-0`."""
    world: World
    tasks: Tasks
    settings: QuorumLoopSettings = field(default_factory=QuorumLoopSettings)
    voters: VoterSet = field(default_factory=VoterSet)
    """Of `controller.quorum.voters`; empty where the log has the voters."""
    make_controller: MakeController | None = None
    """None on nodes that never lead."""
    peers: Peers | None = None
    """The way to other controllers; None where there are none."""
    bootstrap: tuple[Address, ...] = ()
    listener: str | None = None
    """Which of the other controllers' listeners this node prefers."""
    clean: bool = False
    """Whether the log directory was left in order."""
    known_offset: int = 0
    """What else of the node's directories shows that all below was in the log."""
    alone_offset: int = 0
    """The same, which holds where this node votes alone by what is in its log."""
    finds_voters: bool = True
    """Whether the voters can be found elsewhere, if the log does not have them."""
