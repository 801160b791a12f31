"""What holds for one consumer group: what it was told, within the broker's bounds, or the broker's.

A group is told by dynamic configs of its own (KIP-1142 lets the bounds change later: a value that
has come to lie outside counts as the nearest bound).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from moldau.coordinator.group.groups import GroupCoordinatorSettings
from moldau.metadata.image import Image

GROUP_RESOURCE = 32
"""The type of configs of groups."""


class Bounded(NamedTuple):
    """The broker's setting and its bounds for groups."""

    default: int
    least: int
    most: int

    def of(self, given: str | None) -> int:
        return self.default if given is None else min(max(int(given), self.least), self.most)


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
