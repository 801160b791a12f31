"""@kafkajs/confluent-schema-registry, unmodified: it registers here, and reads what ours writes."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import uuid
from pathlib import Path
from typing import Any

import pytest

from moldau.client.schemas import RegistryClient, SchemaDeserializer, SchemaSerializer
from moldau.schemas.model import SchemaText

pytestmark = pytest.mark.judge

SCENARIO = Path(__file__).parents[1] / "javascript" / "registry_scenarios.js"
SECONDS_MAX = 120
FRAME = 5
FIRST_MESSAGE = b"\0"
"""The index that this client does not write, and skips where it reads; all others have it."""
AVRO = {
    "type": "record", "name": "Order", "namespace": "shop",
    "fields": [
        {"name": "id", "type": "int"},
        {"name": "name", "type": ["null", "string"], "default": None},
        {"name": "tags", "type": {"type": "array", "items": "string"}},
    ],
}  # fmt: skip
JSON = {
    "$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "title": "Order",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id"],
}  # fmt: skip
PROTOBUF = 'syntax = "proto3"; package shop; message Order { int32 id = 1; string name = 2; }'
CASES = {
    "AVRO": (json.dumps(AVRO), {"id": 7, "name": "tea", "tags": ["a", "ü"]}),
    "JSON": (json.dumps(JSON), {"id": 7, "name": "tea"}),
    "PROTOBUF": (PROTOBUF, {"id": 7, "name": "tea"}),
}


def outcome_of(packages: Path, url: str, given: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        ["node", str(SCENARIO), url],
        env={**os.environ, "NODE_PATH": str(packages)},
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("kind", CASES)
def test_it_reads_what_ours_writes_and_ours_reads_what_it_writes(registry_packages, registry, kind):
    text, value = CASES[kind]
    topic = f"js-{uuid.uuid4().hex[:12]}"
    with RegistryClient(registry.url) as ours:
        theirs = SchemaSerializer(ours, SchemaText(text, kind))(topic, value)
        assert theirs is not None
        given = {
            "type": kind, "subject": f"{topic}-value", "schema": text, "value": value,
            "theirs": base64.b64encode(theirs).decode(),
        }  # fmt: skip
        found = outcome_of(registry_packages, registry.url, given)
        assert found["id"] == found["latest"] == found["first"] == found["looked"]
        assert found["decoded"] == found["own"] == value
        assert found["refused"] == 404
        encoded = base64.b64decode(found["encoded"])
        if kind == "PROTOBUF":
            encoded = encoded[:FRAME] + FIRST_MESSAGE + encoded[FRAME:]
        read = SchemaDeserializer(ours)(topic, encoded)
    assert encoded[:FRAME] == theirs[:FRAME]
    fields = {name: getattr(read, name) for name in value} if kind == "PROTOBUF" else read
    assert fields == value
