"""Where records wait for others that go the same way.

A record is placed when the partitions of its topic are known: packed into the open batch of its
partition, or of the next one if it is full. Until then it stands in its topic's queue. All of it
together has `buffer.memory`; a caller with more has to wait outside (`has_room`).

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from moldau.client.core.cluster import NO_LEADER
from moldau.client.core.context import ClientContext
from moldau.client.core.producing.batch import Delivery, Outcome, Pending, ProducerBatch
from moldau.client.core.producing.lane import Lane
from moldau.client.core.producing.partitioners import (
    InTurn,
    Partitioner,
    Sticky,
    key_partitioner,
    own_partition,
)
from moldau.client.errors import ClientError, RecordTooLargeError, UnknownTopicError
from moldau.client.settings.producer import ProducerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.records.batch import HEADER_SIZE
from moldau.protocol.records.builder import BatchFields

__all__ = ["Accumulator", "TopicLanes"]


class TopicLanes:
    """What waits for one topic."""

    __slots__ = ("available", "count", "in_turn", "lanes", "numbers", "sticky", "unplaced")

    def __init__(self, sticky: Sticky, in_turn: InTurn) -> None:
        self.sticky = sticky
        self.in_turn = in_turn
        self.count = 0
        """Partitions of the topic; 0 while that is not known."""
        self.numbers: list[int] = []
        self.available: list[int] = []
        """Those that have a leader."""
        self.lanes: dict[int, Lane] = {}
        self.unplaced: deque[tuple[int, Pending, Delivery | ProducerBatch]] = deque()
        """With the time since when each waits."""


class Accumulator:
    """A producer's records that are not sent yet, in batches by partition."""

    def __init__(
        self, context: ClientContext, settings: ProducerSettings, partitioner: Partitioner | None
    ) -> None:
        self._context = context
        self._settings = settings
        self._own_partitioner: Callable[[str, bytes | None, bytes | None, int], object] | None = (
            partitioner
        )
        """What it returns is not trusted."""
        self._name = settings.partitioner_name
        self._by_key = None if settings.partitioner_ignore_keys else key_partitioner(self._name)
        self._batch_size: int = max(settings.batch_size, 1)
        self._room: int = settings.buffer_memory
        self._size_max: int = min(settings.max_request_size, settings.buffer_memory)
        self.fields = BatchFields(codec=settings.codec, level=settings.level)
        self.topics: dict[str, TopicLanes] = {}
        self.lanes: dict[TopicPartition, Lane] = {}
        """Those with something in them."""
        self.used_bytes = 0

    def __repr__(self) -> str:
        return f"<Accumulator: {self.used_bytes} bytes for {len(self.lanes)} partitions>"

    def has_room(self, size: int) -> bool:
        """Whether so many bytes more may come in; a single record always may."""
        return not self.used_bytes or self.used_bytes + size <= self._room

    # hot: one call for all that a thread has handed over meanwhile.
    def add_all(
        self, deliveries: list[Delivery], now_ms: int
    ) -> tuple[bool, list[tuple[Delivery, ClientError]]]:
        """Take records; whether there is something to do now, and those that are refused."""
        is_due = False
        refused: list[tuple[Delivery, ClientError]] = []
        for delivery in deliveries:
            try:
                if self.add(delivery, now_ms):
                    is_due = True
            except ClientError as error:
                refused.append((delivery, error))
        return is_due, refused

    # hot: what a record costs from here to its batch.
    def add(self, delivery: Delivery, now_ms: int) -> bool:
        """Take a record; whether there is something to do now. Refused ones are a `ClientError`."""
        if delivery.size > self._size_max:
            raise self._too_large(delivery)
        topic = self.topics.get(delivery.topic)
        if topic is None:
            topic = self._topic(delivery.topic)
        self.used_bytes += delivery.size
        if not topic.count:
            pending = Pending()
            delivery.is_part_of(pending, 0)
            topic.unplaced.append((now_ms, pending, delivery))
            return len(topic.unplaced) == 1
        try:
            return self._place(topic, delivery, now_ms)
        except ClientError:
            self.used_bytes -= delivery.size
            raise

    def add_packed(self, batch: ProducerBatch, now_ms: int) -> None:
        """Take a whole batch; its partition may be -1: then it goes where keyless ones go."""
        topic = self._topic(batch.part.topic)
        self.used_bytes += batch.size
        if not topic.count:
            topic.unplaced.append((now_ms, batch, batch))
            return
        self._place_packed(topic, batch)

    def know(self, name: str) -> list[Pending]:
        """The partitions of the topic are known, or known anew: what waited for it is placed.

        The caller that asked for what waited is to look again: it has a batch now, or was refused.
        """
        topic, known = self.topics.get(name), self._context.cluster.topics.get(name)
        if topic is None or known is None:
            return []
        topic.numbers = sorted(known.leaders)
        topic.count = len(topic.numbers)
        led = [number for number, leader in known.leaders.items() if leader.node_id != NO_LEADER]
        topic.available = led or topic.numbers
        unplaced, topic.unplaced = topic.unplaced, deque()
        for since_ms, pending, waiting in unplaced:
            self._place_late(topic, pending, waiting, since_ms)
        return [pending for _, pending, waiting in unplaced if pending is not waiting]

    def unplaced(self) -> list[tuple[str, TopicLanes]]:
        """Topics of which nothing is known, and for which something waits."""
        return [(name, topic) for name, topic in self.topics.items() if topic.unplaced]

    def open_lane(self, topic: TopicLanes, part: TopicPartition) -> Lane:
        """The lane of a partition, among those that have something to do."""
        lane = topic.lanes.get(part.partition)
        if lane is None:
            lane = topic.lanes[part.partition] = Lane(part)
        self.lanes[part] = lane
        return lane

    def released(self, size: int) -> None:
        """So much is not here any more."""
        self.used_bytes -= size

    def _too_large(self, delivery: Delivery) -> RecordTooLargeError:
        name = "buffer.memory" if delivery.size > self._room else "max.request.size"
        return RecordTooLargeError(delivery.topic, delivery.size, name)

    # placing

    def _topic(self, name: str) -> TopicLanes:
        topic = self.topics.get(name)
        if topic is None:
            random = self._context.random
            sticky = Sticky(random, self._batch_size)
            topic = self.topics[name] = TopicLanes(sticky, InTurn(random.randrange(0, 1 << 16)))
            self.know(name)
        return topic

    def _place_late(
        self, topic: TopicLanes, pending: Pending, waiting: Delivery | ProducerBatch, since_ms: int
    ) -> None:
        if isinstance(waiting, ProducerBatch):
            self._place_packed(topic, waiting)
            return
        try:
            self._place(topic, waiting, since_ms)
        except ClientError as error:
            self.used_bytes -= waiting.size
            pending.outcome = Outcome(error=error)
            if waiting.on_delivery is not None:
                pending.deliveries.append(waiting)

    def _place(self, topic: TopicLanes, delivery: Delivery, now_ms: int) -> bool:
        number = delivery.partition
        is_sticky = False
        if number < 0:
            number = self._partition(topic, delivery)
            is_sticky = number < 0
            if is_sticky:
                number = self._sticky(topic)
        elif number >= topic.count:
            raise _no_partition(delivery.topic, number, topic.count)
        lane = topic.lanes.get(number)
        if lane is None or not lane.waiting:
            lane = self.open_lane(topic, TopicPartition(delivery.topic, number))
            batch = self._begin(lane, now_ms)
            is_first = True
        else:
            batch, is_first = lane.waiting[-1], False
            if batch.is_closed or batch.size + delivery.size > self._batch_size:
                batch.close(self.fields)
                batch = self._begin(lane, now_ms)
                is_first = True
        batch.append(delivery)
        lane.size += delivery.size
        if is_sticky and topic.sticky.took(delivery.size):
            topic.sticky.partition = -1
        return is_first or batch.size >= self._batch_size

    def _begin(self, lane: Lane, now_ms: int) -> ProducerBatch:
        batch = ProducerBatch(lane.part, now_ms)
        lane.waiting.append(batch)
        lane.size += HEADER_SIZE
        self.used_bytes += HEADER_SIZE
        return batch

    def _partition(self, topic: TopicLanes, delivery: Delivery) -> int:
        """-1 where neither the key nor the user's own partitioner has a say."""
        if self._own_partitioner is not None:
            return own_partition(
                self._own_partitioner, delivery.topic, delivery.key, delivery.value, topic.count
            )
        if self._name == "round_robin":
            return topic.in_turn.choose(topic.available)
        if self._by_key is None or delivery.key is None:
            return -1
        return self._by_key(delivery.key, topic.count)

    def _sticky(self, topic: TopicLanes) -> int:
        if topic.sticky.partition >= 0:
            return topic.sticky.partition
        return topic.sticky.choose(topic.available, self._loads(topic))

    def _loads(self, topic: TopicLanes) -> Sequence[int] | None:
        if not self._settings.partitioner_adaptive_partitioning_enable:
            return None
        lanes = topic.lanes
        return [
            len(lanes[number].waiting) + len(lanes[number].unresolved) if number in lanes else 0
            for number in topic.available
        ]

    def _place_packed(self, topic: TopicLanes, batch: ProducerBatch) -> None:
        number = batch.part.partition
        if number < 0:
            number = self._sticky(topic)
            topic.sticky.partition = -1
            batch.part = TopicPartition(batch.part.topic, number)
        lane = self.open_lane(topic, batch.part)
        if lane.waiting:
            lane.waiting[-1].close(self.fields)
        lane.waiting.append(batch)
        lane.size += batch.size


def _no_partition(topic: str, number: int, count: int) -> UnknownTopicError:
    return UnknownTopicError(topic, f"has no partition {number}: it has {count}")
