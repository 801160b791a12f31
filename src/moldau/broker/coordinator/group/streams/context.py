"""What all deciders about streams groups share: groups, settings, hashes, timers."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.coordinator.group.bounded import GROUP_RESOURCE, Bounded
from moldau.broker.coordinator.group.groups import GroupCoordinatorSettings, Groups
from moldau.broker.coordinator.group.member_timers import REVOCATION, SESSION, MemberTimers
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.coordinator.group.streams.records import group_record, member_tombstones
from moldau.broker.coordinator.group.topic_hash import TopicHashes
from moldau.broker.coordinator.shard import StoredRecord
from moldau.broker.metadata.image import Image


class StreamsSettings:
    """What holds for one group: its own settings, within the broker's bounds, or the broker's."""

    def __init__(self, broker: GroupCoordinatorSettings, image: Image, group_id: str) -> None:
        self._broker = broker
        self._given: Mapping[str, str] = image.configs.of(GROUP_RESOURCE, group_id)

    @property
    def session_timeout_ms(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_streams_session_timeout_ms,
            broker.group_streams_min_session_timeout_ms,
            broker.group_streams_max_session_timeout_ms,
        ).of(self._given.get("streams.session.timeout.ms"))

    @property
    def heartbeat_interval_ms(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_streams_heartbeat_interval_ms,
            broker.group_streams_min_heartbeat_interval_ms,
            broker.group_streams_max_heartbeat_interval_ms,
        ).of(self._given.get("streams.heartbeat.interval.ms"))

    @property
    def assignment_interval_ms(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_streams_assignment_interval_ms,
            broker.group_streams_min_assignment_interval_ms,
            broker.group_streams_max_assignment_interval_ms,
        ).of(self._given.get("streams.assignment.interval.ms"))

    @property
    def standby_count(self) -> int:
        broker = self._broker
        return Bounded(
            broker.group_streams_num_standby_replicas, 0, broker.group_streams_max_standby_replicas
        ).of(self._given.get("streams.num.standby.replicas"))

    @property
    def initial_delay_ms(self) -> int:
        given = self._given.get("streams.initial.rebalance.delay.ms")
        default_ms = self._broker.group_streams_initial_rebalance_delay_ms
        return default_ms if given is None else int(given)

    def assignment_configs(self) -> dict[str, str]:
        """With which targets are made; another one needs another target."""
        return {"num.standby.replicas": str(self.standby_count)}


class StreamsContext:
    """One for each shard."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.hashes: TopicHashes = {}
        self.timers = MemberTimers(groups, StreamsGroup, self._fenced)

    @property
    def image(self) -> Image:
        return self.groups.context.image()

    def settings_of(self, group: StreamsGroup) -> StreamsSettings:
        return StreamsSettings(self.groups.context.settings, self.image, group.group_id)

    def group(self, group_id: str) -> StreamsGroup | None:
        """The group, if it is one of ours."""
        group = self.groups.by_id.get(group_id)
        return group if isinstance(group, StreamsGroup) else None

    # Members that go.

    def touch_session(self, group: StreamsGroup, member_id: str, now_ms: int) -> None:
        """The member sent a heartbeat."""
        timeout_ms = self.settings_of(group).session_timeout_ms
        self.timers.touch_session(group.group_id, member_id, timeout_ms, now_ms)

    def remove(self, group: StreamsGroup, member_id: str) -> list[StoredRecord]:
        """The records that take the member out; the group gets another epoch."""
        self.timers.cancel(group.group_id, member_id, [SESSION, REVOCATION])
        return [
            *member_tombstones(group.group_id, member_id),
            group_record(
                group.group_id,
                group.epoch + 1,
                group.metadata_hash,
                group.validated_topology_epoch,
                group.assignment_configs,
            ),
        ]

    def _fenced(self, group: StreamsGroup, member_id: str, now_ms: int) -> list[StoredRecord]:
        return self.remove(group, member_id)
