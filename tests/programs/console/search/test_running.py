"""Times, and what DuckDB may not reach; that it finds records is in test_routes."""

import pytest

from moldau.client.settings.client import ClientSettings
from moldau.programs.console.search.running import SqlRun, time_ms
from moldau.programs.console.values import Masks
from moldau.programs.http.messages import HttpError


def run(query):
    found = SqlRun("t", query, ClientSettings({"bootstrap.servers": "a:1"}), Masks())
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
