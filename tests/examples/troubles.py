"""Every trouble that docs/troubleshooting.md has by its message, provoked.

Each function makes one kind and returns what a user would see: the output of a command, errors of a
client, or the log of a node.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

import moldau.testing
from moldau.client import connect
from moldau.errors import MoldauError
from tests.interop.running_node import READY
from tests.judges.kafka_node import free_ports

TIMEOUT_S = 30
UNSERVED = "127.0.0.1:9"
"""The port of the discard service, which nothing serves today."""
FILE = {
    "node.id": "1",
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
}


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[str, Path, subprocess.Popen[str]]]:
    """A node that runs, its address, its log and its process."""
    log = folder / "node.log"
    with log.open("w") as errors:
        node = subprocess.Popen(
            [sys.executable, "-m", "moldau", "start", *arguments],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert node.stdout is not None
    ready = node.stdout.readline()
    try:
        assert ready.startswith(READY), log.read_text()
        yield ready.removeprefix(READY).strip(), log, node
    finally:
        node.terminate()
        node.wait(TIMEOUT_S)
        node.stdout.close()


def refused(folder: Path, *arguments: str) -> str:
    """What `moldau start` says when it does not start."""
    command = [sys.executable, "-m", "moldau", "start", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode, done.stdout
    return done.stderr


def written(folder: Path, **more: str) -> str:
    """A file of settings, formatted neither."""
    broker, controller = free_ports(2)
    given = FILE | {
        "listeners": f"PLAINTEXT://127.0.0.1:{broker},CONTROLLER://127.0.0.1:{controller}",
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "log.dirs": "data",
    }
    given |= {name.replace("_", "."): value for name, value in more.items()}
    (folder / "server.properties").write_text("".join(f"{k}={v}\n" for k, v in given.items()))
    return "server.properties"


# A node does not start.


def wrong_settings(folder: Path) -> str:
    address = "SSL://127.0.0.1:19999,CONTROLLER://127.0.0.1:19998"
    tls = {"listeners": address, "inter_broker_listener_name": "SSL"}
    return "".join(
        [
            refused(folder, "--set", "num.partitions=many"),
            refused(folder, "--config", "nosuch.properties"),
            refused(folder, "--config", written(folder)),
            refused(folder, "--config", written(folder, **tls)),
            refused(folder, "--port", "99999"),
            refused(folder, "--listen", "192.0.2.1:19999"),
            refused(folder, "--listen", "0.0.0.0:19999", "--advertise", "0.0.0.0:19999"),
        ]
    )


def taken_places(folder: Path) -> str:
    with started(folder, "--port", "0", "--data", "data") as (address, _, _):
        port = address.rpartition(":")[2]
        return refused(folder, "--port", port, "--data", "other") + refused(
            folder, "--port", "0", "--data", "data"
        )


def a_wrong_name(folder: Path) -> str:
    with started(folder, "--port", "0", "--set", "num.partition=3") as (_, log, _):
        return log.read_text()


# Clients that do not connect.


def errors_of(settings: Mapping[str, object], seconds: float = 3) -> str:
    """The errors that a producer of librdkafka reports while it tries to connect."""
    errors: list[str] = []
    producer = Producer({**settings, "error_cb": lambda error: errors.append(str(error))})
    with suppress(KafkaException):
        producer.list_topics(timeout=seconds)
    producer.poll(0.1)
    producer.produce("orders", b"x")
    producer.flush(seconds)
    producer.purge()
    return "\n".join(errors)


def no_broker_there(_: Path) -> str:
    try:
        with connect(UNSERVED, default_api_timeout_ms=1000) as connection:
            connection.topics()
    except MoldauError as error:
        return f"{error}\n{errors_of({'bootstrap.servers': UNSERVED}, 1)}"
    raise AssertionError("a broker answered")


def another_protocol(folder: Path) -> str:
    with started(folder, "--port", "0") as (address, log, _):
        place: dict[str, object] = {"bootstrap.servers": address}
        login = {"sasl.mechanism": "PLAIN", "sasl.username": "u", "sasl.password": "p"}
        tls = errors_of(place | {"security.protocol": "SSL"})
        sasl = errors_of(place | {"security.protocol": "SASL_PLAINTEXT"} | login)
        return tls + sasl + log.read_text()


def a_request_of_http(folder: Path) -> str:
    with started(folder, "--port", "0") as (address, log, _):
        with suppress(OSError):
            urllib.request.urlopen(f"http://{address}/", timeout=5)
        return log.read_text()


def an_unknown_name(folder: Path) -> str:
    port = free_ports(1)[0]
    arguments = ("--port", str(port), "--advertise", f"nosuch.invalid:{port}")
    with started(folder, *arguments) as (address, _, _):
        return errors_of({"bootstrap.servers": address})


# Clients that are refused.


def report(call: Callable[[], object]) -> str:
    try:
        return str(call())
    except (KafkaException, MoldauError) as error:
        return f"{error}\n"


def refusals_of_topics(_: Path) -> str:
    with moldau.testing.Node() as node:
        admin = AdminClient({"bootstrap.servers": node.bootstrap})
        wanted = [("orders", 1), ("orders", 1), ("three", 3), ("a b", 1)]
        return "".join(report(partial(create, admin, name, copies)) for name, copies in wanted)


def create(admin: AdminClient, topic: str, copies: int = 1) -> None:
    admin.create_topics([NewTopic(topic, 1, copies)])[topic].result(TIMEOUT_S)


def refusals_of_producers(_: Path) -> str:
    with moldau.testing.Node(settings={"auto.create.topics.enable": False}) as node:
        admin = AdminClient({"bootstrap.servers": node.bootstrap})
        create(admin, "orders")
        large = delivered(node.bootstrap, "orders", bytes(3_000_000))
        return large + delivered(node.bootstrap, "nosuch", b"x") + fenced(node.bootstrap)


def delivered(bootstrap: str, topic: str, value: bytes) -> str:
    errors: list[str] = []
    producer = Producer(
        {
            "bootstrap.servers": bootstrap,
            "message.max.bytes": 5_000_000,
            "message.timeout.ms": 3000,
        }
    )
    producer.produce(topic, value, on_delivery=lambda error, _: errors.append(str(error)))
    producer.flush(TIMEOUT_S)
    return "\n".join(errors)


def fenced(bootstrap: str) -> str:
    settings = {"bootstrap.servers": bootstrap, "transactional.id": "payments"}
    first = Producer(settings)
    first.init_transactions(TIMEOUT_S)
    first.begin_transaction()
    first.produce("orders", b"x")
    first.flush(TIMEOUT_S)
    second = Producer(settings)
    second.init_transactions(TIMEOUT_S)
    first.produce("orders", b"x")
    refusal = report(lambda: first.commit_transaction(TIMEOUT_S))
    first.purge()
    return refusal


# Consumers that read nothing.


def errors_of_consumers(_: Path) -> str:
    with moldau.testing.Node() as node:
        delivered(node.bootstrap, "orders", b"x")
        settings = {"bootstrap.servers": node.bootstrap, "auto.offset.reset": "error"}
        beyond = Consumer({**settings, "group.id": "beyond"})
        beyond.assign([TopicPartition("orders", 0, 500)])
        blind = Consumer({**settings, "group.id": "blind"})
        blind.subscribe(["nosuch"])
        return "\n".join(first_error(consumer) for consumer in (beyond, blind))


def first_error(consumer: Consumer) -> str:
    message = consumer.poll(TIMEOUT_S)
    consumer.close()
    assert message is not None
    return str(message.error())


def three_copies_of_internal_topics(folder: Path) -> str:
    properties = written(folder)
    subprocess.run(
        [
            *(sys.executable, "-m", "moldau", "format", "--config", properties),
            *("--cluster-id", "3l1RND34SISdWRSkhpOSuA"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    with started(folder, "--config", properties) as (address, log, _):
        consumer = Consumer({"bootstrap.servers": address, "group.id": "readers"})
        consumer.subscribe(["orders"])
        assert consumer.poll(3) is None
        consumer.close()
        return log.read_text()


# In programs.


def mistakes_in_programs(_: Path) -> str:
    def unknown_topic() -> object:
        with moldau.testing.Node() as node, connect(node.bootstrap) as connection:
            return connection.read_table("nosuch")

    def wrong_name() -> object:
        with moldau.testing.Node(settings={"num.partition": 3}) as node:
            return node

    too_early = report(lambda: moldau.testing.Node().bootstrap)
    return too_early + report(wrong_name) + report(unknown_topic)


# Damaged files.


def a_flipped_bit(folder: Path) -> str:
    with started(folder, "--port", "0", "--data", "data") as (address, _, node):
        for _ in range(20):
            delivered(address, "orders", bytes(100))
        node.kill()
        node.wait()
    segment = folder / "data/orders-0/00000000000000000000.log"
    flipped = bytearray(segment.read_bytes())
    flipped[len(flipped) // 2] ^= 1
    segment.write_bytes(flipped)
    refusal = refused(folder, "--port", "0", "--data", "data", "--refuse-loss")
    with started(folder, "--port", "0", "--data", "data") as (_, log, _):
        return refusal + log.read_text()


def contradictory_files(folder: Path) -> str:
    node = ("--port", "0", "--data", "data")
    with started(folder, *node) as (address, _, _):
        for topic in ("orders", "payments", "stock"):
            delivered(address, topic, b"x")
    data = folder / "data"
    (data / "orders-0/partition.metadata").write_text("nonsense")
    identity = data / "payments-0/partition.metadata"
    identity.write_text("version: 0\ntopic_id: 2d3Jf8JzTQ-vKk3CJyDf5A")
    segment = data / "stock-0/00000000000000000000.log"
    segment.unlink()
    segment.mkdir()
    with started(folder, *node) as (_, log, _):
        deadline = time.monotonic() + TIMEOUT_S
        while log.read_text().count("-0 is offline") < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        found = log.read_text()
    owner = data / "meta.properties"
    owner.write_text(re.sub("directory.id=.*", f"directory.id={'A' * 21}Q", owner.read_text()))
    return found + refused(folder, *node)


TROUBLES: tuple[Callable[[Path], str], ...] = (
    wrong_settings,
    taken_places,
    a_wrong_name,
    no_broker_there,
    another_protocol,
    a_request_of_http,
    an_unknown_name,
    refusals_of_topics,
    refusals_of_producers,
    errors_of_consumers,
    three_copies_of_internal_topics,
    mistakes_in_programs,
    a_flipped_bit,
    contradictory_files,
)
