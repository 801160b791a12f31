"""Nothing that was started outlives the one who started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.versus import meter, processes
from tests.tidy.source import ROOT

PATIENCE_S = 60.0
PARENT = """
import signal, sys, time
from bench.versus.processes import end_all_however_we_end, spawn
end_all_however_we_end()
child = spawn([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
{then}
"""
NODE = """
import pathlib, sys, time
from bench.versus.processes import end_all_however_we_end
from bench.versus.kinds import Moldau
end_all_however_we_end()
side = Moldau(pathlib.Path(sys.argv[1]))
side.start()
print(side.process_id, flush=True)
time.sleep(600)
"""
WAITING = "while True: time.sleep(0.1)"
"""In turns: a signal that comes just before a long sleep would wait for its end."""


def harness(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(("src", "."))},
        stdout=subprocess.PIPE,
        text=True,
    )


def child_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def is_gone(process_id: int) -> bool:
    """Gone, or a zombie that waits for its parent to ask."""
    status = Path(f"/proc/{process_id}/stat")
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        try:
            if status.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_what_was_started_ends_with_its_parent(how):
    with harness(PARENT.format(then=WAITING)) as parent:
        child = child_of(parent)
        parent.send_signal(how)
        assert is_gone(child)


@pytest.mark.parametrize("then", ["", "raise ValueError('x')", "sys.exit(3)"])
def test_what_was_started_ends_when_the_program_does(then, capfd):
    with harness(PARENT.format(then=then)) as parent:
        assert is_gone(child_of(parent))
    capfd.readouterr()


@pytest.mark.long
def test_a_killed_harness_leaves_no_node_behind(tmp_path):
    with harness(NODE, str(tmp_path)) as parent:
        node = child_of(parent)
        assert meter.memory_mb(node) > 1
        parent.kill()
        assert is_gone(node)


def test_a_process_is_ended_with_the_group_that_it_made():
    program = "import subprocess; print(subprocess.Popen(['sleep', '600']).pid, flush=True)"
    waiting = f"{program}; import time; time.sleep(600)"
    process = processes.spawn([sys.executable, "-c", waiting], stdout=subprocess.PIPE)
    grandchild = child_of(process)
    processes.end(process)
    assert is_gone(grandchild)
    processes.end(process)


def test_the_time_of_children_counts_while_they_run_and_when_they_have_ended():
    turns = "for _ in range(8): sum(range(3_000_000))"
    signals = f"{turns}\\nprint(flush=True); input()"
    program = f"""
import subprocess, sys, time
subprocess.run([sys.executable, "-c", "{turns}"])
child = subprocess.Popen([sys.executable, "-c", "{signals}"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
print(time.process_time(), flush=True)
time.sleep(600)
"""
    process = processes.spawn([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        own_s = float(process.stdout.readline())
        assert meter.cpu_s(process.pid) > 2 * own_s
        assert len(list(meter.tree(process.pid))) == 2
    finally:
        processes.end(process)
    assert meter.cpu_s(process.pid) == 0
