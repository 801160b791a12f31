"""Pages of records, by offset and by time, and single ones."""

import json

import pytest
from confluent_kafka import Producer


def texts(page):
    return [one["value"]["text"] for one in page["records"]]


def page(console, topic, query=""):
    return console.get(f"/topics/{topic}/records{query}")


def test_pages_go_back_from_the_end_and_forward_again(console, topic):
    console.send(topic, *map(str, range(5)))
    last = page(console, topic, "?count=2")
    assert texts(last) == ["3", "4"]
    before = page(console, topic, f"?count=2&before={last['older']}")
    assert texts(before) == ["1", "2"]
    assert texts(page(console, topic, f"?count=2&after={before['newer']}")) == ["3", "4"]
    assert texts(page(console, topic, "?after=start")) == ["0", "1", "2", "3", "4"]


def back_from_the_end(console, topic):
    found = [page(console, topic, "?count=2")]
    while len(found) < 9 and found[-1]["records"]:
        found.append(page(console, topic, f"?count=2&before={found[-1]['older']}"))
    return [text for one in reversed(found) for text in texts(one)]


def on_from_the_start(console, topic):
    found = [page(console, topic, "?count=2&after=start")]
    while len(found) < 9 and found[-1]["records"]:
        found.append(page(console, topic, f"?count=2&after={found[-1]['newer']}"))
    return [text for one in found for text in texts(one)]


@pytest.mark.parametrize("walk", [back_from_the_end, on_from_the_start])
def test_a_walk_through_partitions_shows_each_record_once(console, topic, walk):
    """Also where times within a partition go back."""
    console.run("add-partitions", topic=topic, partitions=2)
    producer = Producer({"bootstrap.servers": console.bootstrap})
    for number in range(8):
        time = 1_000_000 + 1000 * (number // 4) - number
        producer.produce(topic, str(number), partition=number // 4, timestamp=time)
    assert producer.flush(60) == 0
    assert sorted(walk(console, topic)) == list("01234567")


def test_of_large_records_a_page_has_the_last_ones_and_none_is_left_out(console, topic):
    """Twelve of them are more bytes than one page has."""
    producer = Producer({"bootstrap.servers": console.bootstrap})
    for number in range(12):
        producer.produce(topic, f"{number} {'x' * 900_000}", partition=0)
    assert producer.flush(60) == 0
    last = page(console, topic)
    earlier = page(console, topic, f"?before={last['older']}")
    numbers = [int(text.split()[0]) for text in texts(earlier) + texts(last)]
    assert numbers == list(range(12))
    assert earlier["records"]


def test_a_page_begins_at_a_time(console, topic):
    console.send(topic, "early", "late")
    records = page(console, topic)["records"]
    at = records[1]["timestamp"]
    found = texts(page(console, topic, f"?time={at}"))
    assert found == [r["value"]["text"] for r in records if r["timestamp"] >= at]
    assert page(console, topic, f"?time={at + 10**7}")["records"] == []


def test_a_value_that_is_cut_can_be_downloaded_whole(console, topic):
    console.send(topic, "x" * 10_000, key="k")
    (record,) = page(console, topic)["records"]
    assert (record["value"]["is_cut"], record["value"]["size"]) == (True, 10_000)
    status, headers, data = console.raw("GET", f"/api/topics/{topic}/records/0/0/value")
    assert (status, data) == (200, b"x" * 10_000)
    assert headers["Content-Disposition"].startswith("attachment")
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_headers_and_tombstones_are_shown(console, topic):
    headers = [{"name": "trace", "value": "1"}]
    console.run("produce", topic=topic, key="k", headers=headers)
    (record,) = page(console, topic)["records"]
    assert record["value"] is None
    assert json.dumps(record["headers"]).count("trace") == 1


def test_what_is_no_place_is_refused(console, topic):
    assert console.refusal("GET", f"/topics/{topic}/records?before=x")[0] == 400
    assert console.refusal("GET", f"/topics/{topic}/records?count=0")[0] == 400
    assert console.refusal("GET", f"/topics/{topic}/records?partition=7")[0] == 404
    assert console.refusal("GET", f"/topics/{topic}/records/0/99/value")[0] == 404
