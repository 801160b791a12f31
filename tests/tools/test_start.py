"""`moldau start`: what it takes from flags and files, and how a process of it lives and ends."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from io import StringIO

import pytest

from moldau.errors import MoldauError
from moldau.simulated.clock import SimulatedClock
from moldau.simulated.files import SimulatedFiles
from moldau.simulated.randomness import SeededRandom
from moldau.tools import start
from moldau.tools.command import World

FILE = b"""\
process.roles=broker,controller
node.id=7
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093
controller.quorum.voters=7@127.0.0.1:9093
log.dirs=from-the-file
"""


def settings_of(*arguments):
    return chosen(*arguments)[1]


def chosen(*arguments):
    """The options and the settings that come of these arguments."""
    files = SimulatedFiles()
    files.make_directory("etc")
    files.open("etc/server.properties", create=True).append(FILE)
    world = World(
        files=files,
        clock=SimulatedClock(),
        random=SeededRandom(1),
        out=StringIO(),
        errors=StringIO(),
    )
    parser = ArgumentParser()
    start.declare(parser)
    options = parser.parse_args(arguments)
    return options, start.chosen_settings(options, world)


def test_without_arguments_it_is_a_node_alone_on_the_port_of_kafka():
    settings = settings_of()
    assert settings.directories == ("./moldau-data",)
    assert [listener.port for listener in settings.broker_listeners] == [9092]


def test_flags_change_single_things():
    settings = settings_of("--data", "d", "--port", "1", "--set", "num.partitions=4")
    assert settings.directories == ("d",)
    assert settings.broker_listeners[0].port == 1
    assert settings.num_partitions == 4


def test_a_file_is_taken_as_it_is_and_flags_win():
    plain = settings_of("--config", "etc/server.properties")
    assert (plain.node_id, plain.directories) == (7, ("from-the-file",))
    changed = settings_of("--config", "etc/server.properties", "--port", "19092", "--data", "d")
    assert [str(one) for one in changed.listener_list] == [
        "PLAINTEXT://127.0.0.1:19092",
        "CONTROLLER://127.0.0.1:9093",
    ]
    assert changed.directories == ("d",)


def test_metrics_have_a_door_of_their_own_where_one_is_asked_for():
    assert start.metrics_address(*chosen()) is None
    assert start.metrics_address(*chosen("--metrics-port", "9404")) == ("127.0.0.1", 9404)


@pytest.mark.parametrize("flag", ["--port", "--metrics-port"])
@pytest.mark.parametrize("port", ["65536", "-1", "many", ""])
def test_what_is_no_port_is_wrong_usage(flag, port, capsys):
    with pytest.raises(SystemExit):
        settings_of(f"{flag}={port}")
    assert f"{port!r} is no port; ports are 0 to 65535" in capsys.readouterr().err


def test_a_directory_without_a_name_is_not_the_one_of_no_flag():
    with pytest.raises(MoldauError, match="--data is empty"):
        settings_of("--data", "")


def test_a_process_that_is_told_to_end_while_it_starts_ends(tmp_path):
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


def test_an_impossible_value_is_one_sentence():
    with pytest.raises(MoldauError, match=r"num\.partitions"):
        settings_of("--set", "num.partitions=many")


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
