"""The Parquet files that one task writes: of the right size, and each in one partition.

Rows wait in memory until they make a row group that is worth its place; a file ends when it has
reached its size. Both are bounded over all partitions together: where too many rows wait, the
partition with most of them writes, and where too many files are open, the oldest ends.

A task that fails removes what it has written. One that is killed leaves files that no log knows:
they are no part of the table, and vacuum removes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from moldau.platform.quick_dataclass import dataclass
from moldau.spark.lake.splitting import Values, folder_of, split
from moldau.spark.lake.statistics import file_statistics
from moldau.spark.lake.store import Store

__all__ = ["Part", "PartWriter"]

MIB = 1024 * 1024
ROW_GROUP_SIZE = 32 * MIB
"""In memory, before it is written; compressed it is a few times smaller."""
WAITING_SIZE_MAX = 128 * MIB
"""What all partitions of a task may keep in memory together."""
OPEN_FILES_MAX = 64


@dataclass(frozen=True, slots=True)
class Part:
    """A file that is written and closed."""

    path: str
    size: int
    values: Values
    rows: int
    statistics: str


@dataclass(slots=True)
class _OpenFile:
    """One partition's file, and the rows that wait for it."""

    values: Values
    path: str = ""
    sink: Any = None
    writer: Any = None
    footers: list[Any] = field(default_factory=list)
    waiting: list[pa.RecordBatch] = field(default_factory=list)
    waiting_size: int = 0


class PartWriter:
    """Takes batches of one schema and makes files of them."""

    def __init__(
        self,
        store: Store,
        schema: pa.Schema,
        partition_by: Sequence[str],
        *,
        file_size: int,
        compression: str,
        new_name: Callable[[], str],
    ) -> None:
        self._store = store
        self._schema = schema
        self._partition_by = tuple(partition_by)
        self._file_size = file_size
        self._compression = compression
        self._new_name = new_name
        kept = [column for column in schema if column.name not in self._partition_by]
        self._file_schema = pa.schema(kept)
        self._open: dict[Values, _OpenFile] = {}
        self._parts: list[Part] = []
        self._waiting_size = 0

    def __repr__(self) -> str:
        return f"<PartWriter {self._store.root} {len(self._parts)} parts {len(self._open)} open>"

    def write(self, batch: pa.RecordBatch) -> None:
        """Take these rows; they may wait in memory."""
        if not batch.num_rows:
            return
        fitted = pa.Table.from_batches([batch]).cast(self._schema).to_batches()
        for whole in fitted:
            for values, rows in split(whole, self._partition_by):
                self._take(self._open.setdefault(values, _OpenFile(values)), rows)
        while self._waiting_size > WAITING_SIZE_MAX:
            self._write_group(max(self._open.values(), key=lambda file: file.waiting_size))

    def close(self) -> list[Part]:
        """End all files; what there is now, in the order of their ends."""
        for file in list(self._open.values()):
            self._end(file)
        return self._parts

    def abandon(self) -> None:
        """Remove all that was written."""
        for file in self._open.values():
            if file.sink is not None:
                self._drop(file)
        self._store.remove(part.path for part in self._parts)
        self._open.clear()
        self._parts.clear()

    def _drop(self, file: _OpenFile) -> None:
        if file.writer is not None:
            with suppress(OSError, RuntimeError):  # where it could not be written it has no end
                file.writer.close()
        with suppress(OSError):
            file.sink.close()
        self._store.remove([file.path])

    def _take(self, file: _OpenFile, rows: pa.RecordBatch) -> None:
        file.waiting.append(rows)
        file.waiting_size += rows.nbytes
        self._waiting_size += rows.nbytes
        if file.waiting_size >= ROW_GROUP_SIZE:
            self._write_group(file)

    def _write_group(self, file: _OpenFile) -> None:
        self._flush(file)
        if file.sink.tell() >= self._file_size:
            self._finish(file)

    def _flush(self, file: _OpenFile) -> None:
        if file.writer is None:
            self._start(file)
        try:
            file.writer.write_table(pa.Table.from_batches(file.waiting, self._file_schema))
        except OSError as error:
            raise self._store.refused(file.path, error) from error
        self._waiting_size -= file.waiting_size
        file.waiting, file.waiting_size = [], 0

    def _start(self, file: _OpenFile) -> None:
        started = [other for other in self._open.values() if other.sink is not None]
        if len(started) >= OPEN_FILES_MAX:
            self._end(started[0])
        file.path = f"{folder_of(self._partition_by, file.values)}{self._new_name()}.parquet"
        file.sink = self._store.open_output(file.path)
        try:
            file.writer = parquet.ParquetWriter(
                file.sink,
                self._file_schema,
                compression=self._compression,
                metadata_collector=file.footers,
            )
        except OSError as error:
            raise self._store.refused(file.path, error) from error

    def _end(self, file: _OpenFile) -> None:
        if file.waiting:
            self._flush(file)
        self._finish(file)

    def _finish(self, file: _OpenFile) -> None:
        try:
            file.writer.close()
            size = file.sink.tell()
            file.sink.close()
        except OSError as error:
            raise self._store.refused(file.path, error) from error
        del self._open[file.values]
        footer = file.footers[0]
        part = Part(file.path, size, file.values, footer.num_rows, file_statistics(footer))
        self._parts.append(part)
