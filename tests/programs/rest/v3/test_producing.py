"""Records of one request, each with its report, read by librdkafka."""

from __future__ import annotations

import json

from tests.programs.rest.reading import records_of

FIRST = {
    "partition_id": 0,
    "timestamp": "2026-01-31T12:00:00.250Z",
    "headers": [{"name": "trace", "value": "Nw=="}, {"name": "empty"}],
    "key": {"type": "BINARY", "data": "AAEC"},
    "value": {"type": "JSON", "data": {"ä": [1, None, 2.5]}},
}
SECOND = {"partition_id": 0, "key": {"type": "STRING", "data": "ü"}}
THIRD = {"partition_id": 0, "value": {"type": "JSON", "data": "text"}}


def created(rest, topic):
    rest.v3("POST", "topics", {"topic_name": topic, "partitions_count": 1})
    return topic


def test_records_of_one_request_arrive_in_order_each_with_its_report(rest, place, topic):
    created(rest, topic)
    body = b"\r\n ".join(json.dumps(one).encode() for one in (FIRST, SECOND, THIRD))
    reports = rest.reports(topic, body)
    assert [one["offset"] for one in reports] == [0, 1, 2]
    assert reports[0]["timestamp"] == "2026-01-31T12:00:00.250Z"
    assert reports[0]["key"] == {"type": "BINARY", "size": 3}
    assert (reports[1]["error_code"], "value" in reports[1]) == (200, False)
    first, second, third = records_of(place, topic, 3)
    assert (first.key(), json.loads(first.value())) == (b"\0\1\2", {"ä": [1, None, 2.5]})
    assert first.headers() == [("trace", b"7"), ("empty", None)]
    assert first.timestamp()[1] == 1_769_860_800_250
    assert (second.key(), second.value(), third.value()) == ("ü".encode(), None, b'"text"')


def test_a_record_that_cannot_be_has_its_own_report_and_the_others_arrive(rest, place, topic):
    created(rest, topic)
    wrong = [
        {"value": {"type": "BINARY", "data": "%%"}},
        {"value": {"type": "STRING", "data": 7}},
        {"value": {"type": "NOPE", "data": 7}},
        {"partition_id": 9},
        {"partition_id": -1},
        {"records": {"subject": "s"}},
        {"value": {"schema_id": 1, "data": 1}},
        {"timestamp": "yesterday"},
        {"headers": [{"value": "Nw=="}]},
        {"value": {"type": "STRING", "data": "x" * 2_000_000}},
    ]
    body = b"".join(json.dumps(one).encode() for one in (SECOND, *wrong, THIRD)) + b'{"a":'
    codes = [one["error_code"] for one in rest.reports(topic, body)]
    assert codes == [200, 400, 400, 400, 40402, 40402, 400, 422, 400, 400, 40002, 200, 400]
    assert [one.value() for one in records_of(place, topic, 2)] == [None, b'"text"']
