"""Small files go together, and needless ones go away; rows stay."""

from __future__ import annotations

import pytest

from moldau.spark.errors import OptionError
from moldau.spark.lake.errors import LostRaceError, TableError
from moldau.spark.lake.upkeep import Compacted, compact, vacuum
from tests.spark.lake.tables import add, files_under, numbers, options_for, rows_of, write_files


def many_small_files(path):
    for value in range(5):
        add(options_for(path), numbers(value), application="query", version=value)


def test_small_files_become_one_and_the_rows_stay(tmp_path):
    many_small_files(tmp_path)
    assert compact(str(tmp_path)) == Compacted(removed=5, added=1)
    assert sorted(row["number"] for row in rows_of(tmp_path)) == [0, 1, 2, 3, 4]


def test_a_batch_that_comes_again_after_compaction_adds_nothing(tmp_path):
    many_small_files(tmp_path)
    compact(str(tmp_path))
    assert not add(options_for(tmp_path), numbers(4), application="query", version=4)


def test_vacuum_removes_what_was_replaced_and_what_was_left_behind(tmp_path):
    many_small_files(tmp_path)
    write_files(options_for(tmp_path), numbers(9))
    compact(str(tmp_path))
    removed = vacuum(str(tmp_path), retention_hours=0)
    assert len(removed) == 6
    assert len(files_under(tmp_path)) == 1
    assert len(rows_of(tmp_path)) == 5


def test_vacuum_leaves_what_is_younger_than_it_may_take(tmp_path):
    many_small_files(tmp_path)
    compact(str(tmp_path))
    assert vacuum(str(tmp_path)) == []
    assert len(files_under(tmp_path)) == 6


def test_a_rehearsal_removes_nothing(tmp_path):
    many_small_files(tmp_path)
    compact(str(tmp_path))
    assert len(vacuum(str(tmp_path), retention_hours=0, dry_run=True)) == 5
    assert len(files_under(tmp_path)) == 6


def test_a_place_without_a_table_says_so(tmp_path):
    with pytest.raises(TableError, match="there is no Delta table at"):
        compact(str(tmp_path / "nothing"))
    with pytest.raises(TableError, match="there is no Delta table at"):
        vacuum(str(tmp_path / "nothing"))


def test_numbers_out_of_bounds_are_refused_by_name(tmp_path):
    with pytest.raises(OptionError, match=r"file_size is a whole number from 1 to .* and not -1$"):
        compact(str(tmp_path), file_size=-1)
    with pytest.raises(
        OptionError, match=r"retention_hours is a whole number from 0 to .* not -1$"
    ):
        vacuum(str(tmp_path), retention_hours=-1)


def test_compaction_that_always_loses_ends_in_a_sentence(tmp_path, monkeypatch):
    many_small_files(tmp_path)
    monkeypatch.setattr("moldau.spark.lake.upkeep.ATTEMPTS_MAX", 0)
    with pytest.raises(LostRaceError, match="changed under 0 compactions"):
        compact(str(tmp_path))
