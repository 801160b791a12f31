"""A broker is killed behind the proxy: refusals meanwhile, and no answered record is lost."""

from __future__ import annotations

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
