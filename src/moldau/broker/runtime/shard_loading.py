"""Reading a coordinator's partition from its first record on, into a shard that is empty.

Loading is `apply` in a loop: records as they come, those of transactions as pending, and markers,
which settle what is pending. It reads to the end of the log: what is there has been decided, and
no other may take it back while this broker leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from moldau.broker.coordinator.record_codec import RecordTypes, decode_stored
from moldau.broker.coordinator.shard import Shard, StoredRecord, TransactionalShard
from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.errors import KafkaError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.records.batch import BatchHeader, iterate_batches, read_whole_header
from moldau.protocol.records.control import parse_marker
from moldau.protocol.records.record import Record, iterate_records

LOAD_BUFFER_SIZE = 5 * 1024 * 1024
"""Kafka's default for every coordinator: what is held in memory of a log that is being loaded."""


class ReadablePartition(Protocol):
    """A partition, as much of it as loading needs."""

    @property
    def log_start_offset(self) -> int: ...
    @property
    def log_end_offset(self) -> int: ...
    @property
    def high_watermark(self) -> int: ...

    def read(
        self, offset: int, max_bytes: int, isolation: Isolation, *, min_one: bool = True
    ) -> FetchResult: ...


class ShardPartition(ReadablePartition, Protocol):
    """What a shard needs of its partition; `replica.partition.Partition` has it."""

    def append(
        self,
        records: Buffer,
        *,
        origin: AppendOrigin,
        guard: VerificationGuard | None = None,
        transaction_version: int = 0,
    ) -> AppendResult: ...

    @property
    def is_alone(self) -> bool:
        """Leads and has no followers: what is written is committed."""
        ...

    def when_committed(
        self, offset: int, committed: Callable[[KafkaError | None], None]
    ) -> None: ...


async def load_shard(
    partition: ReadablePartition,
    shard: Shard,
    types: RecordTypes,
    clock: Clock,
    tasks: Tasks,
    buffer_size: int = LOAD_BUFFER_SIZE,
) -> None:
    """Apply all that the partition holds; others run between two reads."""
    offset = partition.log_start_offset
    while offset < partition.log_end_offset:
        found = partition.read(offset, buffer_size, Isolation.LOG_END, min_one=True)
        contents = await tasks.offload(found.read)
        next_offset = apply_batches(shard, contents, types, offset, clock.now_ms())
        if next_offset == offset:
            return
        offset = next_offset


def apply_batches(
    shard: Shard, contents: Buffer, types: RecordTypes, start: int, now_ms: int
) -> int:
    """Apply the whole batches in `contents` from offset `start` on; the offset after the last."""
    offset = start
    for batch in iterate_batches(contents):
        header = read_whole_header(batch)
        for record in iterate_records(batch):
            if record.offset >= start:
                _apply(shard, header, record, types, now_ms)
        offset = header.next_offset
    return offset


def _apply(
    shard: Shard, header: BatchHeader, record: Record, types: RecordTypes, now_ms: int
) -> None:
    if header.is_control:
        marker = parse_marker(record.key, record.value)
        if marker is not None and isinstance(shard, TransactionalShard):
            shard.apply_marker(header.producer_id, marker.is_commit)
        return
    for stored in _decoded(types, record):
        if header.is_transactional and isinstance(shard, TransactionalShard):
            shard.apply_pending(stored, header.producer_id, record.offset, now_ms)
        else:
            shard.apply(stored, record.offset, now_ms)


def _decoded(types: RecordTypes, record: Record) -> Iterator[StoredRecord]:
    if record.key is None:
        return
    stored = decode_stored(types, record.key, record.value)
    if stored is not None:
        yield stored
