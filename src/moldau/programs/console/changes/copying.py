"""Copying a topic: its partitions and settings, and where that is wanted its records.

The change belongs to the cluster that gets the copy, and the other one is read as the same user.
Records keep their partition, order, key, value, headers and time, and get offsets without gaps;
those of transactions that are open or were aborted are left out. Where values are masked they are
not copied: under another name they would be seen.

A console may run inside a node. Copying therefore rests after each slice for as long as that took.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from moldau.client import AsyncProducer, ConsumerRecord, TopicPartition
from moldau.client.admin import ConfigResource, ConfigSource, NewTopic, TopicView
from moldau.client.aio.producer import AsyncDelivery, RecordParts
from moldau.client.core.consuming.records import records_of
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.errors import ClientError
from moldau.errors import MoldauError
from moldau.programs.console.changes.change import Change, Difference, Given, Kind
from moldau.programs.console.changes.commands import command_line
from moldau.programs.console.changes.topics import created
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import HttpError
from moldau.programs.rest.bodies import field_of, maybe_field
from moldau.programs.rest.refusals import bad_request
from moldau.protocol.records.batch import read_header
from moldau.protocol.records.compression.codec import CODECS, Codec

__all__ = ["COPY_KINDS"]

COMMITTED: Final = "read_committed"
SLICE: Final = 200
"""Records that are handed over at once: one or two milliseconds of the loop."""
WAITING_MAX: Final = 50
"""Slices that have been handed over and have not arrived."""
COPIES_MAX: Final = 2
RECORD_BYTES_MAX: Final = 32 * 1024 * 1024
OF_COPIES: Final = {
    "client.id": "moldau-console",
    "linger.ms": "5",
    "batch.size": str(256 * 1024),
    "max.request.size": str(RECORD_BYTES_MAX),
    "buffer.memory": str(2 * RECORD_BYTES_MAX),
}
NS_PER_MS: Final = 1_000_000
COUNTED: Final = (
    "Records of {} offsets are there now. "
    "Offsets begin at 0 in the copy, and groups stay with the original."
)
SCHEMAS: Final = " Values that name a schema keep its id, which the other registry has to have."


class _Found(NamedTuple):
    """What is to be copied."""

    view: TopicView
    configs: dict[str, str]
    ranges: dict[TopicPartition, tuple[int, int]]
    """Of records: first offset, and end; empty without them."""

    @property
    def offsets(self) -> int:
        return sum(end - start for start, end in self.ranges.values())


async def _copy(reach: Reach, given: Given) -> Change:
    name, to = field_of(given, "topic", str), field_of(given, "to", str)
    if name == to and not maybe_field(given, "from_cluster", str):
        raise bad_request("the copy needs another name in the same cluster")
    async with _source(reach, given) as source:
        found = await _found(source, given)
        line = command_line(source.settings, "export", "--topic", name, "-")
        differ = source.settings.registry != reach.settings.registry
        warning = COUNTED.format(found.offsets) + (SCHEMAS if differ else "")
    replicas = maybe_field(given, "replication_factor", int) or _replicas(found.view)
    topic = NewTopic(to, len(found.view.partitions), replicas, found.configs)
    of = given.get("from_cluster")
    base = await created(reach, topic, [Difference("as", None, f"{name} of {of}" if of else name)])
    if not maybe_field(given, "records", bool):
        return base
    imports = command_line(reach.settings, "import", "--topic", to, "-")

    async def run() -> dict[str, int]:
        async with _source(reach, given) as source:
            return {"records": await _Copying(source, reach, found, to).run(base)}

    differences = [*base.differences, Difference("records", None, "all that are there then")]
    command = f"{base.command}\n{line} | {imports}"
    return base._replace(command=command, differences=differences, run=run, warning=warning)


@asynccontextmanager
async def _source(reach: Reach, given: Given) -> AsyncIterator[Reach]:
    """The cluster that is read, which is the same one unless another is named."""
    name = maybe_field(given, "from_cluster", str)
    if not name or name == reach.settings.cluster:
        yield reach
        return
    async with reach.neighbours.reach(name) as other:
        yield other


async def _found(source: Reach, given: Given) -> _Found:
    view = await source.topic(field_of(given, "topic", str))
    resource = ConfigResource.topic(view.name)
    entries = (await source.admin.describe_configs(resource))[resource]
    configs = {
        entry.name: entry.value
        for entry in entries.values()
        if entry.source is ConfigSource.TOPIC and entry.value is not None
    }
    if not maybe_field(given, "records", bool):
        return _Found(view, configs, {})
    if source.settings.masks.hide_some(view.name):
        raise HttpError(403, f"Records of {view.name} are masked here: copy it without them")
    return _Found(view, configs, await _ranges(source, view))


async def _ranges(source: Reach, view: TopicView) -> dict[TopicPartition, tuple[int, int]]:
    parts = [TopicPartition(view.name, one.partition) for one in view.partitions]
    connection = await source.clients.connection()
    first, last = await connection.earliest(parts), await connection.latest(parts, COMMITTED)
    return {part: (first[part], last[part]) for part in parts}


class _Copying:
    """One copy that is being made."""

    def __init__(self, source: Reach, target: Reach, found: _Found, to: str) -> None:
        self._source = source
        self._target = target
        self._found = found
        self._to = to
        self._copied = 0
        self._waiting: deque[list[AsyncDelivery | ClientError]] = deque()

    async def run(self, base: Change) -> int:
        """How many records were copied."""
        copies = self._target.copies
        if copies.count >= COPIES_MAX:
            raise HttpError(429, f"{COPIES_MAX} topics are being copied: wait for one of them")
        copies.count += 1
        try:
            await base.run()
            await self._records()
        finally:
            copies.count -= 1
        return self._copied

    async def _records(self) -> None:
        try:
            await self._all()
        except ClientError as error:
            raise MoldauError(
                f"{self._copied} records are in {self._to}, and the copy is not whole: {error}; "
                f"delete {self._to}, and copy again"
            ) from error

    async def _all(self) -> None:
        producer: AsyncProducer | None = None
        try:
            for part, (start, end) in self._found.ranges.items():
                async for chunk in self._chunks(part, start, end):
                    if producer is None:
                        producer = self._producer(chunk)
                    await self._one(producer, chunk)
            await self._arrived(0)
        finally:
            if producer is not None:
                await producer.close()

    async def _chunks(self, part: TopicPartition, start: int, end: int) -> AsyncIterator[Chunk]:
        connection = await self._source.clients.connection()
        reading = connection.read(part, start, end, COMMITTED)
        try:
            async for chunk in reading:
                yield chunk
        finally:
            reading.close()

    def _producer(self, first: Chunk) -> AsyncProducer:
        """With the compression that the first batch has."""
        codec = CODECS[Codec(read_header(first.records).codec)].name
        settings = {**self._target.clients.settings, **OF_COPIES, "compression.type": codec}
        producer = AsyncProducer(settings)
        producer.start()
        return producer

    async def _one(self, producer: AsyncProducer, chunk: Chunk) -> None:
        clock, tasks = self._target.clock, self._target.tasks
        for records in records_of(chunk, check_checksums=True):
            for at in range(0, len(records), SLICE):
                began_ns = clock.monotonic_ns()
                parts = [_parts(one) for one in records[at : at + SLICE]]
                self._waiting.append(await producer.send_each(self._to, parts))
                await tasks.sleep((clock.monotonic_ns() - began_ns) / NS_PER_MS)
                await self._arrived(WAITING_MAX)

    async def _arrived(self, waiting_max: int) -> None:
        """Wait until no more than these have not arrived."""
        while len(self._waiting) > waiting_max:
            for one in self._waiting.popleft():
                if isinstance(one, ClientError):
                    raise one
                await one
                self._copied += 1


def _parts(record: ConsumerRecord) -> RecordParts:
    time = record.timestamp if record.timestamp >= 0 else None
    return record.key, record.value, record.partition, time, record.headers


def _replicas(view: TopicView) -> int:
    return max(len(one.replicas) for one in view.partitions)


COPY_KINDS: Final[Sequence[Kind]] = (
    Kind(
        "copy-topic",
        "Create a topic like another, of this cluster or of another one, with or without records",
        {
            "topic": "string",
            "to": "string",
            "from_cluster": "string?",
            "records": "boolean?",
            "replication_factor": "integer?",
        },
        _copy,
    ),
)
