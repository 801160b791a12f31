"""A table of Arrow becomes batches of records, and no object per record.

Columns: `value`, and where they are there `key`, `partition`, `timestamp`, `headers`; others do not
matter. A row whose partition is null, or that has none, goes by its key, and one without a key
wherever keyless records go. The order of rows is kept in each partition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from moldau.client.core.producing.batch import ProducerBatch, packed_batch
from moldau.client.core.producing.murmur2 import keyed_partitions
from moldau.client.core.producing.partitioners import key_partitioner
from moldau.client.errors import InvalidArgumentError, RecordTooLargeError, UnknownTopicError
from moldau.client.settings.producer import ProducerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.errors import EncodeError
from moldau.protocol.records.arrow import RecordSizeError, write_batches
from moldau.protocol.records.builder import BatchFields

__all__ = ["ArrowSender"]

BATCH_BYTES = 512 * 1024
"""Of a batch made of columns, where `batch.size` is not larger: half of what a broker takes."""
REQUEST_OVERHEAD = 512
RUN_ROWS = 65_536
"""Rows that are packed at a time; the next ones wait until there is room for them."""
ANYWHERE = -1
WITHOUT_VIEWS = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}

Numbers = npt.NDArray[np.int64]


class ArrowSender:
    """For one producer and topic."""

    def __init__(self, topic: str, partition_count: int, settings: ProducerSettings) -> None:
        self._topic = topic
        self._count = partition_count
        self._settings = settings
        most = settings.max_request_size - REQUEST_OVERHEAD
        self._size_max = min(max(settings.batch_size, BATCH_BYTES), most)
        self._size_setting = "max.request.size" if self._size_max == most else "batch.size"
        self._fields = BatchFields(codec=settings.codec, level=settings.level)
        name = settings.partitioner_name
        self._by_key = None if settings.partitioner_ignore_keys else key_partitioner(name)
        self._is_murmur2 = name == "murmur2" and self._by_key is not None

    def runs(self, given: object) -> Iterator[pa.Table | pa.RecordBatch]:
        """Pieces of a size that is packed at once."""
        table = _table_of(given)
        if "value" not in table.schema.names:
            raise InvalidArgumentError(
                f"a table to be sent has a column value, and not only "
                f"{', '.join(table.schema.names) or 'none'}"
            )
        step = RUN_ROWS
        if table.num_rows:
            bytes_each = max(table.nbytes // table.num_rows, 1)
            step = max(min(RUN_ROWS, self._settings.buffer_memory // (4 * bytes_each)), 1)
        for first in range(0, table.num_rows, step):
            yield table.slice(first, step)

    def pack(self, run: pa.Table | pa.RecordBatch, now_ms: int) -> list[ProducerBatch]:
        """Its batches; those that may go anywhere have partition -1."""
        partitions = self._partitions(run)
        if partitions is None:
            return self._batches(run, ANYWHERE, now_ms)
        order = np.argsort(partitions, kind="stable")
        chosen = partitions[order]
        bounds = np.flatnonzero(np.diff(chosen)) + 1
        starts = [0, *bounds.tolist()]
        ends = [*bounds.tolist(), len(chosen)]
        sorted_run = run if len(starts) == 1 else run.take(_indices(order))
        return [
            batch
            for start, end in zip(starts, ends, strict=True)
            for batch in self._batches(
                sorted_run.slice(start, end - start), int(chosen[start]), now_ms
            )
        ]

    def _batches(
        self, rows: pa.Table | pa.RecordBatch, partition: int, now_ms: int
    ) -> list[ProducerBatch]:
        part = TopicPartition(self._topic, partition)
        try:
            made = write_batches(rows, size_max=self._size_max, fields=self._fields, now_ms=now_ms)
        except RecordSizeError as error:
            raise RecordTooLargeError(self._topic, error.size, self._size_setting) from None
        except EncodeError as error:
            raise InvalidArgumentError(
                f"a table for {self._topic} cannot be sent: {error}"
            ) from None
        return [packed_batch(part, records, now_ms) for records in made]

    def _partitions(self, run: pa.Table | pa.RecordBatch) -> Numbers | None:
        """For each row; None where all may go anywhere."""
        names = run.schema.names
        by_key = self._of_keys(run) if "key" in names and self._by_key is not None else None
        if "partition" not in names:
            return by_key
        column = _one(run.column("partition"))
        if not pa.types.is_integer(column.type):
            raise InvalidArgumentError(f"partition is a column of numbers, and not {column.type}")
        numbers: Numbers = (
            column.cast(pa.int64()).fill_null(ANYWHERE).to_numpy(zero_copy_only=False)
        )
        wrong = numbers[(numbers < ANYWHERE) | (numbers >= self._count)]
        if len(wrong):
            reason = f"has no partition {int(wrong[0])}: it has {self._count}"
            raise UnknownTopicError(self._topic, reason)
        if by_key is None:
            return numbers
        return np.where(numbers == ANYWHERE, by_key, numbers)

    def _of_keys(self, run: pa.Table | pa.RecordBatch) -> Numbers | None:
        column = _one(run.column("key"))
        if column.null_count == len(column):
            return None
        try:
            keys = column.cast(pa.large_binary())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
            raise InvalidArgumentError(
                f"a table for {self._topic} cannot be sent: column key is {column.type} and cannot "
                "become bytes"
            ) from None
        _, offset_buffer, data = keys.buffers()
        offsets = np.frombuffer(offset_buffer, np.int64)[keys.offset : keys.offset + len(keys) + 1]
        lengths = np.diff(offsets)
        if keys.null_count:
            lengths = np.where(keys.is_null().to_numpy(zero_copy_only=False), -1, lengths)
        if not self._is_murmur2:
            assert self._by_key is not None, "asked for only where keys have a say"
            found = [
                ANYWHERE if key is None else self._by_key(key, self._count)
                for key in keys.to_pylist()
            ]
            return np.array(found, np.int64)
        packed = keyed_partitions(
            b"" if data is None else data.to_pybytes(),
            0,
            offsets[:-1].tobytes(),
            lengths.tobytes(),
            self._count,
        )
        return np.frombuffer(packed, np.int32).astype(np.int64)


def _table_of(given: object) -> pa.Table | pa.RecordBatch:
    """Columns of views, which polars has, become others: Arrow takes no rows out of them."""
    table: Any = given
    if not isinstance(given, pa.Table | pa.RecordBatch):
        if not hasattr(given, "__arrow_c_stream__"):
            raise InvalidArgumentError(
                "what is sent is a table of pyarrow, polars, pandas or DuckDB, and not "
                f"{type(given).__name__}"
            )
        try:
            table = pa.table(given)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise InvalidArgumentError(
                f"this {type(given).__name__} is no table to be sent: {error}"
            ) from None
    for index, field in enumerate(table.schema):
        if (column := _without_views(table.column(index))) is not None:
            table = table.set_column(index, field.name, column)
    return table


def _without_views(column: pa.Array | pa.ChunkedArray) -> pa.Array | None:
    """None where there are none."""
    kind = column.type
    if pa.types.is_dictionary(kind) and kind.value_type in WITHOUT_VIEWS:
        coded = _one(column)
        values = coded.dictionary.cast(WITHOUT_VIEWS[kind.value_type])
        return pa.DictionaryArray.from_arrays(coded.indices, values)
    return _one(column).cast(WITHOUT_VIEWS[kind]) if kind in WITHOUT_VIEWS else None


def _one(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _indices(order: Numbers) -> pa.Array:
    numbers = order.astype(np.int64)
    return pa.Array.from_buffers(pa.int64(), len(numbers), [None, pa.py_buffer(numbers)])
