"""Asking share coordinators: one question about many share partitions, one answer.

Each share partition has its own place in `__share_group_state`, so a question is taken apart, and
what comes back is put together. `ask` is what a coordinator answers others with, whatever it is.
`ask_with_retries` is for callers that need an answer, wherever the coordinators are: it has the
topic made if it is not there, and asks again while a coordinator is being elected or loaded. Where
nothing is to be persisted, callers get an answer at once and no coordinator is asked.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from copy import copy
from typing import Any, Protocol

from moldau.broker.coordinator.share.answers import refused, without_persister
from moldau.broker.coordinator.share.state import ShareKey
from moldau.broker.metrics.recent import Recent
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.errors import KafkaError, NetworkError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.messages.share.write_share_group_state import WriteShareGroupStateRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

StateMessage = Any
"""One of the five requests, its answer, or a part of them: they all have the same shape."""

NS_PER_MS = 1_000_000
ATTEMPTS_MAX = 60
PAUSE_MS = 100
AGAIN = frozenset(
    {
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.NOT_COORDINATOR,
    }
)
"""The error codes of a coordinator that will be there in a moment."""


class Elsewhere(Protocol):
    """The share coordinators on other brokers."""

    def leader_of(self, index: int) -> int | None:
        """The broker that coordinates a partition of the topic, if it is another one."""
        ...

    def ask(self, broker_id: int, request: Message) -> Awaitable[Message]:
        """Its answer; or `NetworkError`, `TimeoutError`, or `KafkaError`."""
        ...


class ShareStates:
    """The share coordinators, on this broker and on others."""

    def __init__(
        self,
        runtime: ShardRuntime,
        tasks: Tasks,
        clock: Clock,
        make_topic: Callable[[], None],
        *,
        persists: bool = True,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self.runtime = runtime
        self._elsewhere = elsewhere
        self._persists = persists
        self._tasks = tasks
        self._clock = clock
        self.write_times = Recent()
        """How long it took to store what changed in a share partition, in ms."""
        self.write_count = 0
        """How often that was done here."""
        self._make_topic = make_topic
        """Has the topic made if there is none; called again and again."""

    def __repr__(self) -> str:
        return f"ShareStates({self.runtime!r})"

    def knows(self, index: int) -> bool:
        """Whether the coordinator of this partition of the topic is here, or will be."""
        return self.runtime.knows(index)

    async def ask(self, request: Message, version: int) -> StateMessage:
        """What the coordinators say about all share partitions in the request."""
        return await self._ask(request, version, attempts=1)

    async def ask_with_retries(self, request: Message) -> StateMessage:
        """The same, once they can say something, or after some seconds."""
        if not self._persists:
            answers = (without_persister(single, _key(single)) for single in _singles(request))
            return _together(answers)
        version = type(request).VERSIONS.high
        return await self._ask(request, version, attempts=ATTEMPTS_MAX)

    async def _ask(self, request: Message, version: int, attempts: int) -> StateMessage:
        singles = _singles(request)
        return _together([await self._ask_one(one, version, attempts) for one in singles])

    async def _ask_one(self, single: StateMessage, version: int, attempts: int) -> StateMessage:
        key = _key(single)
        for attempt in range(1, attempts + 1):
            try:
                if attempts == 1:
                    return await self._ask_here(key, single, version)
                return await self._ask_anywhere(key, single, version)
            except KafkaError as error:
                if error.code not in AGAIN or attempt == attempts:
                    return refused(single, key, error)
            self._make_topic()
            await self._tasks.sleep(PAUSE_MS)
        raise AssertionError("the last attempt returns")

    async def _ask_here(self, key: ShareKey, single: StateMessage, version: int) -> StateMessage:
        began_ns = self._clock.monotonic_ns()
        answered = await self.runtime.ask(key.text, single, version=version)
        if isinstance(single, WriteShareGroupStateRequest):
            now_ns = self._clock.monotonic_ns()
            self.write_times.record((now_ns - began_ns) / NS_PER_MS, now_ns // NS_PER_MS)
            self.write_count += 1
        return answered

    async def _ask_anywhere(
        self, key: ShareKey, single: StateMessage, version: int
    ) -> StateMessage:
        """The answer from wherever the coordinator is; a refusal to be there is raised."""
        others, leader = self._elsewhere, None
        if others is not None:
            leader = others.leader_of(self.runtime.partition_for(key.text))
        if others is None or leader is None:
            return await self._ask_here(key, single, version)
        try:
            answered: StateMessage = await others.ask(leader, single)
        except (NetworkError, TimeoutError) as error:
            raise KafkaError(ErrorCode.COORDINATOR_NOT_AVAILABLE, str(error)) from error
        code = answered.results[0].partitions[0].error_code
        if code in AGAIN:
            raise KafkaError(code, answered.results[0].partitions[0].error_message)
        return answered


def _singles(request: StateMessage) -> Iterator[StateMessage]:
    """The same question about each of the share partitions in it."""
    for topic in request.topics:
        for index in range(len(topic.partitions)):
            yield _single(request, topic, index)


def _key(single: StateMessage) -> ShareKey:
    topic = single.topics[0]
    return ShareKey(single.group_id, topic.topic_id, topic.partitions[0].partition)


def _together(answers: Iterable[StateMessage]) -> StateMessage:
    """One answer of all; None where there are none."""
    whole: StateMessage = None
    for one in answers:
        whole = one if whole is None else _joined(whole, one)
    return whole


def _single(request: StateMessage, topic: StateMessage, index: int) -> StateMessage:
    """The same question about one share partition."""
    one_topic = copy(topic)
    one_topic.partitions = [topic.partitions[index]]
    single = copy(request)
    single.topics = [one_topic]
    return single


def _joined(answer: StateMessage, one: StateMessage) -> StateMessage:
    """Both; partitions of one topic stand under it together."""
    last, (more,) = answer.results[-1], one.results
    if last.topic_id == more.topic_id:
        last.partitions += more.partitions
    else:
        answer.results.append(more)
    return answer
