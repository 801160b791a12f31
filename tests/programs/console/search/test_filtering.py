"""A filter of a search: which records fit, its limits, and what it says of the others."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from moldau.platform.system.time_limit import CallTimes
from moldau.programs.console.search.filtering import SearchFilter
from moldau.programs.http.messages import HttpError

RECORDS: Mapping[str, Sequence[Any]] = {
    "partition": [0, 0, 1],
    "offset": [4, 5, 9],
    "timestamp": [100, 200, 300],
    "key": [b"a", None, b"\xff"],
    "value": [b'{"n": 1}', b"text", None],
    "headers": [[{"key": "h", "value": b"1"}, {"key": "h", "value": b"2"}], None, []],
}
SLOW = "[1,2,3,4,5,6,7,8].all(a, [1,2,3,4,5,6,7,8].all(b, [1,2,3,4,5,6,7,8].all(c, a+b+c > 0)))"


@pytest.fixture(autouse=True)
def _needs_celpy():
    pytest.importorskip("celpy", reason="cel-python is not installed")


@pytest.mark.parametrize(
    ("text", "fit"),
    [
        ("record.partition == 0", [True, True, False]),
        ("record.headers['h'] == '2'", [True, False, False]),
        ("has(record.key) && record.keyAsText != 'a'", [False, False, True]),
        ("record.value == 'text'", [False, True, False]),
    ],
)
def test_each_record_fits_or_not(text, fit):
    assert SearchFilter(text).fit(RECORDS) == fit


def test_records_for_which_it_cannot_be_evaluated_are_counted_with_the_first_reason():
    kept = SearchFilter("record.value.n == 1")
    assert kept.fit(RECORDS) == [True, False, False]
    assert (kept.report()["unclear"], kept.report()["why"] != "") == (2, True)


def test_a_filter_that_is_slow_for_one_record_ends_the_search():
    with pytest.raises(HttpError, match="longer than 1 s for one record: make it simpler"):
        SearchFilter(SLOW, CallTimes(1, 60_000)).fit(RECORDS)


def test_a_filter_that_has_had_its_time_ends_the_search_with_what_to_do():
    with pytest.raises(HttpError, match="for 1 records: narrow the query"):
        SearchFilter("true", CallTimes(1_000, 1e-6)).fit(RECORDS)


def test_a_pattern_that_goes_back_without_an_end_is_ended():
    kept = SearchFilter(f"'{'a' * 40}!'.matches('^(a+)+$')", CallTimes(50, 60_000))
    try:
        assert kept.fit(RECORDS) == [False, False, False]  # a matcher that is linear
    except HttpError as error:
        assert "longer than" in str(error)  # noqa: PT017  # either is right


@pytest.mark.parametrize("text", ["record.", "nothing == 1", "record.offset"])
def test_what_fits_no_record_is_a_bad_request(text):
    with pytest.raises(HttpError, match="The filter") as caught:
        SearchFilter(text).fit(RECORDS)
    assert caught.value.status == 400


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "celpy", None)
    monkeypatch.delitem(sys.modules, "moldau.schemas.cel_filter", raising=False)
    with pytest.raises(HttpError, match="pip install 'moldau") as caught:
        SearchFilter("true")
    assert caught.value.status == 501
