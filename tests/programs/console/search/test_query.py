"""Which part of a topic a query needs, as DuckDB's parser reads it."""

import pytest

from moldau.programs.console.search.query import Bounds, bounds_of, topic_of
from moldau.programs.console.search.running import parsed_query
from moldau.programs.http.messages import HttpError


@pytest.mark.parametrize(
    ("condition", "bounds"),
    [
        ("true", Bounds()),
        ("partition = 3", Bounds(partition=3)),
        ('"offset" >= 5 and "offset" < 9', Bounds(start=5, end=9)),
        ('5 < "offset" and 9 >= "offset"', Bounds(start=6, end=10)),
        ('"offset" between 5 and 9', Bounds(start=5, end=10)),
        ('t."offset" = 5', Bounds(start=5, end=6)),
        ("timestamp >= '2026-01-31 12:00'", Bounds(since="2026-01-31 12:00")),
        ("timestamp < '2026-01-31'", Bounds()),
        ("key = 'a' and value like '%x%'", Bounds(key="a")),
        ("partition = 3 or partition = 4", Bounds()),
        ("not (partition = 3)", Bounds()),
    ],
)
def test_bounds_are_taken_from_what_has_to_hold(condition, bounds):
    assert bounds_of(parsed_query(f"select * from t where {condition}")) == bounds


def test_the_topic_is_named_as_tables_are():
    assert topic_of(parsed_query('select count(*) from "a.b-c"')) == "a.b-c"
    assert topic_of(parsed_query("with x as (select * from t) select * from x")) == "t"


@pytest.mark.parametrize(
    "query",
    [
        "select 1",
        "select * from a, b",
        "select * from a join a as other on true",
        "select * from a; select * from a",
        "drop table a",
        "copy a to 'file'",
        "this is no query",
    ],
)
def test_what_is_no_search_of_one_topic_is_refused(query):
    with pytest.raises(HttpError) as refused:
        topic_of(parsed_query(query))
    assert refused.value.status == 400
