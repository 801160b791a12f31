"""`moldau server-start -daemon` and `moldau server-stop`, as processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from moldau.platform.system.daemons import own_processes
from moldau.platform.system.free_ports import free_ports

SECONDS_MAX = 60
NODE_ID = "918273645"
"""No other node has it: `server-stop` reaches all of this user that match."""
PROPERTIES = """
process.roles=broker,controller
node.id={node}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{other}
controller.listener.names=CONTROLLER
controller.quorum.voters={node}@127.0.0.1:{other}
log.dirs={folder}/data
offsets.topic.replication.factor=1
"""


def moldau(folder, *words):
    environment = {**os.environ, "LOG_DIR": str(folder / "logs")}
    return subprocess.run(
        [sys.executable, "-m", "moldau", *words],
        capture_output=True,
        text=True,
        env=environment,
        timeout=SECONDS_MAX,
    )


def wait_until(is_so):
    deadline = time.monotonic() + SECONDS_MAX
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.long
def test_a_node_goes_on_without_a_terminal_until_it_is_stopped(tmp_path):
    port, other = free_ports(2, "127.0.0.1")
    file = tmp_path / "server.properties"
    file.write_text(PROPERTIES.format(node=NODE_ID, port=port, other=other, folder=tmp_path))
    made = moldau(tmp_path, "storage", "format", "-c", str(file), "-t", "MkU3OEVBNTcwNTJENDM2Qg")
    assert made.returncode == 0, made.stderr
    words = ("server-start", "-daemon", str(file), "--override", "num.partitions=3")
    assert moldau(tmp_path, *words).returncode == 0
    log = tmp_path / "logs" / "kafkaServer.out"
    wait_until(lambda: log.exists() and f"ready on 127.0.0.1:{port}" in log.read_text())
    other_role = moldau(tmp_path, "server-stop", "--node-id", NODE_ID, "--process-role", "none")
    assert (other_role.returncode, other_role.stdout) == (1, "No kafka server to stop\n")
    assert moldau(tmp_path, "server-stop", "--node-id", NODE_ID).returncode == 0
    wait_until(lambda: not any(str(file) in words for _, _, words in own_processes()))
    again = moldau(tmp_path, "server-stop", "--node-id", NODE_ID)
    assert (again.returncode, again.stdout) == (1, "No kafka server to stop\n")
