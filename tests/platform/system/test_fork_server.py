"""Covers moldau.platform.system.fork_server and its client: `fork_sample` is what is run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest

from moldau.platform.system import fork_client
from moldau.platform.system.fork_server import can_fork, start

SAMPLE = "tests.platform.system.fork_sample"
SIGTERM_CODE = 128 + signal.SIGTERM
STARTER = f"""
from moldau.platform.system.fork_server import start
print(start(["{SAMPLE}"], [], [], {{}}))
"""

pytestmark = pytest.mark.skipif(not can_fork(), reason="libraries need not bear a fork here")


@pytest.fixture(scope="module")
def socket():
    """Of a server that has loaded `colorsys`, which nothing else imports."""
    return start([SAMPLE], ["colorsys", "no_such_module"], ["FREE_"], {"SET": "by the server"})


def command(socket, *arguments):
    return [sys.executable, "-I", "-S", fork_client.__file__, socket, sys.executable, *arguments]


def variables(**more):
    """As this process had them when it started the server."""
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return {**own, "SET": "by the server", **more}


def run(socket, *arguments, folder=None, text="", **more):
    return subprocess.run(
        command(socket, *arguments),
        env=variables(**more),
        input=text,
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )


def shown(socket, *arguments, **more):
    return json.loads(run(socket, "-m", SAMPLE, "show", *arguments, **more).stdout)


def test_a_program_is_forked_with_its_arguments_variables_and_streams(socket):
    found = shown(socket, "an argument", "*", FREE_CHOICE="ü", text="what is read")
    assert found["arguments"] == ["show", "an argument", "*"]
    assert found["variables"] == variables(FREE_CHOICE="ü")
    assert found["input"] == "what is read"
    assert found["name"] == "__main__"
    assert found["was_loaded"]


def test_its_exit_code_is_the_clients(socket):
    done = run(socket, "-m", SAMPLE, "exit", "7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "it ends\n")
    assert run(socket, "-m", SAMPLE, "fail").returncode == 1
    assert run(socket, "-m", SAMPLE, "kill").returncode == SIGTERM_CODE


@pytest.mark.parametrize("more", [{"SET": "otherwise"}, {"PYTHONWARNINGS": "always"}])
def test_with_other_variables_a_program_starts_by_itself(socket, more):
    found = shown(socket, **more)
    assert not found["was_loaded"]
    assert found["variables"].items() >= more.items()


def test_in_another_directory_a_program_starts_by_itself(socket, tmp_path):
    root = str(Path(__file__).parents[3])
    found = json.loads(
        run(socket, "-m", SAMPLE, "show", folder=tmp_path, PYTHONPATH=root, FREE_CHOICE="x").stdout
    )
    assert not found["was_loaded"]


def test_another_program_starts_by_itself(socket):
    assert run(socket, "-c", "print(5)").stdout == "5\n"
    assert run(socket, "-m", "platform", "--terse").returncode == 0


def test_without_a_server_a_program_starts_by_itself(tmp_path):
    assert not shown(str(tmp_path / "socket"))["was_loaded"]


def test_what_a_client_stood_for_ends_when_it_is_killed(socket):
    client = subprocess.Popen(
        command(socket, "-m", SAMPLE, "wait"),
        env=variables(),
        stdin=PIPE,
        stdout=PIPE,
    )
    assert client.stdin
    assert client.stdout
    process_id = int(client.stdout.readline())
    assert process_id != client.pid
    client.kill()
    client.wait()
    client.stdin.close()
    assert client.stdout.read() == b"terminated\n"  # to the end: it has ended
    client.stdout.close()


def test_ctrl_c_in_a_terminal_does_not_end_a_program_or_its_client(socket):
    """It reaches the whole group that a client is started in."""
    first = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=PIPE, stderr=PIPE, process_group=0
    )
    client = subprocess.Popen(
        command(socket, "-m", SAMPLE, "wait"),
        env=variables(),
        stdin=PIPE,
        stdout=PIPE,
        process_group=first.pid,
    )
    assert client.stdout
    program = int(client.stdout.readline())
    await_so(lambda: os.getpgid(client.pid) == client.pid)
    os.killpg(first.pid, signal.SIGINT)
    assert first.communicate()[0] is None
    with pytest.raises(subprocess.TimeoutExpired):
        client.wait(0.5)
    os.kill(program, signal.SIGTERM)
    assert client.communicate()[0] == b"terminated\n"
    assert client.returncode == 0


def parent_of(process_id):
    status = Path(f"/proc/{process_id}/status").read_text()
    return int(status.partition("PPid:")[2].split()[0])


def test_a_program_and_its_client_go_on_when_the_server_is_killed():
    server = start([SAMPLE], [], [], {"SET": "by the server"})
    client = subprocess.Popen(
        command(server, "-m", SAMPLE, "wait"),
        env=variables(),
        stdin=PIPE,
        stdout=PIPE,
    )
    assert client.stdout
    program = int(client.stdout.readline())
    os.kill(parent_of(program), signal.SIGKILL)
    with pytest.raises(subprocess.TimeoutExpired):
        client.wait(0.5)
    os.kill(program, signal.SIGTERM)
    assert client.communicate()[0] == b"terminated\n"
    assert client.returncode == fork_client.FAILED
    shutil.rmtree(Path(server).parent)


def test_programs_do_not_share_what_is_the_servers(socket):
    """A descriptor of one client in another's program would keep its end from being seen."""
    first = shown(socket)
    assert first["descriptors"] == shown(socket)["descriptors"]
    assert len(first["descriptors"]) == 3


def test_the_server_ends_with_the_process_that_started_it():
    started = subprocess.run(
        [sys.executable, "-c", STARTER], capture_output=True, text=True, check=True
    )
    folder = Path(started.stdout.strip()).parent
    await_so(lambda: not folder.exists())


def await_so(is_so):
    for _ in range(400):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it did not become so in 20 s")


def test_a_socket_is_of_this_user_alone(socket):
    assert Path(socket).parent.stat().st_mode & 0o077 == 0
    with suppress(OSError):
        assert Path(socket).is_socket()
