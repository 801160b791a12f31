"""Records by version 3, read by librdkafka."""

from __future__ import annotations

import json
import socket

import pytest

from tests.programs.rest.reading import records_of
from tests.programs.rest.v3.test_producing import SECOND, THIRD, created


def test_a_batch_answers_by_the_callers_ids(rest, place, topic):
    created(rest, topic)
    entries = [{"id": "a", **THIRD}, {"id": "b", "partition_id": 9}]
    status, body = rest.v3("POST", f"topics/{topic}/records:batch", {"entries": entries})
    assert status == 207
    assert [(one["id"], one["offset"]) for one in body["successes"]] == [("a", 0)]
    assert [(one["id"], one["error_code"]) for one in body["failures"]] == [("b", 40402)]
    assert len(records_of(place, topic, 1)) == 1


WRONG_BATCHES = {
    "nothing": (b"", 42208),
    "no entries": ({"entries": []}, 42208),
    "an id twice": ({"entries": [{"id": "a"}, {"id": "a"}]}, 42208),
    "an id that is a number": ({"entries": [{"id": 1}]}, 42208),
    "an id that is empty": ({"entries": [{"id": ""}]}, 42208),
    "an id that is too long": ({"entries": [{"id": "a" * 81}]}, 42208),
    "an id with a space": ({"entries": [{"id": "a b"}]}, 42208),
    "records": ({"records": []}, 422),
    "a field that there is not": ({"entries": [{"id": "a", "partition": 1}]}, 422),
    "no list": ({}, 400),
}


def test_a_batch_that_is_none_is_refused_as_a_whole(rest, topic):
    created(rest, topic)
    path = f"/v3/clusters/{rest.cluster}/topics/{topic}/records:batch"
    codes = {
        name: rest.ask("POST", path, body)[1]["error_code"]
        for name, (body, _) in WRONG_BATCHES.items()
    }
    assert codes == {name: code for name, (_, code) in WRONG_BATCHES.items()}


def test_a_request_without_records_is_refused(rest, topic):
    created(rest, topic)
    assert rest.code("POST", f"topics/{topic}/records", b" ") == (422, 42206)


def test_a_refusal_of_a_registry_has_its_code_in_the_text(rest, topic):
    created(rest, topic)
    [report] = rest.reports(topic, b'{"value":{"schema_id":1,"data":1}}')
    assert report["error_code"] == 422
    assert report["message"].startswith("Error: 42206 : ")


def test_a_record_is_reported_while_its_request_goes_on(rest, place, topic):
    created(rest, topic)
    host, _, port = rest.url.removeprefix("http://").rpartition(":")
    path = f"/v3/clusters/{rest.cluster}/topics/{topic}/records"
    with socket.create_connection((host, int(port)), timeout=60) as link:
        reader = link.makefile("rb")
        link.sendall(
            f"POST {path} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        for offset, record in enumerate((SECOND, THIRD, SECOND)):
            data = json.dumps(record).encode()
            for part in (data[:9], data[9:]):
                link.sendall(b"%x\r\n%b\r\n" % (len(part), part))
            while not (line := reader.readline()).startswith(b"{"):
                assert line, "the proxy has closed the connection"
            assert json.loads(line)["offset"] == offset
        link.sendall(b"0\r\n\r\nGET /brokers HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        rest_of_it = reader.read()
        assert b"0\r\n\r\nHTTP/1.1 200 OK" in rest_of_it
        assert rest_of_it.endswith(b'{"brokers":[1]}')
        reader.close()
    assert len(records_of(place, topic, 3)) == 3


def test_a_stream_that_is_refused_ends_with_its_refusal(rest):
    head = b"POST /v3/clusters/other/topics/t/records HTTP/1.1\r\nHost: h\r\n"
    host, _, port = rest.url.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
        found = b""
        while piece := link.recv(4096):
            found += piece
    assert found.startswith(b"HTTP/1.1 404")
    assert b"Connection: close" in found


@pytest.mark.parametrize("form", ["v2", "v3", "batch"])
def test_a_request_that_comes_again_with_its_key_sends_nothing_again(rest, made, form):
    value = {"type": "STRING", "data": "x"}
    cluster = f"/v3/clusters/-/topics/{made}/records"
    path, media_type, body = {
        "v2": (
            f"/topics/{made}",
            "application/vnd.kafka.json.v2+json",
            {"records": [{"value": 1}]},
        ),
        "v3": (cluster, "application/json", {"partition_id": 0, "value": value}),
        "batch": (
            f"{cluster}:batch",
            "application/json",
            {"entries": [{"id": "1", "partition_id": 0, "value": value}]},
        ),
    }[form]
    answers = [
        rest.raw("POST", path, body, media_type, Idempotency_Key=f"{made}-1") for _ in range(2)
    ]
    assert answers[0][0] == answers[1][0] < 300
    assert answers[0][2] == answers[1][2]
    assert [("Idempotent-Replayed" in headers) for _, headers, _ in answers] == [False, True]
    ends = [rest.get(f"/topics/{made}/partitions/{number}/offsets") for number in (0, 1)]
    assert sum(one["end_offset"] for one in ends) == 1
