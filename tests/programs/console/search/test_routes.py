"""Searches over HTTP, compared with a plain scan of what was sent."""

import json
from importlib.util import find_spec
from urllib.parse import quote

import pytest

from moldau.client import TopicPartition
from moldau.programs.console.search.query import Bounds
from moldau.programs.console.search.routes import places_of


def search(console, query, kept=""):
    address = f"/api/search?query={quote(query)}&filter={quote(kept)}"
    status, _, data = console.raw("GET", address)
    assert status == 200, data
    events = dict(part.split("\n", 1) for part in data.decode().split("\n\n") if part)
    last = list(events.values())[-1]
    return json.loads(last.removeprefix("data: ")), events["event: progress"]


def test_a_search_finds_what_a_scan_finds(console, topic):
    amounts = [7 * number % 50 for number in range(20)]
    console.send(topic, *(json.dumps({"amount": amount}) for amount in amounts), "no json")
    query = f"""select "offset" from "{topic}" where (json->>'$.amount')::int > 30 order by 1"""
    found, _ = search(console, query)
    assert found["rows"] == [[at] for at, amount in enumerate(amounts) if amount > 30]
    assert found["columns"] == ["offset"]


def test_only_what_is_within_the_bounds_is_read(console, topic):
    console.send(topic, *"abcde")
    query = f"""select value from "{topic}" where "offset" between 1 and 2"""
    found, progress = search(console, query)
    assert found["rows"] == [["b"], ["c"]]
    assert json.loads(progress.removeprefix("data: ")) == {"read": 2, "of": 2}


def test_a_query_that_fails_is_a_sentence(console, topic):
    found, _ = search(console, f'select nothing_like_it from "{topic}"')
    assert "nothing_like_it" in found["message"]
    status, sentence = console.refusal("GET", "/search?query=select%201")
    assert (status, "one topic" in sentence) == (400, True)


def test_the_partition_of_a_key_is_read_first():
    first = {TopicPartition("t", number): 0 for number in range(4)}
    last = dict.fromkeys(first, 10)
    assert sorted(places_of(Bounds(key="a"), first, last)) == sorted(first)
    assert places_of(Bounds(partition=2, start=3), first, last) == {TopicPartition("t", 2): (3, 10)}


@pytest.mark.skipif(find_spec("celpy") is None, reason="cel-python is not installed")
def test_a_filter_in_cel_finds_what_a_scan_finds(console, topic):
    amounts = [7 * number % 50 + number % 2 / 2 for number in range(20)]
    console.send(topic, *(json.dumps({"amount": amount}) for amount in amounts), "no json")
    query = f'select "offset" from "{topic}" order by 1'
    found, _ = search(console, query, "record.value.amount > 30 && record.offset >= 2")
    wanted = [[at] for at, amount in enumerate(amounts) if amount > 30 and at >= 2]
    assert (found["rows"], found["unclear"]) == (wanted, 1)
    found, _ = search(console, f'select "offset" from "{topic}" limit 1', "record.offset > 4")
    assert (found["rows"], found["is_cut"]) == ([[5]], False)


@pytest.mark.skipif(find_spec("celpy") is None, reason="cel-python is not installed")
@pytest.mark.parametrize(
    ("kept", "message"),
    [("record.", "no expression of CEL"), ("record.offset", "has to be true or false")],
)
def test_a_filter_that_fits_no_record_is_a_sentence(console, topic, kept, message):
    console.send(topic, "a")
    address = f"/search?query={quote(f'select 1 from {chr(34)}{topic}{chr(34)}')}&filter={kept}"
    if kept.endswith("."):
        assert message in console.refusal("GET", address)[1]
    else:
        found, _ = search(console, f'select 1 from "{topic}"', kept)
        assert message in found["message"]


def test_a_filter_that_is_too_long_is_refused(console, topic):
    status, sentence = console.refusal("GET", f"/search?query=select%201&filter={'a' * 4001}")
    assert (status, "4000 letters at most" in sentence) == (400, True)
