"""`moldau e2e-latency`: how long records take from a producer to a consumer, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moldau import client as clients
from moldau.client import ConsumerRecord, TopicPartition
from moldau.client.admin import NewTopic
from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.clusters import BOOTSTRAP, COMMAND_CONFIG, admin_of, settings_file
from moldau.programs.tools.kafka.flags import Flag, Given, Takes, WrongUsageError
from moldau.programs.tools.kafka.perf_figures import percentiles
from moldau.programs.tools.kafka.producer_perf_test import random_letters

if TYPE_CHECKING:
    from moldau.client import Consumer, Producer

__all__ = ["FLAGS", "run"]

NS_PER_MS = 1_000_000
EVERY = 1000
POLL_S = 60.0
SHARES = (0.5, 0.99, 0.999)
NUMBERS = (
    ("num-records", 1, "positive"),
    ("record-size", 0, "non-negative"),
    ("record-key-size", 0, "non-negative"),
    ("num-headers", 0, "non-negative"),
)
"""The least that each may be, and how Kafka calls what it is then."""
PLACES = ("bootstrap-server", "topic", "num-records", "producer-acks", "record-size")
USAGE = (
    "Usage: bootstrap-server topic num-records producer-acks record-size [optional] command-config"
)

FLAGS = (
    BOOTSTRAP,
    Flag("topic", "The topic. Required.", Takes.TEXT, "TOPIC"),
    Flag("num-records", "How many records to send. Required.", Takes.INT),
    Flag("producer-acks", "1 or all. Required.", Takes.TEXT, "ACKS"),
    Flag("record-size", "Bytes of each value. Required.", Takes.INT),
    COMMAND_CONFIG,
    Flag("record-key-size", "Bytes of each key; none without.", Takes.INT, default="0"),
    Flag("num-headers", "How many headers a record has.", Takes.INT, default="0"),
    Flag("record-header-key-size", "Bytes of a header's name.", Takes.INT, default="0"),
    Flag("record-header-size", "Bytes of a header; -1 for null.", Takes.INT, default="0"),
)


def run(given: Given, world: World) -> int:
    if given.others:
        _take_places(given, world)
    given.need(*PLACES)
    if given.text("producer-acks") not in ("1", "all"):
        raise WrongUsageError(
            "Invalid value for --producer-acks. Latency testing requires synchronous "
            "acknowledgement. Please use '1' or 'all'."
        )
    _check_numbers(given)
    parts = _partitions(given, world)
    named = settings_file(world.files, given.text(COMMAND_CONFIG.name))
    named["bootstrap.servers"] = given.text("bootstrap-server")
    reads = {
        "group.id": f"test-group-{world.clock.now_ms()}",
        "enable.auto.commit": "false",
        "auto.offset.reset": "latest",
        "fetch.max.wait.ms": "0",
    }
    sends = {"linger.ms": "0", "max.block.ms": str(2**63 - 1), "acks": given.text("producer-acks")}
    with clients.Consumer(named | reads) as consumer, clients.Producer(named | sends) as producer:
        consumer.assign(parts)
        consumer.seek_to_end(parts)
        for part in parts:
            consumer.position(part)
        _measure(given, world, consumer, producer)
    return 0


def _check_numbers(given: Given) -> None:
    for name, least, kind in NUMBERS:
        number = given.number(name)
        if number is not None and number < least:
            raise WrongUsageError(f"Value for --{name} must be a {kind} integer.")


def _take_places(given: Given, world: World) -> None:
    """The old spelling, in which flags are known by their places."""
    found = given.others
    if len(found) not in (5, 6):
        raise WrongUsageError(
            "Invalid number of arguments. Expected 5 or 6 positional arguments, but got "
            f"{len(found)}. {USAGE}"
        )
    names = [*PLACES, COMMAND_CONFIG.name]
    print(
        "WARNING: Positional argument usage is deprecated and will be removed in Apache Kafka 5.0. "
        f"Please use named arguments instead: {', '.join(f'--{name}' for name in names)}",
        file=world.out,
    )
    for name, value in zip(names, found, strict=False):
        given.add(name, value)


def _partitions(given: Given, world: World) -> list[TopicPartition]:
    topic = given.text("topic") or ""
    with admin_of(given, world) as admin:
        if topic not in admin.list_topics():
            print(
                f'Topic "{topic}" does not exist. Will create topic with 1 partition(s) and '
                "replication factor = 1",
                file=world.out,
            )
            admin.create_topics([NewTopic(topic, partitions=1, replication_factor=1)]).all()
    with clients.Producer({"bootstrap.servers": given.text("bootstrap-server")}) as producer:
        return [TopicPartition(topic, number) for number in producer.partitions(topic)]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a record is sent with."""

    value: bytes
    key: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]


def _drawn(given: Given, world: World) -> _Parts:
    def letters(name: str) -> bytes:
        return random_letters(world.random, max(0, given.number(name) or 0))

    size = given.number("record-header-size") or 0
    headers = tuple(
        (
            letters("record-header-key-size").decode(),
            None if size < 0 else letters("record-header-size"),
        )
        for _ in range(given.number("num-headers") or 0)
    )
    return _Parts(letters("record-size"), letters("record-key-size") or None, headers)


def _measure(given: Given, world: World, consumer: Consumer, producer: Producer) -> None:
    topic, taken_ns = given.text("topic") or "", []
    for number in range(given.number("num-records") or 0):
        parts = _drawn(given, world)
        begun_ns = world.clock.monotonic_ns()
        producer.send(topic, parts.value, key=parts.key, headers=parts.headers).result()
        records = consumer.poll(POLL_S)
        taken_ns.append(world.clock.monotonic_ns() - begun_ns)
        _check(parts, records)
        if number % EVERY == 0:
            print(f"{number}\t{sum(taken_ns) / NS_PER_MS}", file=world.out)
    mean_ms = sum(taken_ns) / max(1, len(taken_ns)) / NS_PER_MS
    print(f"Avg latency: {mean_ms:.4f} ms", file=world.out)
    latencies = sorted(one // NS_PER_MS for one in taken_ns)
    half, most, last = percentiles(latencies, SHARES)
    print(f"Percentiles: 50th = {half}, 99th = {most}, 99.9th = {last}", file=world.out)


def _check(parts: _Parts, records: Sequence[ConsumerRecord]) -> None:
    """That this is the record that was sent, and the only one."""
    if not records:
        raise MoldauError("poll() timed out before finding a result (timeout:[60000ms])")
    if len(records) > 1:
        raise MoldauError(
            f"Only one result was expected during this test. We found [{len(records)}]"
        )
    found = _Parts(
        bytes(records[0].value or b""),
        None if records[0].key is None else bytes(records[0].key),
        tuple(
            (name, None if value is None else bytes(value)) for name, value in records[0].headers
        ),
    )
    if found.value != parts.value:
        raise MoldauError(
            f"The message value read [{found.value!r}] did not match the message value sent "
            f"[{parts.value!r}]"
        )
    if found != parts:
        raise MoldauError("The key or the headers that were read are not those that were sent")
