"""`moldau start --nodes N`: processes in one cluster, judged by a foreign client."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from argparse import ArgumentParser
from http import HTTPStatus
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.config.refusals import SettingError
from moldau.programs.tools import start
from moldau.programs.tools.start_settings import flags_of_each, planned_nodes
from tests.judges.kafka_node import free_ports

TIMEOUT_S = 60


def options_of(*arguments):
    parser = ArgumentParser()
    start.declare(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize("count", ["0", "100", "many", "-1"])
def test_what_is_no_number_of_nodes_is_wrong_usage(count, capsys):
    with pytest.raises(SystemExit):
        options_of(f"--nodes={count}")
    assert "there may be 1 to 99" in capsys.readouterr().err


@pytest.mark.parametrize(
    "flag", ["--config=f", "--listen=h:1", "--advertise=h:1", "--rest=1", "--https-config=f"]
)
def test_flags_of_a_single_node_are_refused(flag):
    with pytest.raises(SettingError, match="is of one node; leave it out, or --nodes"):
        planned_nodes(options_of("--nodes=3", flag))


def test_levels_and_refusals_are_handed_on():
    flags = flags_of_each(options_of("--nodes=3", "--log-level=WARN", "--refuse-loss"))
    assert flags == [["--refuse-loss", "--log-level", "WARN"]] * 3


def test_each_node_has_a_port_for_metrics_and_the_first_has_the_console():
    flags = flags_of_each(options_of("--nodes=2", "--metrics-port=9404", "--ui"))
    host = ["--metrics-host", "127.0.0.1"]
    first, second = ["--metrics-port", "9404", *host], ["--metrics-port", "9405", *host]
    assert flags == [[*first, "--ui", "8080"], second]
    with pytest.raises(SettingError, match="leaves no port for each of --nodes"):
        flags_of_each(options_of("--nodes=2", "--metrics-port=65535"))


def test_nodes_with_a_console_serve_it_and_their_metrics(tmp_path):
    more = ("--ui", "0", "--metrics-port", "0", "--log-level", "INFO")
    with started(tmp_path, first_port(), *more) as process:
        until_ready(process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, errors
    assert "No controller answered" not in errors, "a node waited for one that stops, too"
    assert errors.count("The console is at http://127.0.0.1:") == 1
    assert "[node 1]" in next(line for line in errors.splitlines() if "The console is at" in line)


def first_port():
    """Of two in a row that are free, with those of the controllers 10,000 above."""
    return next(port for port in free_ports(50) if port < 50_000 and are_free(port))


def are_free(port):
    try:
        for taken in (port, port + 1, port + 10_000, port + 10_001):
            socket.create_server(("127.0.0.1", taken)).close()
    except OSError:
        return False
    return True


def started(folder, port, *more):
    command = [sys.executable, "-m", "moldau", "start", "--nodes", "2", "--port", str(port)]
    return subprocess.Popen(
        [*command, "--data", str(folder / "nodes"), *(more or ("--log-level", "ERROR"))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def is_shown(url):
    try:
        return urlopen(url, timeout=TIMEOUT_S).status == HTTPStatus.OK
    except URLError:
        return False


def until_ready(process):
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("moldau: ready on"):
            break
    return lines


def test_two_nodes_are_one_cluster_and_end_together(tmp_path):
    port = first_port()
    with started(tmp_path, port) as process:
        lines = until_ready(process)
        assert lines[-1] == f"moldau: ready on 127.0.0.1:{port},127.0.0.1:{port + 1}\n"
        admin = AdminClient({"bootstrap.servers": f"127.0.0.1:{port}"})
        admin.create_topics([NewTopic("shared", 1)])["shared"].result(TIMEOUT_S)
        replicas = admin.list_topics("shared", TIMEOUT_S).topics["shared"].partitions[0].replicas
        assert sorted(replicas) == [1, 2]
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, errors
    assert {"node 1: stopped", "node 2: stopped"} <= set(output.splitlines())


def test_a_node_that_dies_is_a_line_and_the_others_go_on(tmp_path):
    port, metrics_port = first_port(), first_port()
    flags = ("--log-level", "ERROR", "--metrics-port", str(metrics_port))
    with started(tmp_path, port, *flags) as process:
        (line,) = (line for line in until_ready(process) if line.startswith("node 2: ready"))
        os.kill(int(line.rpartition(" process ")[2]), signal.SIGKILL)
        line = process.stdout.readline()
        assert line.startswith("node 2: killed by SIGKILL; 1 of 2 nodes go on, and `moldau start ")
        again = [sys.executable, "-m", *line.split("`")[1].split()]
        with subprocess.Popen(again, stdout=subprocess.PIPE, text=True) as alone:
            assert alone.stdout is not None
            assert alone.stdout.readline() == f"moldau: ready on 127.0.0.1:{port + 1}\n"
            shows_metrics = is_shown(f"http://127.0.0.1:{metrics_port + 1}/metrics")
            alone.terminate()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0
    assert shows_metrics
    assert "node 1: stopped" in output
