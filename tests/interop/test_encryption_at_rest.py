"""Topics with `encryption.at.rest`, used through librdkafka: nothing is in the clear on the disk.

A node is stopped, started without its keys and with them again; clients never see that anything is
encrypted, but for the time without keys, when they get an error and lose nothing.
"""

from __future__ import annotations

from base64 import b64encode
from contextlib import closing

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, ResourceType

from moldau.testing import Node

TOPIC = "orders"
SECRET = "4111-1111-1111-1111"
SMALL, LARGE = f"{SECRET} small", f"{SECRET} large " + "x" * 40_000
TIMEOUT_S = 60
KEY_FILE = "moldau.encryption.at.rest.key.file"


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    path = tmp_path_factory.mktemp("keys") / "keys"
    path.write_text(f"# for tests\norders.1 = {b64encode(bytes(range(32))).decode()}\n")
    return path


def produce(bootstrap: str, values: list[str], **settings: object) -> None:
    producer = Producer({"bootstrap.servers": bootstrap, "linger.ms": 0, **settings})
    if "transactional.id" in settings:
        producer.init_transactions(TIMEOUT_S)
        producer.begin_transaction()
    for number, value in enumerate(values):
        producer.produce(TOPIC, value, SECRET, partition=0, timestamp=1_000_000 + number)
        producer.flush(TIMEOUT_S)
    if "transactional.id" in settings:
        producer.commit_transaction(TIMEOUT_S)


def consumer(bootstrap: str, offset: int = 0) -> Consumer:
    made = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "g",
            "isolation.level": "read_committed",
            "fetch.wait.max.ms": 20,
        }
    )
    made.assign([TopicPartition(TOPIC, 0, offset)])
    return made


def consume(bootstrap: str, count: int) -> list[str]:
    with closing(consumer(bootstrap)) as reading:
        found = [one for _ in range(count) if (one := reading.poll(TIMEOUT_S)) is not None]
    assert [one.error() for one in found] == [None] * count
    return [(one.value() or b"").decode() for one in found]


def described(bootstrap: str) -> dict[str, str]:
    resource = ConfigResource(ResourceType.TOPIC, TOPIC)
    admin = AdminClient({"bootstrap.servers": bootstrap})
    [future] = admin.describe_configs([resource]).values()
    return {name: entry.value for name, entry in future.result(TIMEOUT_S).items()}


def files_below(folder) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_what_clients_write_and_read_is_nowhere_on_the_disk(tmp_path, keys):
    data = tmp_path / "data"
    values = [SMALL, LARGE]
    with Node(data, settings={KEY_FILE: str(keys)}) as node:
        admin = AdminClient({"bootstrap.servers": node.bootstrap})
        wanted = NewTopic(TOPIC, 1, 1, config={"encryption.at.rest": "orders"})
        admin.create_topics([wanted])[TOPIC].result(TIMEOUT_S)
        assert described(node.bootstrap)["encryption.at.rest"] == "orders"
        produce(node.bootstrap, values)
        produce(node.bootstrap, values, **{"compression.type": "lz4", "transactional.id": "t"})
        assert consume(node.bootstrap, 4) == values * 2
        with closing(consumer(node.bootstrap)) as reading:
            [found] = reading.offsets_for_times([TopicPartition(TOPIC, 0, 1_000_001)], TIMEOUT_S)
        assert found.offset == 1
    assert SECRET.encode() not in files_below(data)
    with Node(data) as without:
        with closing(consumer(without.bootstrap)) as reading:
            assert reading.poll(0.3) is None  # librdkafka tries again: the error is of the disk
        assert _error_of_produce(without.bootstrap) == KafkaError._MSG_TIMED_OUT
    with Node(data, settings={KEY_FILE: str(keys)}) as node:
        produce(node.bootstrap, [SMALL])
        assert consume(node.bootstrap, 5) == [*values * 2, SMALL]


def _error_of_produce(bootstrap: str) -> int:
    producer = Producer({"bootstrap.servers": bootstrap, "message.timeout.ms": 500})
    errors: list[KafkaError | None] = []
    producer.produce(TOPIC, SMALL, partition=0, on_delivery=lambda error, _: errors.append(error))
    producer.flush(TIMEOUT_S)
    assert errors[0] is not None
    return errors[0].code()


def test_own_topics_of_brokers_and_impossible_names_are_refused(tmp_path):
    with Node(tmp_path) as node:
        admin = AdminClient({"bootstrap.servers": node.bootstrap})
        wanted = NewTopic(TOPIC, 1, 1, config={"encryption.at.rest": "no name"})
        with pytest.raises(KafkaException, match="names no key"):
            admin.create_topics([wanted])[TOPIC].result(TIMEOUT_S)
