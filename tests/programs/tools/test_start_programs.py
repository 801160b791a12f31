"""That they serve is in tests/interop/registry."""

from __future__ import annotations

import subprocess
import sys

from moldau.platform.ports.network import Address
from moldau.programs.tools.start_programs import client_of

RUN = """
import atexit, sys
from moldau.programs.tools.main import main
atexit.register(lambda: print(*sys.modules))
sys.argv = ["moldau", *sys.argv[1:]]
main()
"""
START_SECONDS_MAX = 60
MODULES_MAX = 695
"""Of ours, for a node and its registry; a few more than there are today."""


def test_a_node_that_listens_everywhere_is_reached_on_this_machine():
    assert client_of(Address("0.0.0.0", 9092)) == {"bootstrap.servers": "127.0.0.1:9092"}
    assert client_of(Address("::1", 9092)) == {"bootstrap.servers": "[::1]:9092"}


def test_a_start_imports_what_it_serves_and_not_the_programs_beside_it(tmp_path):
    flags = ("start", "--port", "0", "--data", str(tmp_path / "data"), "--registry", "0")
    command = [sys.executable, "-c", RUN, *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdout is not None
        assert node.stdout.readline().startswith("moldau: ready on ")
        node.terminate()
        names = node.communicate(timeout=START_SECONDS_MAX)[0].splitlines()[-1].split()
    assert "moldau.programs.registry.service" in names
    beside = ("moldau.programs.console", "moldau.programs.rest.", "cryptography", "pyarrow")
    assert [one for one in names if one.startswith(beside)] == []
    assert sum(one.startswith("moldau.") for one in names) <= MODULES_MAX
