"""`moldau start --registry --rest`: schemas, and records by them, served by the node's process."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys

import pytest

from tests.interop.registry.running_registry import READY, START_SECONDS_MAX

FEW_PARTITIONS = "transaction.state.log.num.partitions=1"


def ask(place, method, path, body=None):
    host, _, port = place.rpartition(":")
    link = http.client.HTTPConnection(host, int(port), timeout=START_SECONDS_MAX)
    link.request(method, path, body, {"Content-Type": "application/json"})
    answer = link.getresponse()
    found = answer.status, json.loads(answer.read())
    link.close()
    return found


def served(folder, *calls):
    """The answers of a node that is started for them, and stopped in order."""
    command = [sys.executable, "-m", "moldau", "start", "--port", "0"]
    log_path = folder / "node.log"
    with log_path.open("w") as log:
        process = subprocess.Popen(
            [
                *command,
                *("--registry", "0", "--rest", "0"),
                "--data",
                f"{folder}/data",
                "--set",
                FEW_PARTITIONS,
            ],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith(READY), log_path.read_text()
        log_text = log_path.read_text()
        places = dict(re.findall(r"(Schemas|Topics) are at http://(\S+)", log_text))
        assert places.keys() == {"Schemas", "Topics"}, log_text
        found = [ask(places[program], *call) for program, *call in calls]
    finally:
        process.terminate()
        code = process.wait(START_SECONDS_MAX)
        process.stdout.close()
    text = log_path.read_text()
    assert (code, "A bug met" in text, "Traceback" in text) == (0, False, False), text
    return found


@pytest.mark.long
def test_a_node_serves_schemas(tmp_path):
    register = ("Schemas", "POST", "/subjects/s/versions", json.dumps({"schema": '"int"'}))
    asked = (
        ("Schemas", "GET", "/subjects/s/versions/1"),
        ("Schemas", "GET", "/subjects/t/versions"),
    )
    create = ("Topics", "POST", "/v3/clusters/-/topics", json.dumps({"topic_name": "s"}))
    record = json.dumps({"value": {"schema_id": 1, "data": 7}})
    produce = ("Topics", "POST", "/v3/clusters/-/topics/s/records", record)
    (status, first), (_, second), (_, third), _, (_, report) = served(
        tmp_path, register, *asked, create, produce
    )
    assert report["value"] == {"type": "AVRO", "schema_id": 1, "size": 6}
    assert (status, first["id"]) == (200, 1)
    assert (second["schema"], third["error_code"]) == ('"int"', 40401)
