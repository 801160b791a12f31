"""What holds for one share group: its own settings, within bounds, or else the broker's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from moldau.broker.coordinator.group.bounded import GROUP_RESOURCE, Bounded
from moldau.broker.coordinator.share.partition.limits import ShareLimits
from moldau.broker.metadata.image import Image


class ShareGroupBrokerSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def group_share_max_size(self) -> int: ...
    @property
    def group_share_session_timeout_ms(self) -> int: ...
    @property
    def group_share_min_session_timeout_ms(self) -> int: ...
    @property
    def group_share_max_session_timeout_ms(self) -> int: ...
    @property
    def group_share_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_share_min_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_share_max_heartbeat_interval_ms(self) -> int: ...
    @property
    def group_share_assignment_interval_ms(self) -> int: ...
    @property
    def group_share_min_assignment_interval_ms(self) -> int: ...
    @property
    def group_share_max_assignment_interval_ms(self) -> int: ...
    @property
    def group_share_initialize_retry_interval_ms(self) -> int: ...
    @property
    def group_share_record_lock_duration_ms(self) -> int: ...
    @property
    def group_share_min_record_lock_duration_ms(self) -> int: ...
    @property
    def group_share_max_record_lock_duration_ms(self) -> int: ...
    @property
    def group_share_delivery_count_limit(self) -> int: ...
    @property
    def group_share_min_delivery_count_limit(self) -> int: ...
    @property
    def group_share_max_delivery_count_limit(self) -> int: ...
    @property
    def group_share_partition_max_record_locks(self) -> int: ...
    @property
    def group_share_min_partition_max_record_locks(self) -> int: ...
    @property
    def group_share_max_partition_max_record_locks(self) -> int: ...


class ShareGroupSettings:
    """The settings of one group at this moment."""

    def __init__(self, broker: ShareGroupBrokerSettings, image: Image, group_id: str) -> None:
        self._broker = broker
        self._given: Mapping[str, str] = image.configs.of(GROUP_RESOURCE, group_id)

    def _bounded(self, name: str, limits: tuple[int, int, int]) -> int:
        return Bounded(*limits).of(self._given.get(name))

    @property
    def session_timeout_ms(self) -> int:
        broker = self._broker
        limits = (
            broker.group_share_session_timeout_ms,
            broker.group_share_min_session_timeout_ms,
            broker.group_share_max_session_timeout_ms,
        )
        return self._bounded("share.session.timeout.ms", limits)

    @property
    def heartbeat_interval_ms(self) -> int:
        broker = self._broker
        limits = (
            broker.group_share_heartbeat_interval_ms,
            broker.group_share_min_heartbeat_interval_ms,
            broker.group_share_max_heartbeat_interval_ms,
        )
        return self._bounded("share.heartbeat.interval.ms", limits)

    @property
    def assignment_interval_ms(self) -> int:
        broker = self._broker
        limits = (
            broker.group_share_assignment_interval_ms,
            broker.group_share_min_assignment_interval_ms,
            broker.group_share_max_assignment_interval_ms,
        )
        return self._bounded("share.assignment.interval.ms", limits)

    @property
    def record_lock_duration_ms(self) -> int:
        broker = self._broker
        limits = (
            broker.group_share_record_lock_duration_ms,
            broker.group_share_min_record_lock_duration_ms,
            broker.group_share_max_record_lock_duration_ms,
        )
        return self._bounded("share.record.lock.duration.ms", limits)

    @property
    def delivery_count_limit(self) -> int:
        broker = self._broker
        limits = (
            broker.group_share_delivery_count_limit,
            broker.group_share_min_delivery_count_limit,
            broker.group_share_max_delivery_count_limit,
        )
        return self._bounded("share.delivery.count.limit", limits)

    @property
    def partition_max_record_locks(self) -> int:
        broker = self._broker
        limits = (
            broker.group_share_partition_max_record_locks,
            broker.group_share_min_partition_max_record_locks,
            broker.group_share_max_partition_max_record_locks,
        )
        return self._bounded("share.partition.max.record.locks", limits)

    @property
    def may_renew(self) -> bool:
        return self._given.get("share.renew.acknowledge.enable", "true") == "true"

    @property
    def reads_committed(self) -> bool:
        return self._given.get("share.isolation.level") == "read_committed"

    @property
    def auto_offset_reset(self) -> str:
        """`latest`, `earliest`, or `by_duration:` and a duration."""
        return self._given.get("share.auto.offset.reset", "latest")

    def limits(self) -> ShareLimits:
        """As a share partition uses them."""
        return ShareLimits(
            lock_ms=self.record_lock_duration_ms,
            delivery_count_max=self.delivery_count_limit,
            locks_max=self.partition_max_record_locks,
            may_renew=self.may_renew,
        )
