"""Records by version 2, read by librdkafka."""

from tests.programs.rest.reading import records_of

BINARY = "application/vnd.kafka.binary.v2+json"
JSON = "application/vnd.kafka.json.v2+json"


def test_records_in_base64_and_in_json_arrive(rest, place, made):
    first = {"records": [{"key": "aw==", "value": "AAE=", "partition": 0}, {"partition": 0}]}
    status, body = rest.ask("POST", f"/topics/{made}", first, BINARY)
    assert (status, body["key_schema_id"]) == (200, None)
    assert body["offsets"] == [
        {"partition": 0, "offset": offset, "error_code": None, "error": None} for offset in (0, 1)
    ]
    second = {"records": [{"key": 1, "value": {"a": "ä"}}]}
    status, body = rest.ask("POST", f"/topics/{made}/partitions/0", second, JSON)
    assert (status, body["offsets"][0]["offset"]) == (200, 2)
    found = [(one.key(), one.value()) for one in records_of(place, made, 3)]
    assert found == [(b"k", b"\0\1"), (None, None), (b"1", '{"a":"ä"}'.encode())]
    ends = rest.get(f"/topics/{made}/partitions/0/offsets")
    assert ends == {"beginning_offset": 0, "end_offset": 3}


def test_each_record_has_its_own_error(rest, made):
    given = {"records": [{"value": 1, "partition": 7}, {"value": 2, "partition": 0}]}
    status, body = rest.ask("POST", f"/topics/{made}", given, JSON)
    assert status == 200
    assert [one["error_code"] for one in body["offsets"]] == [40402, None]


REFUSED = {
    "no records": ("/topics/{made}", {"records": []}, JSON, 422),
    "no list": ("/topics/{made}", {}, JSON, 422),
    "nothing": ("/topics/{made}", b"", JSON, 422),
    "null": ("/topics/{made}", b"null", JSON, 422),
    "another field": ("/topics/{made}", {"records": [{}], "record": 1}, JSON, 422),
    "another field of a record": ("/topics/{made}", {"records": [{"partition_id": 1}]}, JSON, 422),
    "a partition below 0": ("/topics/{made}", {"records": [{"partition": -1}]}, JSON, 422),
    "no objects": ("/topics/{made}", {"records": [1]}, JSON, 400),
    "not base64": ("/topics/{made}", {"records": [{"value": "%"}]}, BINARY, 400),
    "no such partition": ("/topics/{made}/partitions/9", {"records": [{}]}, JSON, 40402),
    "not JSON": ("/topics/{made}", b"{", JSON, 400),
    "no such format": ("/topics/{made}", {"records": [{}]}, "text/plain", 415),
    "a name that is none": ("/topics/a%2Fb", {"records": [{}]}, JSON, 40002),
    "nothing after half": (
        "/topics/{made}",
        {"records": [{"value": ""}, {"value": 1}]},
        BINARY,
        400,
    ),
}


def test_what_cannot_be_is_refused_as_a_whole(rest, made):
    codes = {
        name: rest.ask("POST", path.format(made=made), body, media)[1]["error_code"]
        for name, (path, body, media, _) in REFUSED.items()
    }
    assert codes == {name: case[-1] for name, case in REFUSED.items()}
    assert rest.get(f"/topics/{made}/partitions/0/offsets")["end_offset"] == 0
