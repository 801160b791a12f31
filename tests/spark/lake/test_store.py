"""Files of a table, on this machine and in an object store."""

from __future__ import annotations

import pytest

from moldau.spark.lake.errors import TableError
from moldau.spark.lake.store import Store


def test_a_file_comes_with_its_folder(tmp_path):
    with Store(str(tmp_path), {}).open_output("day=1/x.parquet") as file:
        file.write(b"rows")
    assert (tmp_path / "day=1" / "x.parquet").read_bytes() == b"rows"


def test_removing_what_is_gone_is_fine(tmp_path):
    (tmp_path / "there").write_bytes(b"")
    store = Store(str(tmp_path), {})
    store.remove(["gone", "there"])
    store.remove_folder("gone")
    assert not store.has("there")


def test_files_are_found_by_how_their_names_begin_in_any_folder(tmp_path):
    store = Store(str(tmp_path / "table"), {})
    assert store.named("a") == []
    for path in ("a1", "day=1/a2", "day=1/b1"):
        store.open_output(path).close()
    assert sorted(store.named("a")) == ["a1", "day=1/a2"]


def test_a_folder_gets_its_place_once(tmp_path):
    for name in (b"first", b"second"):
        (tmp_path / "new").mkdir()
        (tmp_path / "new" / "x").write_bytes(name)
        Store(str(tmp_path / "table"), {}).take(str(tmp_path / "new"), "batch")
        assert (tmp_path / "table" / "batch" / "x").read_bytes() == b"first"


def test_a_place_that_takes_no_file_says_why(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(TableError, match=r"x\.parquet cannot be written: "):
        Store(str(tmp_path / "file"), {}).open_output("x.parquet")


def test_an_object_store_that_is_unknown_is_refused():
    with pytest.raises(TableError, match="cannot be reached"):
        Store("nosuch://bucket/table", {})
