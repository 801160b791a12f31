"""Confluent's client for Java, as Apache Flink brings it along, takes ours for Confluent's."""

from __future__ import annotations

import json
import subprocess
import uuid

import pytest

from moldau.client.schemas import RegistryClient, SchemaDeserializer, SchemaSerializer
from moldau.schemas.model import SchemaText
from tests.judges.java_programs import HEAP, compiled

pytestmark = pytest.mark.judge

SECONDS_MAX = 120
FIELD = {"name": "id", "type": "int"}
NAME = {"name": "name", "type": "string"}
MORE = {"name": "more", "type": "int"}
VALUE = {"id": 7, "name": "tea"}


def record(*fields):
    return json.dumps({"type": "record", "name": "Order", "namespace": "shop", "fields": fields})


def test_it_reads_and_writes_as_ours_does_and_manages_subjects(flink_registry, registry):
    topic = f"java-{uuid.uuid4().hex[:12]}"
    wider, other = record(FIELD, NAME, {**MORE, "default": 0}), record(FIELD, NAME, MORE)
    with RegistryClient(registry.url) as ours:
        theirs = SchemaSerializer(ours, SchemaText(record(FIELD, NAME)))(topic, VALUE)
        assert theirs is not None
        reads = SchemaDeserializer(ours)
        assert reads(topic, theirs) == VALUE  # its schema is known from here on
        command = ["java", f"-Xmx{HEAP}", "-cp", f"{flink_registry}/*"]
        given = [registry.url, f"{topic}-value", theirs.hex(), wider, other]
        done = subprocess.run(
            [*compiled(command, "UseRegistry"), *given],
            capture_output=True, text=True, timeout=SECONDS_MAX,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        read = reads(topic, bytes.fromhex(lines[1].removeprefix("written ")))
    number = int.from_bytes(theirs[1:5], "big")
    assert json.loads(lines[0].removeprefix("read ")) == read == VALUE
    assert lines[1] == f"written {theirs.hex()}"
    assert lines[2:] == [
        f"id {number}", "fits true", "clashes false", "reasons true", "refused 409",
        "versions [1, 2]", "latest 2", f"subjects [{topic}-value]", "level FULL", "level FULL",
        "mode READWRITE", "deleted [1, 2]", "gone [1, 2]", "code 40401",
    ]  # fmt: skip
