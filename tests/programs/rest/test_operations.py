"""The proxy's document is of what it serves, and what is asked by it is answered as it has it."""

from __future__ import annotations

import json
import uuid

import pytest

from moldau.programs.rest.operations import OPERATIONS

BODIES = {
    "topic_name": "never-made",
    "partitions_count": 1,
    "validate_only": True,
    "configs": [],
    "replicas_assignments": [],
    "data": [],
    "entries": [{"id": "a", "value": {"type": "STRING", "data": "x"}}],
    "records": [{"value": "eA=="}],
    "topics": [],
    "partitions": [],
    "offsets": [],
    "value": "1",
}
STREAMED = "text/event-stream"
OF_GROUPS = "/v3/clusters/{cluster_id}/consumer-groups/"


def test_the_document_names_every_route_and_is_what_openapi_demands(rest):
    found = rest.get("/openapi.json")
    described = {(name.upper(), path) for path, ways in found["paths"].items() for name in ways}
    assert described == set(OPERATIONS)
    judge = pytest.importorskip("openapi_spec_validator", reason="it is not installed")
    judge.validate(found)


def test_every_operation_is_answered_with_the_status_and_media_type_that_it_has(rest, group):
    made = rest.ask("POST", "/consumers/walked", {"name": uuid.uuid4().hex})[1]["instance_id"]
    topic = f"walked-{uuid.uuid4().hex}"  # that of the group is as its fixture made it
    rest.v3("POST", "topics", {"topic_name": topic, "partitions_count": 1})
    member = rest.v3("GET", f"consumer-groups/{group}/consumers")[1]["data"][0]["consumer_id"]
    names = {
        "cluster_id": "-",
        "consumer_group_id": group,
        "partition_id": "0",
        "broker_id": str(rest.v3("GET", "brokers")[1]["data"][0]["broker_id"]),
        "consumer_id": member,
        "group": "walked",
        "instance": made,
        "name": "retention.ms",
    }
    wrong = []
    for path, ways in rest.get("/openapi.json")["paths"].items():
        for method, operation in ways.items():
            if method == "delete" or STREAMED in str(operation["responses"]):
                continue
            of = group if path.startswith(OF_GROUPS) else topic
            complaint = asked(rest, method, path.format(**names, topic_name=of), operation)
            wrong += [complaint] if complaint else []
    assert wrong == []


def asked(rest, method, path, operation):
    """What the answer to one operation has that the document does not."""
    content = operation.get("requestBody", {}).get("content", {})
    media = next(iter(content), "application/json")
    fields = content[media]["schema"]["properties"] if content else {}
    body = {name: BODIES[name] for name in fields if name in BODIES}
    if path.endswith("/records") and "/v3/" in path:
        body["value"] = {"type": "STRING", "data": "x"}
    status, headers, data = rest.raw(method.upper(), path, body if content else None, media)
    answers = operation["responses"]
    known = answers.get(str(status), answers["default"] if 400 <= status < 500 else None)
    if known is None:
        return method, path, status, data
    is_json = bool(data) and json.loads(data.splitlines()[0]) is not None
    kind = headers.get("Content-Type")
    if (kind in known.get("content", {})) == bool(data) and (is_json or not data):
        return None
    return method, path, status, kind
