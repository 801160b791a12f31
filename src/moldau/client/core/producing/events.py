"""The events of a sender, and its effects.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from moldau.client.core.producing.batch import Identity, Pending, ProducerBatch
from moldau.client.errors import ClientError
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse

__all__ = [
    "AddPartitions",
    "Answered",
    "Broken",
    "Effect",
    "Effects",
    "Event",
    "Identified",
    "Identify",
    "PartitionsAdded",
    "Refresh",
    "Refreshed",
    "Send",
    "Settled",
    "Tick",
]


class Send:
    """Send this to that broker; `Answered` or `Broken` is to come of it."""

    __slots__ = ("batches", "newest", "node_id", "request")

    def __init__(
        self,
        node_id: int,
        request: ProduceRequest,
        batches: tuple[ProducerBatch, ...],
        newest: int | None = None,
    ) -> None:
        self.node_id = node_id
        self.request = request
        self.batches = batches
        self.newest = newest
        """No later version of the request than this."""

    def __repr__(self) -> str:
        return f"<Send {len(self.batches)} batches to broker {self.node_id}>"


class Refresh:
    """Ask for metadata of these topics; `Refreshed` is to come of it."""

    __slots__ = ("topics",)

    def __init__(self, topics: tuple[str, ...]) -> None:
        self.topics = topics

    def __repr__(self) -> str:
        return f"<Refresh {', '.join(self.topics)}>"


class Identify:
    """Ask for a producer id; `Identified` is to come of it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<Identify>"


class AddPartitions:
    """Add these to the transaction; `PartitionsAdded` is to come of it."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[TopicPartition, ...]) -> None:
        self.parts = parts

    def __repr__(self) -> str:
        return f"<AddPartitions {', '.join(map(str, self.parts))}>"


class Settled:
    """Callers that wait for one of these are to look again, and call-backs are called."""

    __slots__ = ("pendings",)

    def __init__(self, pendings: tuple[Pending, ...]) -> None:
        self.pendings = pendings

    def __repr__(self) -> str:
        return f"<Settled {len(self.pendings)}>"


Effect: TypeAlias = Send | Refresh | Identify | AddPartitions | Settled


class Effects(NamedTuple):
    """The effects of a step, in order, and when the next is due."""

    effects: list[Effect]
    wake_at_ms: float | None


class Answered:
    """A broker has answered; or the request has left, where no answer was asked for."""

    __slots__ = ("answer", "send")

    def __init__(self, send: Send, answer: ProduceResponse | None) -> None:
        self.send = send
        self.answer = answer

    def __repr__(self) -> str:
        return f"<Answered {self.send!r}>"


class Broken:
    """It will not answer."""

    __slots__ = ("error", "send")

    def __init__(self, send: Send, error: MoldauError) -> None:
        self.send = send
        self.error = error

    def __repr__(self) -> str:
        return f"<Broken {self.send!r}: {self.error}>"


class Refreshed:
    """Metadata were asked for; the cluster was updated, or there is an error."""

    __slots__ = ("error", "topics")

    def __init__(self, topics: tuple[str, ...], error: MoldauError | None = None) -> None:
        self.topics = topics
        self.error = error

    def __repr__(self) -> str:
        return f"<Refreshed {', '.join(self.topics)}: {self.error or 'known'}>"


class Identified:
    """The producer's id, or why no broker gave one."""

    __slots__ = ("error", "identity")

    def __init__(self, identity: Identity, error: ClientError | None = None) -> None:
        self.identity = identity
        self.error = error

    def __repr__(self) -> str:
        return f"<Identified {self.error or self.identity}>"


class PartitionsAdded:
    """They are part of the transaction, or it has failed."""

    __slots__ = ("error", "parts")

    def __init__(self, parts: tuple[TopicPartition, ...], error: ClientError | None = None) -> None:
        self.parts = parts
        self.error = error

    def __repr__(self) -> str:
        return f"<PartitionsAdded {', '.join(map(str, self.parts))}: {self.error or 'all'}>"


class Tick:
    """It is later, or more is there."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<Tick>"


Event: TypeAlias = Answered | Broken | Refreshed | Identified | PartitionsAdded | Tick
