"""The topic of the keys: created and read with the first question about a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from moldau.client.core.consuming.records import ConsumerRecord
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.programs.registry.keys.state import KeyState
from moldau.programs.registry.records import StoreRecord, read_json
from moldau.programs.registry.store import StoreSettings, TopicStore
from moldau.programs.registry.turns import Turns

__all__ = ["KeyStore", "Keys"]

Answer = TypeVar("Answer")


class Keys(Protocol):
    """Where keys are kept: a topic, or a list."""

    async def known(self, *, again: bool = False) -> KeyState:
        """What is there; with `again` all that had been committed when it was called."""
        ...

    async def write(
        self, decide: Callable[[KeyState], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer: ...


class _KeyTopic(TopicStore[KeyState]):
    def _apply(self, record: ConsumerRecord) -> None:
        key = read_json(record.key)
        if key is not None:
            self.state.apply(key, read_json(record.value), record.timestamp)


class KeyStore:
    """Most registries never have a key: nothing is opened for them."""

    def __init__(self, settings: StoreSettings, tasks: Tasks, random: Random) -> None:
        """`settings` are those of the schemas' topic: the rest is where that is."""
        self._settings = replace(settings, topic=settings.keys_topic)
        self._tasks = tasks
        self._random = random
        self._turns = Turns(tasks)
        self._topic: _KeyTopic | None = None

    def __repr__(self) -> str:
        return f"KeyStore({self._settings.topic})"

    async def known(self, *, again: bool = False) -> KeyState:
        topic = await self._opened()
        if again:
            await topic.read_to_end()
        return topic.state

    async def write(
        self, decide: Callable[[KeyState], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer:
        return await (await self._opened()).write(decide)

    async def close(self) -> None:
        if self._topic is not None:
            await self._topic.close()

    async def _opened(self) -> _KeyTopic:
        if self._topic is not None:
            return self._topic
        async with self._turns.turn():
            if self._topic is None:
                topic = _KeyTopic(self._settings, KeyState(), self._tasks, self._random)
                await topic.start()
                self._topic = topic
        return self._topic
