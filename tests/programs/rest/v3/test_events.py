"""Records as events: all of them, in order, and none twice over lost connections."""

from __future__ import annotations

import http.client
import json

import pytest
from confluent_kafka import TopicPartition
from confluent_kafka.admin import AdminClient

from moldau.programs.rest.v3.feed import read_vector
from tests.interop.registry.running_registry import START_SECONDS_MAX


class Stream:
    """As a browser reads it."""

    def __init__(self, rest, topic, query="", last=None):
        host, _, port = rest.url.removeprefix("http://").rpartition(":")
        self.link = http.client.HTTPConnection(host, int(port), timeout=START_SECONDS_MAX)
        path = f"/v3/clusters/-/topics/{topic}/records{query}"
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last} if last else {})
        self.link.request("GET", path, headers=headers)
        self.answer = self.link.getresponse()
        self.last = last

    def next(self):
        """Its name and its data."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode().rstrip("\n"):
            name, _, value = line.partition(": ")
            fields[name] = value
        self.last = fields.get("id", self.last)
        return fields.get("event"), json.loads(fields.get("data", "null"))

    def close(self):
        self.answer.close()
        self.link.close()


def send(rest, topic, *texts):
    lines = [
        json.dumps({"partition_id": number, "value": {"type": "STRING", "data": text}})
        for number, text in texts
    ]
    assert len(rest.reports(topic, "".join(lines).encode())) == len(texts)


def values(stream, count):
    found: list[tuple[int, str]] = []
    while len(found) < count:
        name, data = stream.next()
        if name == "record":
            found.append((data["partition_id"], data["value"]["data"]))
    return found


def test_a_browser_that_comes_again_gets_what_it_has_not_had(rest, made):
    send(rest, made, (0, "a"), (1, "b"), (0, "c"))
    stream = Stream(rest, made, "?from=earliest&format=string")
    assert stream.answer.headers["Content-Type"] == "text/event-stream"
    assert stream.next() == ("ready", {})
    assert sorted(values(stream, 2) + values(stream, 1)) == [(0, "a"), (0, "c"), (1, "b")]
    stream.close()
    send(rest, made, (1, "d"))
    again = Stream(rest, made, "?format=string", stream.last)
    assert values(again, 1) == [(1, "d")]
    send(rest, made, (0, "e"))
    assert values(again, 1) == [(0, "e")]
    assert read_vector(again.last) == {0: 3, 1: 2}
    again.close()


def test_a_browser_that_waits_at_the_end_holds_no_other_up(rest, made):
    send(rest, made, (0, "a"), (0, "b"))
    waiting = Stream(rest, made, "?format=string")
    assert waiting.next() == ("ready", {})
    other = Stream(rest, made, "?from=earliest&format=string")
    assert values(other, 2) == [(0, "a"), (0, "b")]
    send(rest, made, (0, "c"))
    assert values(other, 1) == values(waiting, 1) == [(0, "c")]
    other.close()
    waiting.close()


def test_without_a_place_it_begins_with_what_comes_and_one_partition_may_be_chosen(rest, made):
    send(rest, made, (0, "old"))
    stream = Stream(rest, made, "?format=string&partition_id=0")
    assert stream.next() == ("ready", {})
    send(rest, made, (1, "other"), (0, "new"))
    assert values(stream, 1) == [(0, "new")]
    assert stream.last == "0:2"
    stream.close()


def test_what_is_gone_before_it_was_had_is_named(rest, place, made):
    send(rest, made, (0, "a"), (0, "b"), (0, "c"))
    admin = AdminClient({"bootstrap.servers": place})
    for future in admin.delete_records([TopicPartition(made, 0, 2)]).values():
        future.result(START_SECONDS_MAX)
    stream = Stream(rest, made, "?format=string&partition_id=0", "0:1,1:0")
    assert stream.next() == ("ready", {})
    assert stream.next() == ("skipped", {"partition_id": 0, "from": 1, "to": 2})
    assert values(stream, 1) == [(0, "c")]
    stream.close()


@pytest.mark.parametrize(
    ("query", "last"),
    [
        ("?format=xml", None),
        ("?from=monday", None),
        ("?partition_id=7", None),
        ("?partition_id=x", None),
        ("", "nonsense"),
        ("?offsets=0:-1", None),
    ],
)
def test_what_is_no_place_is_refused(rest, made, query, last):
    stream = Stream(rest, made, query, last)
    assert stream.answer.status == 400
    assert "error_code" in json.loads(stream.answer.read())
    stream.close()


def test_a_topic_that_is_not_there_is_404(rest):
    stream = Stream(rest, "absent")
    assert stream.answer.status == 404
    stream.close()
