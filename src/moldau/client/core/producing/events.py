"""The events of a sender, and its effects."""

from __future__ import annotations

from typing import TypeAlias

from moldau.client.core.producing.batch import Identity, Pending, ProducerBatch
from moldau.client.errors import ClientError
from moldau.client.topic_partition import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse

__all__ = [
    "AddPartitions",
    "Answered",
    "Broken",
    "Effect",
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


@dataclass(frozen=True, slots=True)
class Send:
    """Send this to that broker; `Answered` or `Broken` is to come of it."""

    node_id: int
    request: ProduceRequest
    batches: tuple[ProducerBatch, ...]
    newest: int | None = None
    """No later version of the request than this."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """Ask for metadata of these topics; `Refreshed` is to come of it."""

    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Identify:
    """Ask for a producer id; `Identified` is to come of it."""


@dataclass(frozen=True, slots=True)
class AddPartitions:
    """Add these to the transaction; `PartitionsAdded` is to come of it."""

    parts: tuple[TopicPartition, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """Callers that wait for one of these are to look again, and call-backs are called."""

    pendings: tuple[Pending, ...]


Effect: TypeAlias = Send | Refresh | Identify | AddPartitions | Settled


@dataclass(frozen=True, slots=True)
class Answered:
    """A broker has answered; or the request has left, where no answer was asked for."""

    send: Send
    answer: ProduceResponse | None


@dataclass(frozen=True, slots=True)
class Broken:
    """It will not answer."""

    send: Send
    error: MoldauError


@dataclass(frozen=True, slots=True)
class Refreshed:
    """Metadata were asked for; the cluster was updated, or there is an error."""

    topics: tuple[str, ...]
    error: MoldauError | None = None


@dataclass(frozen=True, slots=True)
class Identified:
    """The producer's id, or why no broker gave one."""

    identity: Identity
    error: ClientError | None = None


@dataclass(frozen=True, slots=True)
class PartitionsAdded:
    """They are part of the transaction, or it has failed."""

    parts: tuple[TopicPartition, ...]
    error: ClientError | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """It is later, or more is there."""


Event: TypeAlias = Answered | Broken | Refreshed | Identified | PartitionsAdded | Tick
