"""Consumers that live in a proxy, between one request and the next.

An instance is a consumer of ours with a name, in a group. It reads for one request at a time. One
that no request has touched for a while leaves its group, as a program would that has died.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

from moldau.client import AsyncConsumer
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.turns import Turns
from moldau.programs.rest.refusals import Refusal, refuse

__all__ = ["Ended", "Instance", "Instances"]

Ended: TypeAlias = Callable[[Sequence[tuple[str, str]]], Awaitable[None]]

log = logging.getLogger(__name__)

IDLE_MS_MAX: Final = 300_000
LOOK_MS: Final = 5_000
INSTANCES_MAX: Final = 1_000
"""Each has connections of its own, and up to 50 MiB of what it has fetched."""
NS_PER_MS: Final = 1_000_000


class Instance:
    """One of them."""

    def __init__(
        self, group: str, name: str, data_format: str, consumer: AsyncConsumer, turns: Turns
    ) -> None:
        self.group = group
        self.name = name
        self.format = data_format
        self.consumer = consumer
        self.turns = turns
        self.topics: list[str] = []
        """What it subscribes to."""
        self.timeout_ms = 0
        """How long a request for records waits that names no time of its own."""
        self.users = 0
        self.touched_ms = 0

    def __repr__(self) -> str:
        return f"<Instance {self.name} in {self.group}, {self.format}>"


class Instances:
    """All of one proxy."""

    def __init__(
        self,
        tasks: Tasks,
        clock: Clock,
        random: Random,
        *,
        idle_ms_max: int = IDLE_MS_MAX,
        look_ms: int = LOOK_MS,
        ended: Ended | None = None,
    ) -> None:
        """`ended` is called with groups and names of those that have ended."""
        self._tasks = tasks
        self._clock = clock
        self._random = random
        self._idle_ms_max = idle_ms_max
        self._look_ms = look_ms
        self._ended = ended
        self._known: dict[tuple[str, str], Instance] = {}
        self._timer: Timer | None = None

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, place: tuple[str, str]) -> bool:
        return place in self._known

    def drawn_name(self) -> str:
        return f"rest-consumer-{self._random.randbytes(16).hex()}"

    def create(
        self, group: str, name: str, data_format: str, settings: Mapping[str, str]
    ) -> Instance:
        """It reads nothing until it subscribes, or is assigned something."""
        if (group, name) in self._known:
            text = "Consumer with specified consumer ID already exists in the specified group."
            raise refuse(Refusal.INSTANCE_EXISTS, text)
        if len(self._known) >= INSTANCES_MAX:
            raise HttpError(429, f"this proxy has {INSTANCES_MAX} consumers: delete some of them")
        consumer = AsyncConsumer(settings)
        consumer.start()
        made = Instance(group, name, data_format, consumer, Turns(self._tasks))
        made.touched_ms = self._now_ms()
        self._known[group, name] = made
        if self._timer is None:
            self._timer = self._tasks.after(self._look_ms, self._look)
        return made

    @asynccontextmanager
    async def using(self, group: str, name: str) -> AsyncIterator[Instance]:
        """The instance, for one request at a time; 404 where there is none."""
        instance = self._found(group, name)
        instance.users += 1
        try:
            async with instance.turns.turn():
                self._found(group, name)  # it may be deleted by now
                yield instance
        finally:
            instance.users -= 1
            instance.touched_ms = self._now_ms()

    async def delete(self, group: str, name: str) -> None:
        """It leaves its group, after what it is doing."""
        async with self.using(group, name) as instance:
            del self._known[group, name]
            await self._end([instance])

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        left, self._known = list(self._known.values()), {}
        await self._end(left)

    async def _end(self, instances: Sequence[Instance]) -> None:
        for instance in instances:
            await instance.consumer.close()
        if self._ended is not None and instances:
            await self._ended([(one.group, one.name) for one in instances])

    def _found(self, group: str, name: str) -> Instance:
        instance = self._known.get((group, name))
        if instance is None:
            raise refuse(Refusal.INSTANCE_NOT_FOUND, "Consumer instance not found.")
        return instance

    def _look(self) -> None:
        """End those that no request has touched for too long."""
        now_ms = self._now_ms()
        for key, instance in list(self._known.items()):
            if not instance.users and now_ms - instance.touched_ms > self._idle_ms_max:
                del self._known[key]
                log.info("%r has not been used for %d ms, and ends", instance, self._idle_ms_max)
                self._tasks.spawn(f"end of {instance.name}", self._end([instance]))
        self._timer = self._tasks.after(self._look_ms, self._look) if self._known else None

    def _now_ms(self) -> int:
        return self._clock.monotonic_ns() // NS_PER_MS
