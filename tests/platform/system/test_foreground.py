"""Covers moldau.platform.system.foreground, with real signals to processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from moldau.platform.system.foreground import EndedBySignalError, Foreground

PROGRAM = """
import os, signal, sys, threading, time
from moldau.platform.system.foreground import EndedBySignalError, Foreground
from moldau.platform.system.process import exit_at_once

foreground = Foreground(grace_s=60)
number = getattr(signal, sys.argv[1])

def signal_self():
    os.kill(os.getpid(), number)

def work():
    {work}

try:
    foreground.run(work)
except EndedBySignalError as ended:
    print(ended, flush=True)
    exit_at_once(ended.exit_code)
print("done")
"""
STUCK = """
    signal_self()
    threading.Event().wait()
"""
ORDERLY = """
    with foreground.orderly():
        signal_self()
        foreground._stopping.wait()
        print("put in order", flush=True)
    threading.Event().wait()
"""
STUBBORN = """
    with foreground.orderly():
        signal_self()
        foreground._stopping.wait()
        signal_self()
        threading.Event().wait()
"""
ELSEWHERE = """
    time.sleep(0.1)  # until the main thread waits, most likely
    signal.pthread_kill(threading.get_ident(), number)
    threading.Event().wait()
"""
"""The kernel may have any thread receive a signal; the one that waits is then not woken by it."""
IGNORED = """
    signal_self()
"""


def program(work, name, before=""):
    source = before + PROGRAM.format(work=work.strip())
    command = [sys.executable, "-c", source, name]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize(
    ("work", "lines"),
    [(STUCK, ""), (ORDERLY, "put in order\n"), (STUBBORN, ""), (ELSEWHERE, "")],
    ids=["stuck", "orderly", "stubborn", "elsewhere"],
)
def test_a_signal_ends_work_without_a_trace(work, lines, name, code):
    ended = program(work, name)
    assert (ended.returncode, ended.stderr) == (code, "")
    assert ended.stdout == f"{lines}ended by {name}\n"


def test_a_signal_that_is_ignored_stays_ignored():
    ended = program(
        IGNORED, "SIGINT", "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    )
    assert (ended.returncode, ended.stdout) == (0, "done\n")


def test_without_a_signal_the_work_returns_or_raises_and_handlers_are_as_before():
    before = signal.getsignal(signal.SIGINT)
    assert Foreground(1).run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        Foreground(1).run(lambda: 1 // 0)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_error_has_what_a_shell_reports():
    assert EndedBySignalError(signal.SIGTERM).exit_code == 143
