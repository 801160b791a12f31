"""What following needs of the rest of the broker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from moldau.broker.replica.partition import Partition
from moldau.broker.replica.throttle import Throttle
from moldau.network.outgoing.peer import BodyReader
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.schema import Message

__all__ = ["Channel", "FetchSettings", "FollowerWorld", "Followers", "Reach"]


class Channel(Protocol):
    """A connection to one broker: made when it is first needed, and again after it was lost."""

    def ask(self, request: Message, timeout_ms: int) -> Awaitable[Message]:
        """The answer, or `NetworkError`, `TimeoutError`, or `KafkaError` for a version."""
        ...

    def ask_with(self, reader: BodyReader, request: Message, timeout_ms: int) -> Awaitable[None]:
        """The same, and the reader has read the answer when it returns."""
        ...

    def close(self) -> None:
        """End the connection; a question under way fails with `NetworkError`."""
        ...


Reach = Callable[[int], Channel | None]
"""A fresh channel to a broker; None while the metadata have no address of it."""


class FetchSettings(Protocol):
    """The broker's settings that are read here, by Kafka's names."""

    @property
    def num_replica_fetchers(self) -> int: ...
    @property
    def replica_fetch_max_bytes(self) -> int: ...
    @property
    def replica_fetch_response_max_bytes(self) -> int: ...
    @property
    def replica_fetch_min_bytes(self) -> int: ...
    @property
    def replica_fetch_wait_max_ms(self) -> int: ...
    @property
    def replica_fetch_backoff_ms(self) -> int: ...
    @property
    def replica_socket_timeout_ms(self) -> int: ...


class Followers(Protocol):
    """The replicas of this broker: `replica.manager.ReplicaManager`."""

    @property
    def node_id(self) -> int: ...

    def find(self, topic: str, index: int) -> Partition | None:
        """The partition if it is here and no other task is on its log."""
        ...

    def is_current(self, partition: Partition) -> bool: ...

    def in_turn(self, partition: Partition, work: Callable[[], object]) -> Awaitable[None]:
        """Do blocking work on its log with no other task on it."""
        ...

    def is_throttled_here(self, partition: Partition) -> bool:
        """Whether what is fetched of it counts for the follower's throttle."""
        ...

    def is_adding(self, partition: Partition, broker_id: int) -> bool:
        """Whether a reassignment adds a replica of it on that broker."""
        ...

    @property
    def from_leaders(self) -> Throttle: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowerWorld:
    """All that following asks of the broker."""

    replicas: Followers
    tasks: Tasks
    clock: Clock
    reach: Reach
    settings: Callable[[], FetchSettings]
    """As they are now."""
    broker_epoch: Callable[[], int]
    checkpoint: Callable[[], Awaitable[None]]
    """Write the recovery points down."""
