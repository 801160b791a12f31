"""What a decision looks at: the metadata with uncommitted records, the settings, and the moment."""

from __future__ import annotations

from moldau.broker.controller.brokers.sessions import Sessions
from moldau.broker.controller.partitions.replica_index import ReplicaIndex
from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.metadata.features import ELR_VERSION, METADATA_VERSIONS, MetadataVersion
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import (
    MIGRATING_DIRECTORY,
    UNASSIGNED_DIRECTORY,
)
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that a decision may depend on, beside the request."""

    image: Image
    settings: BrokerSettings
    sessions: Sessions
    replicas: ReplicaIndex
    """Of the topics of the image."""
    random: Random
    now_ms: int
    """By a clock that never jumps; only differences mean anything."""
    wall_ms: int
    """By the one that people and records share."""
    next_offset: int
    """Where the first record of this decision will lie; a broker's epoch is such an offset."""
    cluster_id: str = ""

    @property
    def metadata_version(self) -> MetadataVersion:
        return METADATA_VERSIONS[self.image.features.metadata_version]

    @property
    def elr_enabled(self) -> bool:
        return self.image.features.level(ELR_VERSION) > 0

    def broker(self, broker_id: int) -> BrokerState | None:
        return self.image.cluster.brokers.get(broker_id)

    def is_active(self, broker_id: int) -> bool:
        """Registered, unfenced, and not about to leave: may lead and be in sync."""
        broker = self.broker(broker_id)
        return broker is not None and not broker.fenced and not broker.in_controlled_shutdown

    def default_directory(self, broker_id: int) -> bytes:
        """Where a replica on this broker will lie; only a broker of one directory has no choice."""
        broker = self.broker(broker_id)
        if broker is None or not broker.log_dirs:
            return MIGRATING_DIRECTORY
        return broker.log_dirs[0] if len(broker.log_dirs) == 1 else UNASSIGNED_DIRECTORY
