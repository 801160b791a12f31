"""SIGTERM ends a program without a loop as Ctrl-C does."""

import signal
import subprocess
import sys

PROGRAM = """
import os, signal
from moldau.platform.system.waiting import interrupted_when_terminated, wait_seconds
wait_seconds(-1)
with interrupted_when_terminated():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        wait_seconds(60)
    except KeyboardInterrupt:
        os.kill(os.getpid(), signal.SIGTERM)
        print("the end", flush=True)
os.kill(os.getpid(), signal.SIGTERM)
wait_seconds(60)
"""


def test_sigterm_interrupts_once_and_lets_the_program_end():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (-signal.SIGTERM, "the end\n")
