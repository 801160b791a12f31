"""A tool that waits for a name to be looked up ends at once when it is asked to."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.programs.tools.terminal import SECONDS_MAX

LOOKING = "looking up"
INTERRUPTED = 130
"""What a shell reports of a program that Ctrl-C ended; by the signal itself it is -SIGINT."""
PROGRAM = f"""
import socket, sys, time
def never(*given, flags=0, **named):
    if flags & socket.AI_NUMERICHOST:
        raise socket.gaierror(socket.EAI_NONAME, "not in digits")
    print("{LOOKING}", flush=True)
    time.sleep(3600)
socket.getaddrinfo = never
import _socket
_socket.getaddrinfo = never
from moldau.__main__ import main
sys.argv = ["moldau", *sys.argv[1:]]
sys.exit(main())
"""
TOPICS = ("topics", "--bootstrap-server", "slow.example:9092", "--list")
CAT = ("cat", "-b", "slow.example:9092", "-L")


@pytest.mark.parametrize(
    ("words", "number", "codes"),
    [
        pytest.param(TOPICS, signal.SIGINT, {INTERRUPTED, -signal.SIGINT}, id="topics, Ctrl-C"),
        pytest.param(TOPICS, signal.SIGTERM, {-signal.SIGTERM}, id="topics, SIGTERM"),
        pytest.param(CAT, signal.SIGINT, {INTERRUPTED, -signal.SIGINT}, id="cat, Ctrl-C"),
        pytest.param(CAT, signal.SIGTERM, {-signal.SIGTERM}, id="cat, SIGTERM"),
    ],
)
def test_a_signal_ends_a_tool_that_looks_up_a_name(words, number, codes):
    command = [sys.executable, "-c", PROGRAM, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().decode().strip() == LOOKING
        process.send_signal(number)
        _, errors = process.communicate(timeout=SECONDS_MAX)
    assert process.returncode in codes
    assert b"Traceback" not in errors
