"""The parts of `bench.http` that ask nothing by HTTP: memory, start, and what validation costs.

Twenty thousand schemas of ten fields are written into the topic as a registry writes them, before
the registry starts that reads them. Validation is measured by the processor time of the node alone,
since producers on the same machine are slower than it; a round with it and one without take turns.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.versus.meter import cpu_s, memory_mb
from moldau.client import Admin, Producer
from moldau.client.admin import NewTopic
from moldau.client.schemas import RegistryClient, SchemaSerializer
from moldau.programs.registry.records import StoredSchema, schema_record
from moldau.schemas.model import SchemaText, guid_of

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SCHEMAS", "memory_of_schemas", "running", "start_costs", "validation_cost"]

READY: Final = "moldau: ready on "
SCHEMAS: Final = 20_000
FIELDS: Final = 10
STARTS: Final = 5
ROUNDS: Final = 3
RECORDS: Final = 200_000
VALIDATION: Final = "confluent.value.schema.validation"


@contextmanager
def running(*words: str) -> Iterator[tuple[int, str]]:
    """A program of ours: its process, and where it is."""
    command = [sys.executable, "-m", "moldau", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield process.pid, process.stdout.readline().removeprefix(READY).strip()
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def start_costs(folder: Path) -> tuple[list[float], list[float]]:
    """What a node takes longer to start with a registry, of pairs of starts: seconds, and those of
    the processor, which other programs on the machine disturb less.
    """
    pairs = [
        (_start(folder / f"with-{number}", "--registry", "0"), _start(folder / f"plain-{number}"))
        for number in range(STARTS)
    ]
    found = [tuple(with_it - plain for with_it, plain in zip(*pair, strict=True)) for pair in pairs]
    return [wall for wall, _ in found], [cpu for _, cpu in found]


def _start(data: Path, *flags: str) -> tuple[float, float]:
    begin = time.perf_counter()
    with running("start", "--port", "0", "--data", str(data), *flags) as (pid, place):
        assert place
        return time.perf_counter() - begin, cpu_s(pid)


def memory_of_schemas(place: str) -> float:
    """In MB: of a registry that has them, above one that has none."""
    given = ("--bootstrap-server", place, "--listen", "127.0.0.1:0", "--topic")
    with running("registry", *given, "_none") as (pid, _):
        empty = memory_mb(pid)
    topic = NewTopic("_many", partitions=1, configs={"cleanup.policy": "compact"})
    with Admin(place) as admin, Producer(place) as producer:
        admin.create_topics([topic])["_many"]
        for number in range(1, SCHEMAS + 1):
            key, value = schema_record(_stored(number)).encoded()
            producer.send("_many", value, key=key)
        producer.flush()
    with running("registry", *given, "_many") as (pid, address):
        with RegistryClient(f"http://{address}") as registry:
            assert len(registry.ask(lambda calls: calls.subjects())) == SCHEMAS
        return memory_mb(pid) - empty


def _stored(number: int) -> StoredSchema:
    fields = [{"name": f"field_{index}", "type": "string"} for index in range(FIELDS)]
    record = {"type": "record", "name": f"Order{number}", "namespace": "shop", "fields": fields}
    schema = SchemaText(json.dumps(record, separators=(",", ":")))
    return StoredSchema(f"orders-{number}-value", 1, number, guid_of(schema), schema)


def validation_cost(node: int, place: str, address: str) -> list[float]:
    """Of each round: microseconds of the node for a record, with validation less without it."""
    url = f"http://{address}"
    with RegistryClient(url) as registry, Admin(place) as admin:
        schema = json.dumps(
            {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}
        )
        for topic, wanted in (("plain", "false"), ("validated", "true")):
            configs = {VALIDATION: wanted}
            admin.create_topics([NewTopic(topic, partitions=1, configs=configs)])[topic]
        value = SchemaSerializer(registry, SchemaText(schema))("validated", {"a": 1})
        assert value is not None
    found: list[float] = []
    for _ in range(ROUNDS):
        plain, validated = (
            _produced_us(node, place, topic, value) for topic in ("plain", "validated")
        )
        found.append(validated - plain)
    return found


def _produced_us(node: int, place: str, topic: str, value: bytes) -> float:
    with Producer(place, linger_ms=5) as producer:
        producer.send(topic, value).result()  # it knows the topic, and the node the schema
        begin = cpu_s(node)
        for _ in range(RECORDS):
            producer.send(topic, value)
        producer.flush()
        return (cpu_s(node) - begin) / RECORDS * 1e6
