"""Judge: what librdkafka's clients do, and may not do, is in the file and in the topic."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

from tests.judges.logins import ALICE, ALICE_PASSWORD, client_settings, node_settings
from tests.judges.moldau_node import MoldauNode

pytestmark = pytest.mark.judge

WRONG = "not the password"
WAIT_S = 60
TOPIC = "audit"


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    place = tmp_path_factory.mktemp("audited")
    settings = node_settings(
        authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super_users="User:admin;User:ANONYMOUS",
        moldau_audit_file=str(place / "audit.log"),
        moldau_audit_topic=TOPIC,
    )
    node = MoldauNode(place, settings=settings)
    node.start()
    yield node, place / "audit.log"
    node.kill()


def client(node, *login):
    return {"bootstrap.servers": node.bootstrap, **client_settings(*login)}


def act(node):
    """A change, a denied decision, and a login that fails."""
    admin = AdminClient(client(node))
    admin.create_topics([NewTopic("letters", 1, 1)])["letters"].result(WAIT_S)
    alice = AdminClient(client(node, "PLAIN", ALICE, ALICE_PASSWORD))
    with pytest.raises(KafkaException):
        alice.delete_topics(["letters"])["letters"].result(WAIT_S)
    errors: list[KafkaError] = []
    stranger = Producer({**client(node, "PLAIN", ALICE, WRONG), "error_cb": errors.append})
    while not errors:
        stranger.poll(1)


def read_topic(node, count):
    """Events of the topic until there are as many as in the file."""
    settings = {"group.id": "auditors", "auto.offset.reset": "earliest"}
    consumer = Consumer({**client(node), **settings})
    consumer.subscribe([TOPIC])
    lines: list[str] = []
    deadline = time.monotonic() + WAIT_S
    while len(lines) < count and time.monotonic() < deadline:
        message = consumer.poll(1)
        if message is not None and not message.error():
            lines.append((message.value() or b"").decode())
    consumer.close()
    return lines


def lines_of(path: Path, wanted: set[str]) -> list[str]:
    """Those of the file, once it has events of these kinds."""
    deadline = time.monotonic() + WAIT_S
    while True:
        lines = path.read_text().splitlines() if path.exists() else []
        if wanted <= {kind_of(json.loads(line)) for line in lines}:
            return lines
        assert time.monotonic() < deadline, lines
        time.sleep(0.05)


def kind_of(event):
    return (
        f"{event['type'].removeprefix('moldau.audit.')} {event['data'].get('result', '')}".strip()
    )


def test_logins_denials_and_changes_are_written_down(audited):
    node, path = audited
    act(node)
    lines = lines_of(path, {"change", "decision.denied", "login ok", "login failed"})
    events = [json.loads(line) for line in lines]
    made = [one["data"] for one in events if one["type"].endswith("change")]
    denied = [one["data"] for one in events if one["type"].endswith("denied")]
    failed = [one["data"] for one in events if one["data"].get("result") == "failed"]
    assert ("User:admin", ["topic letters"]) in [(one["principal"], one["changes"]) for one in made]
    assert [(one["principal"], one["api"]) for one in denied if one["operation"] == "DESCRIBE"] == [
        ("User:alice", "DeleteTopics")
    ]
    assert {one["mechanism"] for one in failed} == {"PLAIN"}
    assert WRONG not in "".join(lines)
    assert set(lines) <= set(read_topic(node, len(lines)))
