"""A proxy before a node of ours, the same for all tests of this folder: use topics of your own."""

from __future__ import annotations

import uuid
from base64 import b64encode

import pytest
from confluent_kafka import Consumer, TopicPartition

from tests.interop.running_node import running_node
from tests.judges.logins import ADMIN, ADMIN_PASSWORD, node_settings
from tests.programs.rest.running_rest import RunningRest

AUTHORIZED = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super_users": f"User:ANONYMOUS;User:{ADMIN}",
}


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    """Where the node listens."""
    with running_node(tmp_path_factory.mktemp("node")) as bootstrap:
        yield bootstrap


@pytest.fixture(scope="session")
def rest(place, tmp_path_factory):
    running = RunningRest(tmp_path_factory.mktemp("rest"), place)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def guarded(tmp_path_factory):
    """A proxy whose users log in, before a node with access rules; asked as a super user."""
    folder = tmp_path_factory.mktemp("guarded")
    file = folder / "client.properties"
    file.write_text("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n")
    with running_node(folder, **node_settings(**AUTHORIZED)) as bootstrap:
        flags = ("--command-config", str(file), "--logins")
        login = b64encode(f"{ADMIN}:{ADMIN_PASSWORD}".encode()).decode()
        running = RunningRest(folder, bootstrap, *flags, authorization=f"Basic {login}")
        yield running
        running.stop()


@pytest.fixture
def topic():
    return f"topic-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def made(rest, topic):
    """A topic of two partitions."""
    status, body = rest.v3("POST", "topics", {"topic_name": topic, "partitions_count": 2})
    assert (status, body["partitions_count"], body["replication_factor"]) == (201, 2, 1)
    return topic


@pytest.fixture(scope="session")
def group(rest, place):
    """A topic and a group of the same name: two of five records are committed."""
    name = f"group-{uuid.uuid4().hex[:12]}"
    rest.v3("POST", "topics", {"topic_name": name, "partitions_count": 2})
    rest.reports(name, b'{"partition_id":0,"value":{"type":"STRING","data":"x"}}' * 5)
    settings = {
        "bootstrap.servers": place,
        "group.id": name,
        "auto.offset.reset": "earliest",
        "max.poll.interval.ms": 3_600_000,  # it polls once, and is a member for the whole session
    }
    consumer = Consumer(settings)
    consumer.subscribe([name])
    assert consumer.poll(60) is not None
    consumer.commit(offsets=[TopicPartition(name, 0, 2)], asynchronous=False)
    yield name
    consumer.close()
