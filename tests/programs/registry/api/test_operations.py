"""The registry's document is of what it serves, and schemathesis finds no answer that is not."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moldau.programs.registry.api.operations import OPERATIONS
from moldau.programs.registry.api.table import registry_routes
from tests.interop.registry.running_registry import RunningRegistry
from tests.programs.http.documented import ensure_documented, operations_of, requests

SECONDS_MAX = 240
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,"
CHECKS += "response_schema_conformance"


def test_every_path_is_in_the_document_and_no_other(ask):
    routes = registry_routes(ask.scope, ask.keys, "cluster", "group")
    served = {(one.method, one.pattern) for one in routes if "{context}/" not in one.pattern}
    assert served - {("GET", "/openapi.json")} == OPERATIONS.keys()
    status, body = ask("GET", "/openapi.json")
    described = {(name.upper(), path) for path, ways in body["paths"].items() for name in ways}
    assert (status, described) == (200, set(OPERATIONS))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_is_drawn_from_the_document_is_answered_or_refused_as_it_says(ask, data):
    operations = operations_of(ask("GET", "/openapi.json")[1])
    request = data.draw(requests(operations, {"subject": "s", "version": "1", "id": "1"}))
    method, _, target, _, body = request
    status, answer = ask(method, target, body)
    ensure_documented(request, status, json.dumps(answer))


@pytest.mark.long
@pytest.mark.timeout(300)
def test_what_schemathesis_draws_is_answered_as_the_document_has_it(place, tmp_path):
    program = shutil.which("schemathesis")
    if program is None:
        pytest.skip("schemathesis is not installed: pip install schemathesis")
    registry = RunningRegistry(tmp_path, place, "--topic", "drawn")
    command = [program, "run", f"{registry.url}/openapi.json", "--checks", CHECKS]
    found = subprocess.run(
        [*command, "--max-examples", "20", "--seed", "1", "--phases", "examples,fuzzing"],
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        cwd=tmp_path,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-8000:]
    registry.stop()
