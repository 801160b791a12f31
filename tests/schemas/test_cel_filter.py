"""Filters of kafbat UI on records; what each means is what its own tests and users have."""

from __future__ import annotations

import json

import pytest

from moldau.schemas.data_errors import DataError

pytest.importorskip("celpy", reason="cel-python is not installed")
cel_filter = pytest.importorskip("moldau.schemas.cel_filter")

VALUE = {"amount": 99.5, "n": 5, "tags": ["x"], "none": None, "to": {"city": "Praha"}}


def holds(text, *, key='{"name": "Jo"}', value=None, headers=(("source", "shop"),)):
    shown = json.dumps(VALUE) if value is None else value
    record = cel_filter.FilteredRecord(3, 7, 1500, key, shown, dict(headers))
    return cel_filter.RecordFilter(text).holds(record)


@pytest.mark.parametrize(
    "text",
    [
        "record.partition == 3 && record.offset >= 7 && record.timestampMs == 1500",
        "record.key.name == 'Jo'",
        "record.keyAsText.contains('Jo')",
        "record.value.to.city.startsWith('Pra')",
        "record.valueAsText.matches('amount.*99')",
        "record.headers['source'] == 'shop' && record.headers.size() == 1",
        "'source' in record.headers && !('trace' in record.headers)",
        "has(record.value.to.city) && !has(record.value.from)",
        "record.value.tags.exists(tag, tag == 'x')",
        "record.value.none == null && record.value.n != null",
        "record.value.missing == 1 || record.value.n == 5",
        "record.value.to.city.lowerAscii() == 'praha' && 'ÄB'.lowerAscii() == 'Äb'",
        "record.value.to.city.substring(1, 3) == 'ra' && 'abc'.indexOf('c') == 2",
        "'a,b'.split(',').size() == 2 && ['a', 'b'].join('-') == 'a-b' && ' a '.trim() == 'a'",
        "'abab'.replace('a', 'c') == 'cbcb' && 'abab'.lastIndexOf('a') == 2",
    ],
)
def test_an_expression_holds_for_a_record(text):
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "record.value.amount > 99",
        "record.value.n > 4.5",
        "record.value.n == 5.0",
        "record.value.n < 6u && record.value.n != 5.5",
        "record.timestampMs <= 1500u",
        "!(record.value.n == '5') && record.value.n != '5'",
    ],
)
def test_numbers_are_compared_by_what_they_are_and_other_types_differ(text):
    assert holds(text)


def test_what_is_no_object_is_text_and_null_is_not_there():
    assert holds("record.key == 'k' && record.value == '[1]'", key="k", value="[1]")
    assert holds("!has(record.key) && !has(record.keyAsText)", key=None)
    assert holds("has(record.headers) && record.headers.size() == 0", headers=())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("record.value.missing == 1", "it has no member 'missing'"),
        ("record.value.tags > 3", "their types are others"),
        ("record.value.missing == 1 && record.value.missing > 2", "its members or"),
        ("record.value.n / 0 == 1", "divide by zero"),
        ("record.value.n.contains('5')", "their types are others"),
    ],
)
def test_what_cannot_be_evaluated_for_one_record_is_an_error_of_it_alone(text, why):
    with pytest.raises(DataError, match=why) as caught:
        holds(text)
    assert not isinstance(caught.value, cel_filter.UnfitFilterError)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("record.value.", "no expression of CEL at line 1, column 13"),
        ("an order = 1", "no expression of CEL at line 1, column 4"),
        ("", "no expression of CEL"),
        ("order.id == 1", "has 'order', which there is not"),
        ("record.value.n.half() == 2", "has 'half', which there is not"),
        ("record.value.n", "gives a Int, and has to be true or false"),
        ("(" * 3000 + "1" + ")" * 3000, "nested too deeply"),
    ],
)
def test_what_fits_no_record_is_refused_in_a_sentence(text, why):
    with pytest.raises(cel_filter.UnfitFilterError, match=why):
        holds(text)
