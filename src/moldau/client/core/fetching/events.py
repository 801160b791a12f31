"""The events of a fetcher, and its effects."""

from __future__ import annotations

from typing import TypeAlias

from moldau.client.core.fetching.chunk import Chunk
from moldau.client.core.fetching.reading import Reading
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse

__all__ = [
    "Answered",
    "Broken",
    "Deliver",
    "Effect",
    "Event",
    "Fail",
    "LeaveOff",
    "LookUpRange",
    "RangeFound",
    "Refresh",
    "Refreshed",
    "Send",
    "Tick",
    "Want",
]


@dataclass(frozen=True, slots=True)
class Want:
    """A caller waits for the next chunk of each of these, or will soon; one fetch asks for all."""

    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class LeaveOff:
    """No caller reads on from it."""

    reading: Reading


@dataclass(frozen=True, slots=True)
class Answered:
    """A broker has answered the fetch that it was sent."""

    node_id: int
    answer: FetchResponse


@dataclass(frozen=True, slots=True)
class Broken:
    """It will not answer."""

    node_id: int
    error: MoldauError


@dataclass(frozen=True, slots=True)
class Refreshed:
    """Metadata were asked for; the cluster has been brought up to date, or there is an error."""

    error: MoldauError | None = None


@dataclass(frozen=True, slots=True)
class RangeFound:
    """Where the log of a partition begins and ends, or why no broker answered."""

    reading: Reading
    earliest: int = -1
    latest: int = -1
    error: MoldauError | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """It is later."""


Event: TypeAlias = Want | LeaveOff | Answered | Broken | Refreshed | RangeFound | Tick


@dataclass(frozen=True, slots=True)
class Send:
    """Send this to that broker; `Answered` or `Broken` is to come of it."""

    node_id: int
    request: FetchRequest


@dataclass(frozen=True, slots=True)
class Deliver:
    """Here it is; the reading is not fetched for until it is wanted again."""

    reading: Reading
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Fail:
    """The reading has ended with this."""

    reading: Reading
    error: ClientError


@dataclass(frozen=True, slots=True)
class Refresh:
    """Ask for metadata of these topics; `Refreshed` is to come of it."""

    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LookUpRange:
    """Ask for the first and the last offset; `RangeFound` is to come of it."""

    reading: Reading


Effect: TypeAlias = Send | Deliver | Fail | Refresh | LookUpRange
