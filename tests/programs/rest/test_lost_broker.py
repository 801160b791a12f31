"""A broker is killed behind the proxy: refusals meanwhile, and no answered record is lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.judges.moldau_node import MoldauNode
from tests.programs.rest.running_rest import RunningRest

pytestmark = [pytest.mark.long, pytest.mark.timeout(400)]
JSON_RECORDS = "application/vnd.kafka.json.v2+json"
TOPIC = "orders"


@pytest.fixture
def node(tmp_path):
    folder = tmp_path / "node"
    folder.mkdir()
    node = MoldauNode(folder)
    node.start()
    yield node
    node.kill()


@pytest.fixture
def rest(node, tmp_path):
    running = RunningRest(tmp_path, node.bootstrap)
    yield running
    running.stop()


def send(rest, number):
    body = {"records": [{"value": number}]}
    return rest.ask("POST", f"/topics/{TOPIC}", body, JSON_RECORDS)


def test_what_is_answered_while_a_broker_dies_is_true(node, rest):
    assert rest.v3("POST", "topics", {"topic_name": TOPIC, "partitions_count": 1})[0] == 201
    answered = []

    def keep(number):
        status, body = send(rest, number)
        if status != 200:
            assert body.keys() == {"error_code", "message"}
            return body["error_code"]
        (one,) = body["offsets"]
        if one["error_code"] is None:
            answered.append((one["offset"], number))
        return one["error_code"]

    assert [keep(number) for number in range(5)] == [None] * 5
    node.kill()
    assert keep(5) == 50003
    status, body = rest.ask("GET", f"/topics/{TOPIC}")
    assert (status, body["error_code"]) == (500, 50003)
    assert rest.ask("GET", "/openapi.json")[0] == 200  # it serves what needs no broker
    node.start()
    assert keep(6) is None
    page = rest.v3("GET", f"topics/{TOPIC}/partitions/0/records?offset=0&count=100&format=json")
    there = {one["offset"]: one["value"]["data"] for one in page[1]["data"]}
    assert [there[offset] for offset, _ in answered] == [number for _, number in answered]


CONSUMED = "application/vnd.kafka.json.v2+json"
V2 = "application/vnd.kafka.v2+json"
INSTANCE = "/consumers/g/instances/i"
BIG = "x" * 500_000
REQUESTS = 20
GROWTH_MAX = 64 * 1024 * 1024
"""Of the proxy's memory, over requests that hold 10 MB at once and are refused."""


def resident(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) * 1024


def refused(rest):
    """Status and code of each way to write and to read."""
    record = {"value": {"type": "JSON", "data": 1}}
    place = f"/v3/clusters/{rest.cluster}/topics/{TOPIC}"
    batch = {"entries": [{"id": "1", **record}]}
    return {
        "v2 produce": send(rest, "lost"),
        "v2 consume": rest.ask("GET", f"{INSTANCE}/records?timeout=500", Accept=CONSUMED),
        "v3 produce": rest.ask("POST", f"{place}/records", record),
        "v3 batch": rest.ask("POST", f"{place}/records:batch", batch),
        "v3 consume": rest.ask("GET", f"{place}/partitions/0/records?offset=0&format=json"),
        "v3 topics": rest.ask("GET", place),
    }


def test_each_way_to_write_and_to_read_says_that_no_broker_is_there(node, rest):
    assert rest.v3("POST", "topics", {"topic_name": TOPIC, "partitions_count": 1})[0] == 201
    made = {"name": "i", "format": "json", "auto.offset.reset": "earliest"}
    assert rest.ask("POST", "/consumers/g", made, V2)[0] == 200
    asked = {"topics": [TOPIC]}
    assert rest.ask("POST", f"{INSTANCE}/subscription", asked, V2)[0] == 204
    assert send(rest, "first")[0] == 200
    node.kill()
    found = refused(rest)
    # A client that knows the topic waits, and fails for the record; without the topic all fails.
    (offset,) = found.pop("v2 produce")[1]["offsets"]
    assert (offset["offset"], offset["error_code"]) == (None, 50003)
    assert found.pop("v2 consume") == (200, [])  # as Java's consumer: nothing came
    assert {(status, body["error_code"]) for status, body in found.values()} == {(500, 50003)}
    assert all(body.keys() == {"error_code", "message"} for _, body in found.values())
    before = resident(rest.process.pid)
    with ThreadPoolExecutor(REQUESTS) as pool:
        answers = list(pool.map(lambda _: send(rest, BIG), range(REQUESTS)))
    assert {(status, body["error_code"]) for status, body in answers} == {(500, 50003)}
    assert resident(rest.process.pid) - before < GROWTH_MAX
    node.start()
    page = rest.v3("GET", f"topics/{TOPIC}/partitions/0/records?offset=0&count=100&format=json")
    there = [one["value"]["data"] for one in page[1]["data"]]
    assert there[0] == "first"
    assert [one["value"] for one in read(rest)] == there[:1]


def read(rest):
    """What the consumer goes on with, in its own time."""
    found: list[Any] = []
    while not found:
        status, records = rest.ask("GET", f"{INSTANCE}/records?timeout=5000", Accept=CONSUMED)
        assert status == 200
        found += records
    return found
