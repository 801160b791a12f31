"""The blocking face of a client: the same calls, forwarded to a loop in the background.

Safe to be used by several threads. Records are decoded in the thread that reads them, while the
loop has the next fetch on its way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from moldau.client.aio.connection import AsyncConnection, AsyncReading
from moldau.client.arguments.places import (
    AnyPartition,
    AnyPartitions,
    AnyTime,
    OffsetsGiven,
    TimesGiven,
)
from moldau.client.settings.client import Servers, chosen_settings
from moldau.client.sync.own_loop import OwnLoop
from moldau.client.tables import COLUMNS, AnyOffset, chunk_decoder, table_of, topic_range
from moldau.client.topic_partition import TopicPartition
from moldau.platform.closing import Closing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Connection", "connect"]

Value = TypeVar("Value")


def connect(servers: Servers, **settings: object) -> Connection:
    """A connection to the cluster of these brokers; use it in a `with`, or close it.

        with connect("localhost:9092", fetch_max_bytes=10_000_000) as connection:
            table = connection.read_table("orders")

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names. Keywords are
    settings too, with underscores for dots.
    """
    return Connection(servers, **settings)


class Connection(Closing):
    """One per process and set of settings; also a context manager."""

    def __init__(self, servers: Servers, **settings: object) -> None:
        self.settings = chosen_settings(servers, settings)
        self._loop = OwnLoop("moldau-client", "the connection")
        self._inner: AsyncConnection = self._call(self._open)

    def __repr__(self) -> str:
        return f"<Connection to {','.join(self.settings.bootstrap_servers)}>"

    def topics(self, pattern: re.Pattern[str] | str | None = None) -> dict[str, list[int]]:
        """The partitions of every topic but internal ones, or of those that the pattern matches."""
        return self._call(lambda: self._inner.topics(pattern))

    def partitions(self, topics: str | Iterable[str]) -> dict[str, list[int]]:
        """The partitions of these; `UnknownTopicError` for one that is not there."""
        return self._call(lambda: self._inner.partitions(topics))

    def earliest(self, parts: AnyPartitions) -> dict[TopicPartition, int]:
        """The first offset of each; the name of a topic stands for all its partitions."""
        return self._call(lambda: self._inner.earliest(parts))

    def latest(
        self, parts: AnyPartitions, *, isolation: str | None = None
    ) -> dict[TopicPartition, int]:
        """The offset after the last record of each that a reader of this isolation may see."""
        return self._call(lambda: self._inner.latest(parts, isolation))

    def at_time(self, times: TimesGiven) -> dict[TopicPartition, int | None]:
        """The first offset at or after each time; None where no record is that late.

        A time is a datetime with a time zone, or milliseconds since 1970.
        """
        return self._call(lambda: self._inner.at_time(times))

    def read(
        self,
        part: AnyPartition,
        start: int,
        end: int,
        *,
        isolation: str | None = None,
        columns: str | Sequence[str] = COLUMNS,
        max_bytes: int | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """The records from `start` up to, but without, `end`; each batch from one fetch.

        Control records are never among them, records of aborted transactions are not when
        `isolation` is read_committed.
        """
        decoder = chunk_decoder(columns, self.settings)

        async def begin() -> AsyncReading:
            return self._inner.read(part, start, end, isolation, max_bytes)

        reading = self._call(begin)
        try:
            while (chunk := self._call(reading.take)) is not None:
                yield from decoder.decode(chunk)
        finally:
            self._loop.post(reading.close)

    def read_table(
        self,
        topic: str,
        *,
        partitions: int | Iterable[int] | None = None,
        start: AnyOffset | None = None,
        end: AnyOffset | None = None,
        start_time: AnyTime | None = None,
        end_time: AnyTime | None = None,
        columns: str | Sequence[str] = COLUMNS,
        isolation: str | None = None,
    ) -> pa.Table:
        """The records of a topic as one table, partition by partition, in the order of offsets.

        It begins at the earliest record and ends where the logs end when it is called. A part of
        that is chosen by `partitions`, which are numbers; by `start` and `end`, which are offsets,
        the same for all partitions or a mapping with one for each; and by `start_time` and
        `end_time`, which are datetimes with a time zone or milliseconds since 1970. The record at
        an end is not in the table.
        """
        wanted = topic_range(topic, partitions, (start, start_time), (end, end_time))
        ranges = self._call(lambda: self._inner.ranges(wanted, isolation))
        batches = (
            batch
            for part, (first, beyond) in ranges.items()
            for batch in self.read(part, first, beyond, isolation=isolation, columns=columns)
        )
        return table_of(batches, columns)

    def commit(self, group: str, offsets: OffsetsGiven, metadata: str = "") -> None:
        """Keep offsets, each being the next to read, under the name of a group without members."""
        self._call(lambda: self._inner.commit(group, offsets, metadata))

    def committed(self, group: str, parts: AnyPartitions) -> dict[TopicPartition, int | None]:
        """What is kept under that name; None where there is nothing."""
        return self._call(lambda: self._inner.committed(group, parts))

    def close(self) -> None:
        """End all that goes on; doing it again does nothing."""
        self._loop.close(self._close)

    def _call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        return self._loop.call(work)

    async def _open(self) -> AsyncConnection:
        return AsyncConnection(self.settings, self._loop.world)

    async def _close(self) -> None:
        self._inner.close()
