"""What schemathesis draws from the proxy's document is answered as that document has it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.judges.moldau_node import MoldauNode
from tests.programs.rest.running_rest import RunningRest

pytestmark = [pytest.mark.long, pytest.mark.timeout(500)]
SECONDS_MAX = 450
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance"
STREAMS = "/(events|socket|records)$"
"""They end when the client does."""


def test_what_schemathesis_draws_is_answered_as_the_document_has_it(tmp_path):
    program = shutil.which("schemathesis")
    if program is None:
        pytest.skip("schemathesis is not installed: pip install schemathesis")
    folder = tmp_path / "node"
    folder.mkdir()
    node = MoldauNode(folder)
    node.start()
    rest = RunningRest(tmp_path, node.bootstrap)
    command = [program, "run", f"{rest.url}/openapi.json", "--checks", CHECKS]
    flags = ["--max-examples", "10", "--seed", "1", "--phases", "examples,fuzzing"]
    try:
        found = subprocess.run(
            [*command, *flags, "--exclude-path-regex", STREAMS, "--request-timeout", "20"],
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            cwd=tmp_path,
            check=False,
        )
        assert found.returncode == 0, found.stdout[-8000:]
    finally:
        node.kill()
        rest.stop()
