"""Sums grow by each batch once, and rows take the place of those with the same keys."""

from __future__ import annotations

import pyarrow as pa
import pytest

from moldau.platform.system.clock import SystemClock
from moldau.spark.lake import upsert
from moldau.spark.lake.errors import LostRaceError
from moldau.spark.lake.transactions import open_table
from moldau.spark.lake.upsert import add_up, replace
from tests.spark.lake.tables import options_for, rows_of


def bring(path, version, *, who="query", **sums):
    names = [None if name == "unnamed" else name for name in sums]
    rows = pa.table({"name": pa.array(names, pa.string()), "count": list(sums.values())})
    options = options_for(path, txnAppId=who)
    return add_up(options, rows, ["name"], version, SystemClock())


def sums_in(path):
    return {row["name"]: row["count"] for row in rows_of(path)}


def test_what_has_the_same_key_is_added_up_and_the_rest_is_new(tmp_path):
    assert bring(tmp_path, 0, a=1, b=2)
    assert bring(tmp_path, 1, b=5, c=7)
    assert sums_in(tmp_path) == {"a": 1, "b": 7, "c": 7}


def test_a_batch_that_comes_again_adds_nothing(tmp_path):
    for version in (0, 0, 1, 1):
        bring(tmp_path, version, a=1)
    assert sums_in(tmp_path) == {"a": 2}


def test_a_key_that_is_null_is_a_key_too(tmp_path):
    bring(tmp_path, 0, unnamed=1)
    bring(tmp_path, 1, unnamed=1)
    assert sums_in(tmp_path) == {None: 2}


def test_a_race_that_is_always_lost_ends_in_a_sentence(tmp_path, monkeypatch):
    bring(tmp_path, 0, a=1)
    monkeypatch.setattr(upsert, "ATTEMPTS_MAX", 0)
    with pytest.raises(LostRaceError, match="changed by others 0 times in a row"):
        bring(tmp_path, 1, a=1)
    assert sums_in(tmp_path) == {"a": 1}


def test_a_race_that_was_lost_once_is_run_again(tmp_path, monkeypatch):
    bring(tmp_path, 0, a=1)
    stale = open_table(str(tmp_path), {})
    bring(tmp_path, 0, who="other", a=10)
    tables = iter([stale])
    monkeypatch.setattr(
        upsert, "open_table", lambda *given: next(tables, None) or open_table(*given)
    )
    assert bring(tmp_path, 1, a=1)
    assert sums_in(tmp_path) == {"a": 12}


def test_several_columns_are_one_key(tmp_path):
    for version in (0, 1):
        rows = pa.table({"hour": [1, 2], "who": ["a", None], "count": [1, 10]})
        options = options_for(tmp_path, txnAppId="query")
        add_up(options, rows, ["hour", "who"], version, SystemClock())
    assert sorted(row["count"] for row in rows_of(tmp_path)) == [2, 20]


def put(path, rows, gone=""):
    replace(options_for(path), pa.Table.from_pylist(rows), ["id"], SystemClock(), gone)
    return {row.pop("id"): row for row in rows_of(path)}


def test_rows_take_the_place_of_those_with_the_same_key_and_again_it_is_the_same(tmp_path):
    put(tmp_path, [{"id": 1, "n": 1}, {"id": 2, "n": 2}])
    for _ in range(2):
        found = put(tmp_path, [{"id": 2, "n": 5}, {"id": 3, "n": 3}])
        assert found == {1: {"n": 1}, 2: {"n": 5}, 3: {"n": 3}}


def test_a_column_that_comes_later_is_null_in_older_rows(tmp_path):
    put(tmp_path, [{"id": 1, "n": 1}])
    found = put(tmp_path, [{"id": 2, "n": 2, "more name": "x"}])
    assert found == {1: {"n": 1, "more name": None}, 2: {"n": 2, "more name": "x"}}


def test_a_row_that_is_gone_is_removed_or_never_comes(tmp_path):
    first = [{"id": 1, "n": 1, "gone": False}, {"id": 2, "n": 2, "gone": True}]
    assert put(tmp_path, first, "gone") == {1: {"n": 1}}
    then = [{"id": 1, "n": 1, "gone": True}, {"id": 3, "n": 3, "gone": True}]
    assert put(tmp_path, [*then, {"id": 4, "n": 4, "gone": False}], "gone") == {4: {"n": 4}}
