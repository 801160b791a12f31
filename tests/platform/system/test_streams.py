"""The streams of a process, closed, full or with few characters, as its user meets them."""

from __future__ import annotations

import errno
import subprocess
import sys

import pytest

from moldau.platform.system.streams import is_about_output

MOLDAU = f"{sys.executable} -m moldau"


def shell(command: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", ["random-uuid", "--version", "help"])
def test_a_full_device_is_one_sentence(command):
    code, _, errors = shell(f"{MOLDAU} {command} >/dev/full")
    assert (code, errors) == (
        1,
        "moldau: standard output cannot be written: No space left on device\n",
    )


@pytest.mark.parametrize("command", ["random-uuid", "--version", "help"])
def test_with_its_output_closed_a_command_does_its_work(command):
    assert shell(f"{MOLDAU} {command} >&-") == (0, "", "")


def test_with_its_errors_closed_a_command_fails_by_its_exit_code_alone():
    assert shell(f"{MOLDAU} dump-log --files gone.log 2>&-") == (1, "", "")


def test_with_its_errors_on_a_full_device_too():
    assert shell(f"{MOLDAU} dump-log --files gone.log 2>/dev/full")[0] == 1


def test_a_reader_that_leaves_ends_a_command_without_a_word():
    code, _, errors = shell(f"{MOLDAU} help | head -c 0")
    assert code in (0, 1)
    assert errors == ""


def test_a_character_that_the_terminal_does_not_have_is_written_as_its_number(tmp_path):
    path = tmp_path / "é.log"
    path.touch()
    code, out, errors = shell(f"PYTHONIOENCODING=ascii {MOLDAU} dump-log --files '{path}'")
    assert code == 1
    assert "Dumping" in out
    assert r"\xe9.log" in out
    assert "Traceback" not in errors


def test_an_argument_that_is_no_text_is_one_sentence(tmp_path):
    config = tmp_path / "server.properties"
    config.write_text(
        "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
        f"listeners=PLAINTEXT://:0,CONTROLLER://:0\nlog.dirs={tmp_path}/data\n"
    )
    code, _, errors = shell(f"{MOLDAU} format --standalone -t $'x\\xff' -c {config}")
    assert (code, errors) == (1, "moldau format: an argument has bytes that are no text\n")


def test_an_error_that_names_a_file_is_not_about_output():
    assert is_about_output(OSError(errno.ENOSPC, "full"))
    assert not is_about_output(OSError(errno.ENOSPC, "full", "/data/a.log"))
    assert not is_about_output(OSError(errno.ECONNRESET, "reset"))
