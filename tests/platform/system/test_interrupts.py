"""What Ctrl-C does, as another process finds out."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

IMPORTS = "import signal; from moldau.platform.system import interrupts"
AS_A_SHELL_STARTS_IT = "signal.signal(signal.SIGINT, signal.default_int_handler)"
"""The shell that runs these tests may ignore it, and it would be inherited."""
END, RAISE = "interrupts.end_at_once()", "interrupts.raise_again()"


def outcome(*lines):
    """How a process that does this to itself ends, and what it says."""
    program = "\n".join([IMPORTS, AS_A_SHELL_STARTS_IT, *lines])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.returncode, done.stderr


PRESS = "signal.raise_signal(signal.SIGINT)"


def test_a_process_dies_of_it_without_a_word():
    assert outcome(END, PRESS) == (-signal.SIGINT, "")


def test_it_is_raised_again_where_a_program_wants_to_tidy_up():
    assert outcome(END, RAISE, "try:", f" {PRESS}", "except KeyboardInterrupt: pass") == (0, "")


@pytest.mark.parametrize("call", [END, RAISE])
def test_who_ignores_it_goes_on_ignoring_it(call):
    assert outcome("signal.signal(signal.SIGINT, signal.SIG_IGN)", call, PRESS) == (0, "")
