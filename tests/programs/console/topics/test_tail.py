"""Records as they come."""

import http.client
import json
from typing import Any

from confluent_kafka import Producer

from moldau.programs.console.topics.tail import BYTES_A_TURN, event

COUNT, LARGE_BYTES = 40, 900_000


def test_an_event_is_one_line_of_json():
    assert event("records", {"a": "1\n2"}) == b'event: records\ndata: {"a":"1\\n2"}\n\n'


def tail(console, topic, query="", **headers):
    link = http.client.HTTPConnection(console.place, timeout=60)
    link.request("GET", f"/api/topics/{topic}/tail{query}", headers=headers)
    answer = link.getresponse()
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.readline() == b"event: ready\n"
    return link, answer


def first_records(link, answer):
    """The values of the first event that has any, and the identity of that event."""
    found: list[dict[str, dict[str, str]]] = []
    while not found:
        line = answer.readline()
        if line.startswith(b"id: "):
            identity = line.removeprefix(b"id: ").decode().strip()
        if line.startswith(b'data: {"records"'):
            found = json.loads(line.removeprefix(b"data: "))["records"]
    link.close()
    return [one["value"]["text"] for one in found], identity


def test_a_record_that_is_sent_appears_in_an_open_tail(console, topic):
    console.send(topic, "before")
    opened = tail(console, topic)
    console.send(topic, "after")
    assert first_records(*opened) == (["after"], "0:2")


def test_a_tail_that_was_lost_goes_on_where_it_was(console, topic):
    console.send(topic, "seen", "missed")
    by_browser = tail(console, topic, **{"Last-Event-ID": "0:1"})
    assert first_records(*by_browser) == (["missed"], "0:2")
    assert first_records(*tail(console, topic, "?after=0:0"))[0] == ["seen", "missed"]
    assert console.refusal("GET", f"/topics/{topic}/tail?after=x")[0] == 400


def test_of_large_records_a_tail_keeps_as_many_as_have_room_and_counts_the_others(console, topic):
    link, answer = tail(console, topic)
    producer = Producer({"bootstrap.servers": console.bootstrap, "linger.ms": 0})
    for number in range(COUNT):
        producer.produce(topic, f"{number} ".encode() + bytes(LARGE_BYTES))
    assert producer.flush(60) == 0
    shown: list[Any] = []
    missed = 0
    while len(shown) + missed < COUNT:
        line = answer.readline()
        if line.startswith(b'data: {"records"'):
            found = json.loads(line.removeprefix(b"data: "))
            assert len(found["records"]) * LARGE_BYTES <= BYTES_A_TURN
            shown += found["records"]
            missed += found["missed"]
    link.close()
    assert len(shown) + missed == COUNT
    assert shown[-1]["offset"] == COUNT - 1


def test_a_tail_of_a_topic_that_is_deleted_says_so_and_ends(console, topic):
    link, answer = tail(console, topic)
    console.run("delete-topic", topic=topic, confirmation=topic)
    events = answer.read().decode()
    link.close()
    assert f'event: failed\ndata: {{"message":"There is no topic {topic}; the page ' in events


def test_a_tail_of_nothing_is_refused(console, topic):
    assert console.refusal("GET", f"/topics/{topic}/tail?partition=9")[0] == 404
