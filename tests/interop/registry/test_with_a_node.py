"""`moldau start --registry --rest`: schemas, and records by them, served by the node's process."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys

import pytest

from moldau.programs.registry.logins import Login, authorization_of
from tests.interop.registry.running_registry import READY, START_SECONDS_MAX
from tests.judges.logins import (
    ADMIN,
    ADMIN_PASSWORD,
    ALICE,
    ALICE_PASSWORD,
    java_settings,
    node_settings,
)

FEW_PARTITIONS = "transaction.state.log.num.partitions=1"


def ask(place, method, path, body=None, login=None):
    host, _, port = place.rpartition(":")
    link = http.client.HTTPConnection(host, int(port), timeout=START_SECONDS_MAX)
    shown = {} if login is None else {"Authorization": authorization_of(Login(*login))}
    link.request(method, path, body, {"Content-Type": "application/json", **shown})
    answer = link.getresponse()
    found = answer.status, json.loads(answer.read() or "{}")
    link.close()
    return found


def served(folder, *calls, flags=(), settings=()):
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
                *flags,
                *(word for name, value in settings for word in ("--set", f"{name}={value}")),
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


AUTHORIZED = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super_users": f"User:ANONYMOUS;User:{ADMIN}",
}
ADMINS, ALICES = (ADMIN, ADMIN_PASSWORD), (ALICE, ALICE_PASSWORD)


@pytest.mark.long
def test_with_logins_the_users_of_the_cluster_may_do_what_its_access_rules_allow(tmp_path):
    file = tmp_path / "client.properties"
    lines = [f"{name}={value}" for name, value in java_settings().items()]
    file.write_text("\n".join(lines))
    schema = json.dumps({"schema": '"int"'})
    register = ("Schemas", "POST", "/subjects/s-value/versions", schema)
    rule = {"resource_type": "TOPIC", "resource_name": "s", "pattern_type": "LITERAL"}
    rule |= {"principal": f"User:{ALICE}", "host": "*", "operation": "WRITE", "permission": "ALLOW"}
    topics = ("Topics", "POST", "/v3/clusters/-/topics")
    record = json.dumps({"value": {"subject": "s-value", "schema_version": 1, "data": 7}})
    produce = ("Topics", "POST", "/v3/clusters/-/topics/s/records", record)
    answers = served(
        tmp_path,
        (*topics, json.dumps({"topic_name": "s"}), ADMINS),
        (*register, ALICES),
        (*register, (ALICE, "wrong")),
        (*register, None),
        (*topics[:2], "/v3/clusters/-/acls", json.dumps(rule), ADMINS),
        (*register, ADMINS),
        (*produce, ALICES),
        ("Schemas", "GET", "/subjects", None, ALICES),
        flags=("--logins", "--client-config", str(file)),
        settings=node_settings(**AUTHORIZED).items(),
    )
    codes = [body.get("error_code", status) for status, body in answers]
    assert codes == [201, 40301, 40101, 40101, 201, 200, 200, 40301]
    assert answers[6][1]["value"]["schema_id"] == answers[5][1]["id"]
