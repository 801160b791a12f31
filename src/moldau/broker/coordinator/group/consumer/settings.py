"""What holds for one consumer group: its own settings, within bounds, or else the broker's."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.coordinator.group.bounded import GROUP_RESOURCE, Bounded
from moldau.broker.coordinator.group.groups import GroupCoordinatorSettings
from moldau.broker.metadata.image import Image


class ConsumerGroupSettings:
    """The settings of one group at this moment."""

    def __init__(self, broker: GroupCoordinatorSettings, image: Image, group_id: str) -> None:
        self._broker = broker
        self._given: Mapping[str, str] = image.configs.of(GROUP_RESOURCE, group_id)

    @property
    def session_timeout_ms(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_consumer_session_timeout_ms,
            broker.group_consumer_min_session_timeout_ms,
            broker.group_consumer_max_session_timeout_ms,
        ).of(self._given.get("consumer.session.timeout.ms"))

    @property
    def heartbeat_interval_ms(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_consumer_heartbeat_interval_ms,
            broker.group_consumer_min_heartbeat_interval_ms,
            broker.group_consumer_max_heartbeat_interval_ms,
        ).of(self._given.get("consumer.heartbeat.interval.ms"))

    @property
    def assignment_interval_ms(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_consumer_assignment_interval_ms,
            broker.group_consumer_min_assignment_interval_ms,
            broker.group_consumer_max_assignment_interval_ms,
        ).of(self._given.get("consumer.assignment.interval.ms"))
