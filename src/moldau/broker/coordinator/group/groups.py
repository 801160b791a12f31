"""What all kinds of groups on one shard share: groups by name, offsets, timers, context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Protocol

from moldau.broker.coordinator.group.group import Group
from moldau.broker.coordinator.group.offsets.store import OffsetStore
from moldau.broker.coordinator.timers import Timers
from moldau.broker.metadata.image import Image
from moldau.errors import KafkaError
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode


class GroupCoordinatorSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def group_initial_rebalance_delay_ms(self) -> int: ...
    @property
    def group_min_session_timeout_ms(self) -> int: ...
    @property
    def group_max_session_timeout_ms(self) -> int: ...
    @property
    def group_max_size(self) -> int: ...
    @property
    def group_consumer_session_timeout_ms(self) -> int: ...
    @property
    def group_consumer_min_session_timeout_ms(self) -> int: ...
    @property
    def group_consumer_max_session_timeout_ms(self) -> int: ...
    @property
    def group_consumer_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_consumer_min_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_consumer_max_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_consumer_assignment_interval_ms(self) -> int: ...
    @property
    def group_consumer_min_assignment_interval_ms(self) -> int: ...
    @property
    def group_consumer_max_assignment_interval_ms(self) -> int: ...
    @property
    def group_consumer_max_size(self) -> int: ...
    @property
    def group_consumer_assignors(self) -> Sequence[str]: ...
    @property
    def group_consumer_migration_policy(self) -> str: ...
    @property
    def group_consumer_regex_refresh_interval_ms(self) -> int: ...
    @property
    def group_streams_session_timeout_ms(self) -> int: ...
    @property
    def group_streams_min_session_timeout_ms(self) -> int: ...
    @property
    def group_streams_max_session_timeout_ms(self) -> int: ...
    @property
    def group_streams_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_streams_min_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_streams_max_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_streams_assignment_interval_ms(self) -> int: ...
    @property
    def group_streams_min_assignment_interval_ms(self) -> int: ...
    @property
    def group_streams_max_assignment_interval_ms(self) -> int: ...
    @property
    def group_streams_max_size(self) -> int: ...
    @property
    def group_streams_num_standby_replicas(self) -> int: ...
    @property
    def group_streams_max_standby_replicas(self) -> int: ...
    @property
    def group_streams_initial_rebalance_delay_ms(self) -> int: ...
    @property
    def offset_metadata_max_bytes(self) -> int: ...
    @property
    def offsets_retention_minutes(self) -> int: ...
    @property
    def offsets_retention_check_interval_ms(self) -> int: ...


@dataclass(frozen=True, slots=True)
class GroupContext:
    """What a shard is given; the answers of the functions change over time."""

    settings: GroupCoordinatorSettings
    random: Random
    image: Callable[[], Image]
    """The cluster's metadata in force."""
    may_describe: Callable[[object, str], bool] = lambda caller, topic: True
    """Whether the principal of a request, given by its `correlation`, may describe a topic."""


@dataclass(slots=True)
class Groups:
    """The state of one shard."""

    context: GroupContext
    by_id: dict[str, Group] = field(default_factory=dict)
    offsets: OffsetStore = field(default_factory=OffsetStore)
    timers: Timers = field(default_factory=Timers)

    def get(self, group_id: str) -> Group:
        """The group, or GROUP_ID_NOT_FOUND."""
        group = self.by_id.get(group_id)
        if group is None:
            raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} not found.")
        return group

    def missing(self, group_id: str, kind: str) -> KafkaError:
        """The answer where no group of this kind has the name."""
        why = f"is not a {kind} group" if group_id in self.by_id else "not found"
        return KafkaError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} {why}.")
