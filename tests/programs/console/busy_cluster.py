"""Three nodes under load, a registry, and a console beside them: what there is to see is there.

Records come all the time; one group keeps up, one falls behind, one has no members. There are a
user, a quota, two versions of a schema, and a transaction that is open.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from confluent_kafka import Consumer, Producer, TopicPartition

import moldau.testing
from moldau.client import Admin
from moldau.client.admin import NewTopic
from tests.programs.console.open_transaction import open_transaction
from tests.programs.console.running_console import RunningConsole

__all__ = ["COUNTED", "LONG_NAME", "TOPIC", "busy_console"]

TOPIC, COUNTED = "orders", "payments.card-present"
LONG_NAME = "analytics.customer-lifetime-value.recomputed.by-region-and-segment.v2"
PARTITIONS = 12
READY = "moldau: ready on "
SETTINGS = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
STREET = "Långa gatan 7, 11120 Stockholm"
PAUSE_S = 0.02
SCHEMA = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
LATER = {**SCHEMA, "fields": [*SCHEMA["fields"], {"name": "note", "type": "string", "default": ""}]}


class _Load:
    """In threads, until it is ended."""

    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._ends = Event()
        self._threads = [
            Thread(target=work) for work in (self._send, self._keep_up, self._fall_behind)
        ]

    @contextmanager
    def running(self) -> Iterator[None]:
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._ends.set()
            for thread in self._threads:
                thread.join()

    def _send(self) -> None:
        producer = Producer({"bootstrap.servers": self._bootstrap, "acks": "all", "linger.ms": 5})
        number = 0
        while not self._ends.wait(PAUSE_S):
            for _ in range(20):
                number += 1
                for topic in (TOPIC, COUNTED):
                    value = {"id": number, "amount": number * 7 % 1000, "to": {"street": STREET}}
                    self._produce(producer, topic, json.dumps(value), f"customer-{number % 97}")
            producer.poll(0)
        producer.flush(30)

    def _produce(self, producer: Producer, topic: str, value: str, key: str) -> None:
        """The queue may be full where the machine is busy."""
        while not self._ends.is_set():
            try:
                producer.produce(topic, value, key=key)
                return
            except BufferError:
                producer.poll(1)

    def _keep_up(self) -> None:
        self._read("billing", TOPIC, lambda: None)

    def _fall_behind(self) -> None:
        self._read("slow-reports", TOPIC, lambda: self._ends.wait(0.5))

    def _read(self, group: str, topic: str, pause: Callable[[], object]) -> None:
        reader = Consumer(
            {
                "bootstrap.servers": self._bootstrap,
                "group.id": group,
                "group.protocol": "consumer",
                "auto.offset.reset": "earliest",
                "auto.commit.interval.ms": 500,
            }
        )
        reader.subscribe([topic])
        while not self._ends.is_set():
            reader.poll(0.1)
            pause()
        reader.close()


@contextmanager
def busy_console(folder: Path) -> Iterator[RunningConsole]:
    with moldau.testing.Cluster(nodes=3, settings=SETTINGS) as cluster:
        _fill(cluster.bootstrap)
        with _Load(cluster.bootstrap).running(), _registry(cluster.bootstrap) as registry:
            ask = ("--bootstrap-server", cluster.bootstrap, "--listen", "127.0.0.1:0")
            more = ("--registry-url", f"http://{registry}")
            console = RunningConsole(folder, "console", *ask, *more)
            try:
                _change(console)
                yield console
            finally:
                console.stop()


def _fill(bootstrap: str) -> None:
    """What was there before."""
    topics = [
        NewTopic(name, partitions=PARTITIONS, replication_factor=3)
        for name in (TOPIC, COUNTED, LONG_NAME)
    ]
    with Admin(bootstrap) as admin:
        assert not admin.create_topics(topics).errors
    left = Consumer({"bootstrap.servers": bootstrap, "group.id": f"{LONG_NAME}.reader"})
    left.commit(offsets=[TopicPartition(TOPIC, 0, 0)], asynchronous=False)
    left.close()
    open_transaction(bootstrap, "transfer-17", COUNTED)


def _change(console: RunningConsole) -> None:
    console.run("set-user", user="ann", password="secret")
    console.run(
        "set-quota", entity={"client-id": "reports"}, values={"consumer_byte_rate": 1_000_000}
    )
    for schema in (SCHEMA, LATER):
        console.run("register-schema", subject=f"{TOPIC}-value", schema=json.dumps(schema))


@contextmanager
def _registry(bootstrap: str) -> Iterator[str]:
    command = ["registry", "--bootstrap-server", bootstrap, "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "moldau", *command], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().removeprefix(READY).strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
