"""Pages of what librdkafka has sent."""

import pyarrow as pa
import pytest
from confluent_kafka import Producer


@pytest.fixture
def filled(place, made):
    """Ten records in the first partition, the third one no JSON."""
    producer = Producer({"bootstrap.servers": place})
    for number in range(10):
        value = b"\xff{" if number == 2 else b'{"n":%d}' % number
        producer.produce(made, value, key=b"k", headers={"h": b"7"}, partition=0, timestamp=1000)
    assert producer.flush(60) == 0
    return made


def path_of(rest, topic, query=""):
    return f"/v3/clusters/{rest.cluster}/topics/{topic}/partitions/0/records{query}"


def test_pages_lead_from_the_first_record_to_what_is_still_to_come(rest, filled):
    path = path_of(rest, filled, "?count=4&format=json")
    pages: list[list[dict[str, object]]] = []
    while not pages or pages[-1]:
        page = rest.get(path)
        pages.append(page["data"])
        path = page["metadata"]["next"].removeprefix(rest.url)
    assert [[one["offset"] for one in page] for page in pages] == [
        [0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []
    ]  # fmt: skip
    assert pages[0][3] == {
        "partition_id": 0,
        "offset": 3,
        "timestamp": "1970-01-01T00:00:01Z",
        "headers": [{"name": "h", "value": "Nw=="}],
        "key": {"type": "BINARY", "data": "aw=="},
        "value": {"type": "JSON", "data": {"n": 3}},
    }
    assert pages[0][2]["value"] == {"type": "BINARY", "data": "/3s="}


def test_a_page_that_is_known_is_not_sent_again(rest, filled):
    path = path_of(rest, filled, "?offset=2&count=4")
    status, headers, _ = rest.raw("GET", path)
    assert (status, "immutable" in headers["Cache-Control"]) == (200, True)
    status, _, body = rest.raw("GET", path, If_None_Match=headers["ETag"])
    assert (status, body) == (304, b"")
    assert rest.raw("GET", path_of(rest, filled), If_None_Match=headers["ETag"])[0] == 200
    assert rest.raw("GET", path_of(rest, filled))[1]["Cache-Control"] == "private, no-cache"


def test_what_is_not_there_is_refused(rest, filled):
    queries = ("?offset=11", "?offset=-1", "?count=0", "?count=10001", "?format=xml")
    codes = [rest.ask("GET", path_of(rest, filled, query))[0] for query in queries]
    assert codes == [404, 404, 400, 400, 400]
    assert rest.ask("GET", path_of(rest, "nope"))[1]["error_code"] == 40403


def test_a_page_comes_as_a_stream_of_arrow_too(rest, filled):
    path = path_of(rest, filled, "?count=4")
    rows: list[dict[str, object]] = []
    accepted = {"Accept": "application/vnd.apache.arrow.stream"}
    while len(rows) < 10:
        status, headers, data = rest.raw("GET", path, **accepted)
        assert (status, headers["Content-Type"]) == (200, accepted["Accept"])
        rows += pa.ipc.open_stream(data).read_all().to_pylist()
        path = headers["Link"].removeprefix(f"<{rest.url}").partition(">")[0]
    assert [one["offset"] for one in rows] == list(range(10))
    assert (rows[2]["key"], rows[2]["value"]) == (b"k", b"\xff{")
    assert rows[2]["headers"] == [{"key": "h", "value": b"7"}]
    again = rest.raw("GET", path_of(rest, filled), **accepted)[1]["ETag"]
    assert rest.raw("GET", path_of(rest, filled), If_None_Match=again)[0] == 200
    assert rest.raw("GET", path_of(rest, filled), If_None_Match=again, **accepted)[0] == 304
