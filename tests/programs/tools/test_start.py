"""`moldau start`: its flags, and how a process of it lives and ends."""

from __future__ import annotations

import logging
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser

import pytest

from moldau.network import connection
from moldau.programs.tools import start
from moldau.programs.tools.burst_filter import BURST_LINES_MAX


def options_of(*arguments):
    parser = ArgumentParser()
    start.declare(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize("flag", ["--port", "--metrics-port"])
@pytest.mark.parametrize("number", ["65536", "-1", "many", ""])
def test_what_is_no_port_is_wrong_usage(flag, number, capsys):
    with pytest.raises(SystemExit):
        options_of(f"{flag}={number}")
    assert f"{number!r} is no port; ports are 0 to 65535" in capsys.readouterr().err


def test_a_port_and_an_address_with_a_port_exclude_each_other(capsys):
    with pytest.raises(SystemExit):
        options_of("--port", "1", "--listen", "0.0.0.0:2")
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "level"), [("WARN", logging.WARNING), ("debug", logging.DEBUG)])
def test_levels_have_the_names_of_kafka(name, level):
    assert options_of("--log-level", name).log_level == level


def test_what_is_no_level_is_wrong_usage(capsys):
    with pytest.raises(SystemExit):
        options_of("--log-level", "loud")
    assert "'loud' is no level; there are TRACE, DEBUG, INFO" in capsys.readouterr().err


def test_a_process_that_is_asked_to_end_while_it_starts_ends(tmp_path):
    data = tmp_path / "data"
    command = [sys.executable, "-m", "moldau", "start", "--data", str(data), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "Formatting" in line:
                break
        process.send_signal(signal.SIGINT)
        log = process.communicate(timeout=60)[1]
    assert process.returncode == 0
    assert "Traceback" not in log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_says_once_that_it_is_ready_and_leaves_in_order(tmp_path, number):
    data = tmp_path / "data"
    command = [sys.executable, "-m", "moldau", "start", "--data", str(data), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        place = ready.removeprefix("moldau: ready on ").strip()
        host, _, port = place.rpartition(":")
        socket.create_connection((host, int(port)), timeout=10).close()
        process.send_signal(number)
        rest, log = process.communicate(timeout=60)
    assert (process.returncode, rest) == (0, "")
    assert "[KafkaServer id=1] started" in log
    assert "Transitioning from RECOVERY to RUNNING" in log
    assert (data / ".kafka_cleanshutdown").exists()
    assert "Development mode, as there is no --config" in log.splitlines()[0]
    is_interpreted = str(connection.__file__).endswith(".py")
    assert log.count("The node runs interpreted") == is_interpreted


def test_a_flood_of_bad_frames_is_a_few_lines_and_their_number(tmp_path):
    """300 connections that send nonsense: ten lines, and one with the number of the others."""
    command = [sys.executable, "-m", "moldau", "start", "--data", "data", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        place = process.stdout.readline().removeprefix("moldau: ready on ").strip()
        host, _, port = place.rpartition(":")
        for _ in range(300):
            with socket.create_connection((host, int(port)), timeout=10) as peer:
                peer.sendall(b"\0\0\0\x0a\x7f\xff\0\0\0\0\0\0\0\0")
                assert peer.recv(1) == b""
        process.send_signal(signal.SIGTERM)
        log = process.communicate(timeout=60)[1].splitlines()
    closing = [line for line in log if "INFO Closing" in line]
    (summary,) = [line for line in log if "more of these" in line]
    assert len(closing) == BURST_LINES_MAX
    assert f"… {300 - BURST_LINES_MAX} more of these in the last" in summary
    assert "API 32767 is not served on this listener" in summary


def test_what_the_log_says_is_chosen(tmp_path):
    command = [sys.executable, "-m", "moldau", "start", "--port", "0", "--log-level", "error"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        assert "ready" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=60) == ("", "")
