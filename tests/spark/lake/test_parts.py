"""The files of one task: sized, partitioned, and gone if it fails."""

from __future__ import annotations

import errno
import io
import os
from itertools import count

import pyarrow as pa
import pytest
from pyarrow import parquet

from moldau.spark.lake import parts
from moldau.spark.lake.errors import TableError
from moldau.spark.lake.parts import PartWriter
from moldau.spark.lake.schemas import relaxed
from moldau.spark.lake.store import Store
from tests.spark.lake.tables import files_under, numbers


def writer_for(path, schema, partition_by=(), file_size=1 << 30):
    names = (f"part-{index}" for index in count())
    return PartWriter(
        Store(str(path), {}),
        relaxed(schema),
        partition_by,
        file_size=file_size,
        compression="zstd",
        new_name=lambda: next(names),
    )


def test_all_rows_of_a_task_are_in_one_file(tmp_path):
    writer = writer_for(tmp_path, numbers(1).schema)
    writer.write(numbers(1, 2))
    writer.write(numbers(3))
    (part,) = writer.close()
    assert parquet.read_table(tmp_path / part.path).column("number").to_pylist() == [1, 2, 3]
    assert (part.rows, part.size) == (3, (tmp_path / part.path).stat().st_size)


def test_a_task_without_rows_leaves_nothing(tmp_path):
    writer = writer_for(tmp_path, numbers().schema)
    writer.write(numbers())
    assert writer.close() == []
    assert files_under(tmp_path) == []


def test_each_partition_has_its_file_without_its_columns(tmp_path):
    batch = numbers(1, 2, 3, day=["mon", "tue", "mon"])
    writer = writer_for(tmp_path, batch.schema, ["day"])
    writer.write(batch)
    found = {part.values: part for part in writer.close()}
    assert found[("mon",)].path == "day=mon/part-0.parquet"
    file = parquet.ParquetFile(tmp_path / "day=mon" / "part-0.parquet")
    assert file.read().to_pydict() == {"number": [1, 3]}


def test_a_file_ends_when_it_has_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "ROW_GROUP_SIZE", 1)
    writer = writer_for(tmp_path, numbers().schema, file_size=1)
    for value in range(3):
        writer.write(numbers(value))
    assert [part.rows for part in writer.close()] == [1, 1, 1]


def test_rows_that_wait_are_bounded_over_all_partitions(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "WAITING_SIZE_MAX", 0)
    batch = numbers(1, 2, day=["mon", "tue"])
    writer = writer_for(tmp_path, batch.schema, ["day"])
    writer.write(batch)
    assert len(files_under(tmp_path)) == 2
    assert sum(part.rows for part in writer.close()) == 2


def test_open_files_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "WAITING_SIZE_MAX", 0)
    monkeypatch.setattr(parts, "OPEN_FILES_MAX", 1)
    batch = numbers(1, 2, 1, day=["mon", "tue", "wed"])
    writer = writer_for(tmp_path, batch.schema, ["day"])
    writer.write(batch)
    writer.write(batch)
    assert repr(writer).endswith("1 open>")
    assert sum(part.rows for part in writer.close()) == 6


def test_what_is_abandoned_is_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "ROW_GROUP_SIZE", 1)
    writer = writer_for(tmp_path, numbers().schema, file_size=200)
    for value in range(5):
        writer.write(numbers(value))
    assert files_under(tmp_path)
    writer.abandon()
    assert files_under(tmp_path) == []


def test_a_column_is_brought_to_the_type_of_the_table(tmp_path):
    writer = writer_for(tmp_path, pa.schema([("text", pa.string())]))
    writer.write(pa.record_batch({"text": pa.array(["x"], pa.large_string())}))
    (part,) = writer.close()
    assert parquet.read_schema(tmp_path / part.path).field("text").type == pa.string()


class SmallDisk(Store):
    """A folder with room for so many bytes in a file."""

    room = 0

    def open_output(self, path):
        return pa.PythonFile(Bounded(f"{self.root}/{path}", self.room), mode="w")


class Bounded(io.FileIO):
    """A file that ends where the disk does."""

    def __init__(self, path, room):
        super().__init__(path, "w")
        self._room = room

    def write(self, data):
        if self.tell() + len(data) > self._room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize("room", [3, 4, 100, 300, 600])
def test_a_full_disk_is_reported_as_such_and_nothing_is_left_on_it(tmp_path, monkeypatch, room):
    monkeypatch.setattr(parts, "WAITING_SIZE_MAX", 0)
    monkeypatch.setattr(SmallDisk, "room", room)
    writer = writer_for(tmp_path, numbers().schema)
    writer._store = SmallDisk(str(tmp_path), {})
    with pytest.raises(TableError, match=r"part-0\.parquet cannot be written: .*No space left"):
        write_all(writer, 3)
    assert files_under(tmp_path)
    writer.abandon()
    assert files_under(tmp_path) == []


def write_all(writer, count):
    for value in range(count):
        writer.write(numbers(value))
    writer.close()
