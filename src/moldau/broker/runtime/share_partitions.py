"""All share partitions that are in use on this broker, loaded when they are first wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from moldau.broker.coordinator.group.share.settings import (
    ShareGroupBrokerSettings,
    ShareGroupSettings,
)
from moldau.broker.coordinator.share.state import ShareKey
from moldau.broker.metadata.image import Image
from moldau.broker.metrics.kinds import Histogram
from moldau.broker.replica.partition import Partition
from moldau.broker.runtime.running_share_partition import RunningSharePartition
from moldau.broker.runtime.share_figures import GroupFigures
from moldau.broker.runtime.share_states import ShareStates
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.wire.error_codes import ErrorCode

NS_PER_US = 1000
US_TO_MS = 0.001


class Leaders(Protocol):
    """Where the partitions are; `replica.manager.ReplicaManager` has it."""

    def leader(self, topic: str, index: int, leader_epoch: int = -1) -> Partition: ...


class SharePartitions:
    """By group, topic and index."""

    def __init__(
        self,
        states: ShareStates,
        replicas: Leaders,
        settings: ShareGroupBrokerSettings,
        image: Callable[[], Image],
        clock: Clock,
        tasks: Tasks,
    ) -> None:
        self.states = states
        self._replicas = replicas
        self._settings = settings
        self._image = image
        self._clock = clock
        self._tasks = tasks
        self.load_times = Histogram(US_TO_MS)
        """How long share partitions took to load."""
        self._figures: dict[str, GroupFigures] = {}
        self._led: dict[ShareKey, RunningSharePartition] = {}
        self._loading: dict[ShareKey, list[Promise[RunningSharePartition]]] = {}

    def __repr__(self) -> str:
        return f"SharePartitions({len(self._led)} loaded, {len(self._loading)} loading)"

    def __len__(self) -> int:
        return len(self._led)

    def __iter__(self) -> Iterator[RunningSharePartition]:
        """Those that are loaded."""
        return iter(tuple(self._led.values()))

    def figures_of(self, group_id: str) -> GroupFigures:
        """What is measured of the group while it has members here."""
        found = self._figures.get(group_id)
        if found is None:
            found = self._figures[group_id] = GroupFigures()
        return found

    def figures(self) -> list[tuple[str, GroupFigures]]:
        """Of all groups."""
        return list(self._figures.items())

    def settings_of(self, group_id: str) -> ShareGroupSettings:
        """What holds for the group at this moment."""
        return ShareGroupSettings(self._settings, self._image(), group_id)

    def loaded(self, key: ShareKey) -> RunningSharePartition | None:
        """The share partition, if it is here and may be used."""
        led = self._led.get(key)
        if led is not None and not led.is_current:
            self._drop(key)
            return None
        return led

    async def get(self, key: ShareKey) -> RunningSharePartition:
        """The share partition, loaded if need be; or a `KafkaError` with the reason."""
        led = self.loaded(key)
        if led is not None:
            return led
        promise: Promise[RunningSharePartition] = self._tasks.promise()
        waiting = self._loading.setdefault(key, [])
        waiting.append(promise)
        if len(waiting) == 1:
            self._tasks.spawn(f"load share {key.text}", self._load(key))
        return await promise.wait()

    async def _load(self, key: ShareKey) -> None:
        began_ns = self._clock.monotonic_ns()
        try:
            led = RunningSharePartition(
                key,
                self._leader(key),
                self.states,
                lambda: self.settings_of(key.group_id),
                self._clock,
                self._tasks,
            )
            await led.load()
        except KafkaError as error:
            for promise in self._loading.pop(key):
                promise.fail(error)
            return
        self.load_times.record((self._clock.monotonic_ns() - began_ns) // NS_PER_US)
        self._led[key] = led
        for promise in self._loading.pop(key):
            promise.keep(led)

    def _leader(self, key: ShareKey) -> Partition:
        topic = self._image().topics.by_id.get(key.topic_id)
        if topic is None:
            raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
        return self._replicas.leader(topic.name, key.partition)

    def drop_group(self, group_id: str) -> None:
        """No member of this group is here any more; the next one loads it again."""
        self._figures.pop(group_id, None)
        for key in [key for key in self._led if key.group_id == group_id]:
            self._drop(key)

    def _drop(self, key: ShareKey) -> None:
        self._led.pop(key).close()

    def close(self) -> None:
        """The broker stops."""
        for key in tuple(self._led):
            self._drop(key)
