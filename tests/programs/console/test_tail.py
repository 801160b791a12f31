"""Records as they come."""

import http.client
import json

from moldau.programs.console.tail import event


def test_an_event_is_one_line_of_json():
    assert event("records", {"a": "1\n2"}) == b'event: records\ndata: {"a":"1\\n2"}\n\n'


def test_a_record_that_is_sent_appears_in_an_open_tail(console, topic):
    console.send(topic, "before")
    link = http.client.HTTPConnection(console.place, timeout=60)
    link.request("GET", f"/api/topics/{topic}/tail")
    answer = link.getresponse()
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.readline() == b"event: ready\n"
    console.send(topic, "after")
    found: list[dict[str, dict[str, str]]] = []
    while not found:
        line = answer.readline()
        if line.startswith(b'data: {"records"'):
            found = json.loads(line.removeprefix(b"data: "))["records"]
    link.close()
    assert [one["value"]["text"] for one in found] == ["after"]


def test_a_tail_of_nothing_is_refused(console, topic):
    assert console.refusal("GET", f"/topics/{topic}/tail?partition=9")[0] == 400
