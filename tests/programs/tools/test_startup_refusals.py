"""A node that cannot start says why in one sentence and ends with 1, without a traceback."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from tests.judges.kafka_node import CLUSTER_ID, HOST
from tests.judges.moldau_node import MoldauNode

TIMEOUT_S = 60
OTHER_CLUSTER = "b3RoZXItY2x1c3Rlci0wMQ"
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0
controller.quorum.voters=1@127.0.0.1:9093
log.dirs=data
"""


@pytest.fixture
def refused(tmp_path):
    """The sentence with which a command in a folder of its own refuses."""
    (tmp_path / "server.properties").write_text(PROPERTIES)

    def run(*arguments):
        done = moldau(tmp_path, *arguments)
        assert done.returncode == 1, (arguments, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        assert "ready" not in done.stdout
        lines = [line for line in done.stderr.splitlines() if not line.startswith("[")]
        assert len(lines) == 1, lines
        return lines[0].removeprefix(f"moldau {arguments[0]}: ")

    return run


def moldau(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "moldau", *map(str, arguments)],
        capture_output=True,
        cwd=folder,
        text=True,
        timeout=TIMEOUT_S,
    )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (["num.partitions=many"], "Invalid value many for configuration num.partitions"),
        (["num.partitions=0"], "num.partitions: Value must be at least 1"),
        (["nonsense"], "--set takes key=value, not 'nonsense'"),
        (["listeners=FOO://x"], "'FOO://x' is not of the form name://host:port"),
        (["listeners=PLAINTEXT://no.such.invalid:1,CONTROLLER://:0"], "no.such.invalid:1"),
        (["process.roles=king"], "must be one of: broker, controller"),
        (["max.connections.per.ip.overrides=a:b"], "each is written as host:number"),
        (["controller.quorum.voters=me"], "each voter is written as id@host:port"),
        (["log.retention.ms=0"], "log.retention.ms must be 1 or more, or -1"),
        (["compression.type=rar"], "must be one of: uncompressed, zstd"),
    ],
)
def test_an_impossible_setting_is_named_with_what_would_be_right(refused, settings, sentence):
    flags = [word for setting in settings for word in ("--set", setting)]
    assert sentence in refused("start", "--port", 0, *flags)


def test_a_setting_that_is_unknown_is_a_warning_and_no_more(tmp_path):
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        done = moldau(tmp_path, "start", "--port", port, "--set", "no.such.key=1")
    development, warning, *_, refusal = done.stderr.splitlines()
    assert "Development mode" in development
    assert "WARN" in warning
    assert "no.such.key" in warning
    assert "already in use" in refusal


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (b"node.id=1\n\xff\x00\x01", "garbage, line 2: byte 0x00 is not text"),
        (b"{ this: is }\n", 'garbage: Missing required configuration "process.roles"'),
        (PROPERTIES.encode() + b"num.partitions=many\n", "garbage, line 7: Invalid value many"),
    ],
)
def test_a_file_of_something_else_is_named_with_its_line(refused, tmp_path, contents, sentence):
    (tmp_path / "garbage").write_bytes(contents)
    for command in (["start"], ["format", "-t", CLUSTER_ID]):
        assert refused(*command, "--config", "garbage").startswith(sentence)


def test_a_port_that_is_taken_is_named(refused):
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        taken_by = f"{HOST}:{port}: address already in use; stop the program that listens there, or"
        assert refused("start", "--port", port).startswith(taken_by)
        assert refused("start", "--port", 0, "--metrics-port", port).startswith(taken_by)


def test_a_directory_that_is_not_formatted_is_left_alone(refused, tmp_path):
    assert "run `moldau format`" in refused("start", "--config", "server.properties")
    assert not (tmp_path / "data").exists()


def test_directories_of_two_clusters_or_of_another_node_are_refused(refused, tmp_path):
    for cluster_id, data in ((CLUSTER_ID, "mine"), (OTHER_CLUSTER, "theirs")):
        done = moldau(
            tmp_path, "format", "-t", cluster_id, "-c", "server.properties",
            "--set", f"log.dirs={data}",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    start = ("start", "--config", "server.properties", "--set")
    both = refused(*start, "log.dirs=mine,theirs")
    assert f"belongs to cluster {OTHER_CLUSTER}, this node to {CLUSTER_ID}" in both
    voters = "controller.quorum.voters=2@127.0.0.1:9093"
    other = refused(*start, "log.dirs=mine", "--set", "node.id=2", "--set", voters)
    assert "belongs to node 1, this is node 2" in other


def test_a_directory_that_another_node_uses_or_that_is_damaged_is_refused(refused, tmp_path):
    node = MoldauNode(tmp_path)
    node.start()
    locked = refused("start", "--data", node.data, "--port", 0)
    node.stop()
    assert "another process holds the lock" in locked
    (node.data / "__cluster_metadata-0" / "quorum-state").write_text("junk")
    assert "quorum-state" in refused("start", "--data", node.data, "--port", 0)
    (node.data / "meta.properties").write_text("junk")
    assert "meta.properties: it names no version" in refused(
        "start", "--data", node.data, "--port", 0
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-t", "c", "-c", "none"], "none: there is no such file"),
        (["-t", "", "-c", "server.properties"], "--cluster-id is empty"),
        (["-t", "c", "-c", "server.properties", "-f", "nope=3"], "Unsupported feature: nope"),
        (["-t", "c", "-c", "server.properties", "-r", "9.9"], "Unknown metadata.version '9.9'"),
        (["-t", "c", "-c", "server.properties", "-S", "junk"], "not junk"),
    ],
)
def test_what_cannot_be_formatted_is_refused(refused, arguments, sentence):
    assert sentence in refused("format", *arguments)
