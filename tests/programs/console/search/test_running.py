"""Times, and what DuckDB may not reach; that it finds records is in test_routes."""

import pytest

from moldau.programs.console.search.running import ROWS_MAX, SHOWN, SqlRun, time_ms
from moldau.programs.console.values.masking import Masks
from moldau.programs.http.messages import HttpError


def run(query):
    found = SqlRun("t", query, Masks())
    found.feed(None)
    return found.run()


def test_a_time_is_read_as_sql_has_it():
    assert time_ms("1970-01-01 00:00:01") == 1000
    assert time_ms("soon") is None


@pytest.mark.parametrize("source", ["read_csv('pyproject.toml')", "read_text('/etc/passwd')"])
def test_a_query_reaches_no_file(source):
    with pytest.raises(HttpError, match="disabled"):
        run(f"select * from {source}")


def test_a_query_changes_no_setting_and_no_rows_are_an_empty_result():
    with pytest.raises(HttpError):
        run("set enable_external_access = true")
    assert run("select key from t") == {"columns": ["key"], "rows": [], "is_cut": False}


def test_a_query_that_needs_much_memory_is_refused_and_puts_nothing_on_the_disk(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HttpError, match="512 MB of memory"):
        run("select md5(i::varchar), count(*) from range(20000000) o(i) group by all")
    assert list(tmp_path.iterdir()) == []


def test_a_result_is_cut_in_rows_and_letters():
    found = run("select i, repeat('x', 3000) as t from range(1000) o(i) order by i desc")
    assert (len(found["rows"]), found["is_cut"]) == (ROWS_MAX, True)
    assert found["rows"][0] == [999, "x" * SHOWN + "…"]


def test_values_are_shown_as_json_can_have_them():
    query = """select 1 as a, 2 as a, 1::hugeint << 70, 'inf'::double, true, null, 1.5,
        '\\xAA'::blob, [1, 2], json('{"b": 1}'), timestamp '2026-01-31 12:00'; -- the end"""
    found = run(query)
    assert found["columns"][:2] == ["a", "a"]
    numbers, others = [1, 2, str(1 << 70), "inf"], [True, None, "1.5"]
    texts = ["aa", "[1, 2]", '{"b":1}', "2026-01-31 12:00:00"]
    assert found["rows"] == [[*numbers, *others, *texts]]
