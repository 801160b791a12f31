"""`moldau cat -C` at a real node."""

import json

import pytest


@pytest.mark.parametrize(
    ("offset", "values"),
    [
        ("beginning", ["one", ""]),
        ("1", [""]),
        ("-1", [""]),
        ("s@1500", [""]),
        ("s@0,e@1500", ["one"]),
        ("e@1500", ["one"]),
        ("end", []),
    ],
)
def test_reading_begins_and_ends_where_it_is_asked_to(call, topic, offset, values):
    assert call(f"cat -C -t {topic} -p 0 -o {offset} -e -q") == (0, values)


def test_an_envelope_has_all_that_a_record_has(call, topic):
    _, lines = call(f"cat -C -t {topic} -p 1 -e -J -q")
    assert json.loads(lines[0]) == {
        "topic": topic,
        "partition": 1,
        "offset": 0,
        "tstype": "create",
        "ts": 3000,
        "broker": 1,
        "headers": ["h", "1"],
        "key": None,
        "payload": "\ufffd",
    }


def test_the_end_of_a_partition_is_a_remark(call, topic, errors):
    call(f"cat -t {topic} -p 0 -e")
    assert errors.getvalue().splitlines() == [
        "% Auto-selecting Consumer mode (use -P or -C to override)",
        f"% Reached end of topic {topic} [0] at offset 2: exiting",
    ]


def test_a_count_of_none_is_no_count(call, topic):
    assert call(f"cat -C -t {topic} -p 0 -e -q -c 0") == (0, ["one", ""])
    assert call(f"cat -C -t {topic} -p 0 -e -q -c 1") == (0, ["one"])


def test_places_that_are_none_are_refused(call, topic, errors):
    assert call(f"cat -C -t {topic} -o frog")[0] == 1
    assert call(f"cat -C -t {topic} -o stored")[0] == 1
    assert "write beginning, end, a number" in errors.getvalue()
    assert "needs a group" in errors.getvalue()
