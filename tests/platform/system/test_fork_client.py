"""Covers moldau.platform.system.fork_client where its server fails; what works is in the other."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading

import pytest

from moldau.platform.system import fork_client

SHOW = "import sys; print(sys.argv[1:], sys.stdin.read())"


@pytest.fixture
def listener(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        yield listener


def run_against(listener, answer):
    """The client's end, where the server does this with the connection."""
    server = threading.Thread(target=lambda: answer(listener.accept()[0]))
    server.start()
    command = [sys.executable, "-I", "-S", fork_client.__file__, listener.getsockname()]
    program = [sys.executable, "-c", SHOW, "an argument"]
    done = subprocess.run(
        [*command, *program], input="what is read", capture_output=True, text=True, check=False
    )
    server.join()
    return done.returncode, done.stdout


def test_where_the_server_closes_the_program_starts_by_itself(listener):
    assert run_against(listener, socket.socket.close) == (0, "['an argument'] what is read\n")


def test_where_the_server_refuses_the_program_starts_by_itself(listener):
    def refuse(connection):
        connection.sendall(b"-")
        connection.close()

    assert run_against(listener, refuse) == (0, "['an argument'] what is read\n")


def test_where_the_server_ends_with_the_program_the_program_has_failed(listener):
    """It has begun, and is not begun again."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()

    def take(connection):
        (size,) = fork_client.SIZE.unpack(connection.recv(fork_client.SIZE.size))
        connection.recv(size, socket.MSG_WAITALL)
        connection.sendall(b"+" + fork_client.PROCESS_ID.pack(ended.pid))
        connection.close()

    assert run_against(listener, take) == (1, "")
