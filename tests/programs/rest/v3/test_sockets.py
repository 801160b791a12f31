"""Records by WebSocket, of our own client, of Python's `websockets` and of Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import closing

import pytest

from tests.judges.logins import ALICE, ALICE_PASSWORD
from tests.programs.rest.reading import records_of
from tests.programs.rest.socket_client import SocketClient
from tests.programs.rest.test_users import with_login
from tests.programs.rest.v3.test_events import send

NODE_SECONDS_MAX = 60
NODE = """
const [base, topic] = process.argv.slice(1);
const path = `${base}/v3/clusters/-/topics/${topic}/records`;
const sender = new WebSocket(`${path}:send`);
sender.onopen = () => ["a", "b"].forEach((data) =>
    sender.send(JSON.stringify({partition_id: 0, value: {type: "STRING", data}})));
const offsets = [];
sender.onmessage = ({data}) => {
  offsets.push(JSON.parse(data).offset);
  if (offsets.length < 2) return;
  const reader = new WebSocket(`${path}:stream?from=earliest&format=string&partition_id=0`);
  const values = [];
  reader.onmessage = ({data}) => {
    const event = JSON.parse(data);
    if (event.event === "record") values.push(event.data.value.data);
    if (values.length === 2) { reader.close(); sender.close(1000, "done"); }
  };
  reader.onclose = ({wasClean}) => console.log(JSON.stringify({offsets, values, wasClean}));
};
"""


def path_of(topic, end):
    return f"/v3/clusters/-/topics/{topic}/records:{end}"


def opened(rest, topic, end, **headers):
    return closing(SocketClient(rest, path_of(topic, end), **headers))


def texts(client, count):
    """Of so many records, in order of their partitions."""
    found = [client.next()["data"] for _ in range(count)]
    return sorted((one["partition_id"], one["value"]["data"]) for one in found)


def record(text, **more):
    return {"value": {"type": "STRING", "data": text}, **more}


def test_each_record_has_a_report_and_what_is_none_ends_nothing(rest, place, made):
    with opened(rest, made, "send") as client:
        client.send(record("a", partition_id=1), "{", "[1]", record("x", partition_id=7))
        client.send_bytes(b"{}")
        client.send(record("b", partition_id=1))
        reports = [client.next() for _ in range(6)]
    assert [one["error_code"] for one in reports] == [200, 400, 400, 40402, 400, 200]
    assert [reports[0]["offset"], reports[5]["offset"]] == [0, 1]
    assert [one.value() for one in records_of(place, made, 2, 1)] == [b"a", b"b"]


def test_more_records_than_a_read_holds_are_reported_in_their_order(rest, made):
    with opened(rest, made, "send") as client:
        client.send(*(record("x" * 500, partition_id=0) for _ in range(1000)))
        assert [client.next()["offset"] for _ in range(1000)] == list(range(1000))


def test_records_come_as_they_are_committed_and_again_from_a_place(rest, made):
    send(rest, made, (0, "a"), (1, "b"))
    with opened(rest, made, "stream?from=earliest&format=string") as client:
        assert client.next() == {"id": "0:0,1:0", "event": "ready", "data": {}}
        assert texts(client, 2) == [(0, "a"), (1, "b")]
        send(rest, made, (0, "c"))
        last = client.next()
    assert (last["id"], last["event"], last["data"]["offset"]) == ("0:2,1:1", "record", 1)
    send(rest, made, (1, "d"))
    with opened(rest, made, f"stream?offsets={last['id']}&format=string") as client:
        assert client.next()["event"] == "ready"
        assert texts(client, 1) == [(1, "d")]


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("stream?from=monday", 400),
        ("stream?format=xml", 400),
        ("stream?offsets=x", 400),
        ("stream?from=" + "9" * 5000, 400),
    ],
)
def test_what_is_no_place_is_refused_before_the_upgrade(rest, made, end, status):
    with opened(rest, made, end) as client:
        assert (client.status, json.loads(client.body)["error_code"]) == (status, status)


@pytest.mark.parametrize(
    ("end", "topic", "code"),
    [("stream", "absent", 40403), ("send", "no%20name", 40002)],  # sending may create a topic
)
def test_topics_that_cannot_be_and_users_that_are_not_known_get_no_socket(
    rest, guarded, end, topic, code
):
    with opened(rest, topic, end) as client:
        found = client.status, json.loads(client.body)["error_code"]
        assert found == (code // 100, code)
    with opened(guarded, topic, end, **with_login("eve", "x")) as client:
        assert (client.status, json.loads(client.body)["error_code"]) == (401, 40101)
    with opened(guarded, topic, end, **with_login(ALICE, ALICE_PASSWORD)) as client:
        assert client.status >= 400


def test_without_an_upgrade_it_is_answered_how_to_ask(rest, made):
    for end in ("stream", "send"):
        status, headers, body = rest.raw("GET", path_of(made, end))
        assert (status, headers["Upgrade"]) == (426, "websocket")
        assert json.loads(body)["error_code"] == 426


def test_the_client_of_python_sends_and_reads(rest, made):
    client = pytest.importorskip("websockets.sync.client", reason="websockets is not installed")
    base = rest.url.replace("http", "ws", 1)
    with client.connect(base + path_of(made, "send")) as socket:
        for number in range(100):
            socket.send(json.dumps(record(str(number), partition_id=0)))
        assert [json.loads(socket.recv())["offset"] for _ in range(100)] == list(range(100))
        socket.send([json.dumps(record("x" * 70_000))[:9], json.dumps(record("x" * 70_000))[9:]])
        assert json.loads(socket.recv())["value"]["size"] == 70_000
    path = path_of(made, "stream?from=earliest&format=string&partition_id=0")
    with client.connect(base + path) as socket:
        assert json.loads(socket.recv())["event"] == "ready"
        found = [json.loads(socket.recv())["data"]["value"]["data"] for _ in range(100)]
        assert found == [str(number) for number in range(100)]
        assert socket.ping().wait(NODE_SECONDS_MAX)
    assert socket.close_code == 1000


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
def test_the_client_of_node_sends_and_reads(rest, made):
    base = rest.url.replace("http", "ws", 1)
    command = ["node", "--experimental-websocket", "--no-warnings", "-e", NODE, base, made]
    found = subprocess.run(
        command, capture_output=True, text=True, timeout=NODE_SECONDS_MAX, check=False
    )
    if "bad option" in found.stderr:
        pytest.skip("this Node has no WebSocket")
    assert json.loads(found.stdout) == {
        "offsets": [0, 1],
        "values": ["a", "b"],
        "wasClean": True,
    }, found.stderr
