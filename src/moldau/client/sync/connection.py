"""The blocking face of a client: the same calls, forwarded to a loop in the background.

Safe to be used by several threads. Records are decoded in the thread that reads them, while the
loop has the next fetch on its way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from moldau.client.aio.connection import AsyncConnection, AsyncReading
from moldau.client.aio.world import ClientWorld
from moldau.client.core.offset_lookups import Isolation
from moldau.client.errors import ClosedError
from moldau.client.settings import ClientSettings
from moldau.client.topic_partition import TopicPartition
from moldau.config.refusals import InvalidSettingError
from moldau.system.background import Background, BackgroundEndedError
from moldau.system.clock import SystemClock
from moldau.system.network import SystemNetwork
from moldau.system.randomness import SystemRandom

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Connection"]

Value = TypeVar("Value")

CHUNK_BYTES = 4 * 1024 * 1024
"""What is fetched of a partition at a time, unless somebody says otherwise: more than Kafka's
default for consumers, enough that the way to the broker does not show (bench/client_read.py)."""
COLUMNS = ("key", "value", "topic", "partition", "offset", "timestamp", "timestampType")
DECODER = "moldau.client.arrow"
"""Loaded with the first read: the rest of a connection works without pyarrow."""


class Connection:
    """One per process and set of settings; also a context manager."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = ClientSettings.of(settings)
        self._background: Background | None = Background("moldau-client")
        self._network: SystemNetwork
        self._inner: AsyncConnection = self._call(self._open)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Connection to {','.join(self.settings.bootstrap_servers)}>"

    def topics(self, pattern: re.Pattern[str] | str | None = None) -> dict[str, list[int]]:
        """The partitions of every topic but internal ones, or of those that the pattern matches."""
        return self._call(lambda: self._inner.topics(pattern))

    def partitions(self, topics: Iterable[str]) -> dict[str, list[int]]:
        """The partitions of these; `UnknownTopicError` for one that is not there."""
        return self._call(lambda: self._inner.partitions(topics))

    def earliest(self, parts: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The first offset of each."""
        return self._call(lambda: self._inner.earliest(parts))

    def latest(
        self, parts: Iterable[TopicPartition], *, isolation: str | None = None
    ) -> dict[TopicPartition, int]:
        """The offset after the last record of each that a reader of this isolation may see."""
        level = self._isolation(isolation)
        return self._call(lambda: self._inner.latest(parts, level))

    def at_time(
        self, parts_to_ms: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, int | None]:
        """The first offset at or after each time; None where no record is that late."""
        return self._call(lambda: self._inner.at_time(parts_to_ms))

    def read(
        self,
        part: TopicPartition,
        start: int,
        end: int,
        *,
        isolation: str | None = None,
        columns: Sequence[str] = COLUMNS,
        max_bytes: int | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """The records from `start` up to, but without, `end`; each batch from one fetch.

        Control records are never among them, records of aborted transactions are not when
        `isolation` is read_committed.
        """
        decoder = import_module(DECODER).ChunkDecoder(
            columns, check_checksums=self.settings.check_crcs
        )
        level, size = self._isolation(isolation), max_bytes or self._chunk_bytes

        async def begin() -> AsyncReading:
            return self._inner.read(part, start, end, level, size)

        reading = self._call(begin)
        try:
            while (chunk := self._call(reading.take)) is not None:
                yield from decoder.decode(chunk)
        finally:
            if self._background is not None:
                self._background.post(reading.close)

    def commit(self, group: str, offsets: Mapping[TopicPartition, int], metadata: str = "") -> None:
        """Keep offsets, each being the next to read, under the name of a group without members."""
        self._call(lambda: self._inner.commit(group, offsets, metadata))

    def committed(
        self, group: str, parts: Iterable[TopicPartition]
    ) -> dict[TopicPartition, int | None]:
        """What is kept under that name; None where there is nothing."""
        return self._call(lambda: self._inner.committed(group, parts))

    def close(self) -> None:
        """End all that goes on; doing it again does nothing."""
        background, self._background = self._background, None
        if background is not None:
            with suppress(BackgroundEndedError):
                background.call(self._close)
            background.close()

    @property
    def _chunk_bytes(self) -> int:
        given = "max.partition.fetch.bytes" in self.settings.given
        return self.settings.max_partition_fetch_bytes if given else CHUNK_BYTES

    def _isolation(self, given: str | None) -> Isolation:
        name = given or self.settings.isolation_level
        if name.upper() not in Isolation.__members__:
            raise InvalidSettingError("isolation.level", name, "read_committed or read_uncommitted")
        return Isolation[name.upper()]

    def _call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        if self._background is None:
            raise ClosedError
        try:
            return self._background.call(work)
        except BackgroundEndedError as ended:
            raise ClosedError from ended

    async def _open(self) -> AsyncConnection:
        assert self._background is not None, "it is opened only once"
        self._network = SystemNetwork()
        world = ClientWorld(self._network, SystemClock(), SystemRandom(), self._background.tasks)
        return AsyncConnection(self.settings, world)

    async def _close(self) -> None:
        self._inner.close()
        self._network.close()
