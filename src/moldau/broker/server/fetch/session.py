"""One fetcher's memory: what it has asked for, and what it was sent."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from copy import copy
from typing import Any, Final, TypeAlias

from moldau.broker.server.fetch.due_partitions import DuePartitions
from moldau.broker.server.fetch.fetched import (
    Fetched,
    FetchPartition,
    PartitionResponse,
    TopicKey,
)
from moldau.broker.server.fetch.reader import AskedFetch, ReadTopic
from moldau.protocol.messages.data.fetch import FetchRequest

__all__ = ["FIRST_EPOCH", "FetchTopic", "PartitionKey", "Session", "asked_partitions", "in_parts"]

FIRST_EPOCH: Final = 0
PART: Final = 256
"""Partitions of a topic that are taken over before others may go on."""

PartitionKey = tuple[TopicKey, int]
FetchTopic: TypeAlias = FetchRequest.FetchTopic | ReadTopic


class Session:
    """A fetch session: what one client reads, under one id."""

    __slots__ = (
        "created_ms", "due", "epoch", "is_privileged", "partitions", "session_id", "size",
        "used_ms", "uses_topic_ids", "when_over",
    )  # fmt: skip

    def __init__(
        self,
        session_id: int,
        partitions: dict[PartitionKey, Fetched],
        due: DuePartitions,
        now_ms: int,
        when_over: Callable[[Session], None],
        *,
        is_privileged: bool,
        uses_topic_ids: bool,
    ) -> None:
        self.session_id = session_id
        self.is_privileged = is_privileged
        """A follower's."""
        self.uses_topic_ids = uses_topic_ids
        self.created_ms = now_ms
        self.used_ms = now_ms
        self.partitions = partitions
        self.due = due
        """What of them a consumer's fetch has to look at."""
        self.epoch = FIRST_EPOCH + 1
        """The next request's."""
        self.size = len(partitions)
        """How many partitions it had when it was last used: the cache is ordered by it."""
        self.when_over = when_over

    def __repr__(self) -> str:
        return f"Session({self.session_id} in epoch {self.epoch}, {len(self.partitions)})"

    def end(self) -> None:
        """It has lost its place."""
        self.when_over(self)
        self.due.end()

    def update(self, request: AskedFetch) -> None:
        """Take over what is listed, forget what is given up."""
        self._take_over(request.topics)
        self._give_up(request.forgotten_topics_data)

    def updating(self, request: FetchRequest) -> Generator[None, None, None]:
        """The same for a request that may be long."""
        for topic in in_parts(request.topics):
            self._take_over((topic,))
            yield
        for forgotten in in_parts(request.forgotten_topics_data):
            self._give_up((forgotten,))
            yield

    def _take_over(self, topics: Iterable[FetchTopic]) -> None:
        for topic, asked in asked_partitions(topics, self.uses_topic_ids):
            known = self.partitions.get((topic, asked.partition))
            if known is None:
                known = self.partitions[topic, asked.partition] = Fetched(topic, asked)
                self.due.add(known)
            else:
                known.ask(asked)
                self.due.ask_again(known)

    def _give_up(self, topics: Iterable[FetchRequest.ForgottenTopic]) -> None:
        for forgotten in topics:
            key = forgotten.topic_id if self.uses_topic_ids else forgotten.topic
            for index in forgotten.partitions:
                known = self.partitions.pop((key, index), None)
                if known is not None:
                    self.due.forget(known)

    def select(self, responses: Iterable[PartitionResponse]) -> list[PartitionResponse]:
        """Those that must be sent; partitions with records move to the end."""
        # hot: once for each fetch in a session.
        selected: list[PartitionResponse] = []
        for one in responses:
            if not one.fetched.note_reported(one):
                continue
            if one.size:
                self._move_to_end(one.fetched)
            selected.append(one)
        return selected

    def _move_to_end(self, fetched: Fetched) -> None:
        key = fetched.topic, fetched.index
        if self.partitions.get(key) is fetched:
            del self.partitions[key]
            self.partitions[key] = fetched
            self.due.move_to_end(fetched)


def asked_partitions(
    topics: Iterable[FetchTopic], uses_topic_ids: bool
) -> Iterator[tuple[TopicKey, FetchPartition]]:
    """Each partition that is listed, with its topic."""
    for topic in topics:
        key: TopicKey = topic.topic_id if uses_topic_ids else topic.topic
        for asked in topic.partitions:
            yield key, asked


def in_parts(topics: list[Any]) -> Iterator[Any]:
    """The same with topics of many partitions in parts."""
    for topic in topics:
        partitions: list[Any] = topic.partitions
        if len(partitions) <= PART:
            yield topic
            continue
        for start in range(0, len(partitions), PART):
            part = copy(topic)
            part.partitions = partitions[start : start + PART]
            yield part
