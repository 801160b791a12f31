"""The example of each command of ours is run, as the page of commands shows it."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from moldau.client import Producer
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.examples import EXAMPLES
from moldau.programs.tools.main import COMMANDS, run_command
from tests.interop.running_node import running_node

GUARD = {
    "authorizer_class_name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super_users": "User:ANONYMOUS",
}
SETTINGS = """\
process.roles=broker,controller
node.id=1
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0
log.dirs=formatted
"""
FILES = {
    "server.properties": SETTINGS,
    "order.avsc": '{"type": "record", "name": "Order", "fields": []}',
    "wanted.yaml": "topics: {orders: {configs: {retention.ms: 90000000}}}",
}
BROKER, REGISTRY = "localhost:9092", "localhost:8081"
SERVERS = ("start", "server-start", "registry", "burrow", "probe", "rest", "console")
"""Commands that go on until they are ended."""
AT_LENGTH = {"demo", "lake", *SERVERS} - {"start"}
REFUSED = {"server-stop": "No kafka server to stop"}
"""What the example says where there is nothing to be done."""
READY = "ready on "
STOP_S = 60


def ran(words: list[str]) -> tuple[int, str]:
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    return run_command(words, world), out.getvalue()


@pytest.fixture(scope="module")
def served(tmp_path_factory) -> Iterator[tuple[Path, str]]:
    """A folder with the files that examples name, and where its node listens."""
    folder = tmp_path_factory.mktemp("examples")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    with running_node(folder, **GUARD) as bootstrap:
        server = ["--bootstrap-server", bootstrap]
        assert (
            ran(["topics", *server, *shlex.split("--create --topic orders --partitions 1")])[0] == 0
        )
        with Producer(bootstrap) as producer:
            producer.send("orders", b"one").result()
        words = "--reset-offsets --group billing --topic orders --to-earliest --execute"
        assert ran(["consumer-groups", *server, *shlex.split(words)])[0] == 0
        words = "--add --allow-principal User:alice --operation Read --topic orders"
        assert ran(["acls", *server, *shlex.split(words)])[0] == 0
        yield folder, bootstrap


def words_of(name: str, bootstrap: str) -> list[str]:
    return [name, *shlex.split(EXAMPLES[name].replace(BROKER, bootstrap))]


def prepare(name: str, folder: Path, bootstrap: str) -> None:
    """What must be there before."""
    match name:
        case "export":
            (folder / "orders.jsonl").unlink(missing_ok=True)
        case "import":
            (folder / "orders.jsonl").unlink(missing_ok=True)
            assert ran(words_of("export", bootstrap))[0] == 0
        case "server-start":
            shutil.rmtree(folder / "formatted", ignore_errors=True)
            assert ran(words_of("format", bootstrap))[0] == 0
        case "format":
            shutil.rmtree(folder / "formatted", ignore_errors=True)
        case "lake":
            deltalake = pytest.importorskip("deltalake")
            pyarrow = pytest.importorskip("pyarrow")
            deltalake.write_deltalake(
                "lake/orders", pyarrow.table({"value": [1]}), mode="overwrite"
            )
        case _:
            pass


def test_each_command_has_one():
    assert EXAMPLES.keys() == {command.name for command in COMMANDS}


ALONE = [name for name in EXAMPLES if name not in (*SERVERS, "schema")]


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.long] if one in AT_LENGTH else []) for one in ALONE],
)
def test_an_example_does_what_it_says(served, name, monkeypatch):
    folder, bootstrap = served
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "home"))
    prepare(name, folder, bootstrap)
    words = words_of(name, bootstrap)
    if name == "server-stop":
        words[-1] = "4711"  # so that no node on this machine is meant
    code, text = ran(words)
    assert (code, bool(text)) == (name in REFUSED, True), text
    assert REFUSED.get(name, "") in text


def begun(name: str, folder: Path, bootstrap: str) -> tuple[subprocess.Popen[str], str]:
    """The process of a server, and where it listens."""
    words = words_of(name, bootstrap)
    words = [word if ":80" not in word else "127.0.0.1:0" for word in words]
    words = ["0" if word == "9092" else word for word in words]
    process = subprocess.Popen(
        [sys.executable, "-m", "moldau", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if READY in line:
            return process, line.partition(READY)[2].split()[0]
    process.wait(STOP_S)
    pytest.fail("".join(lines))


def ended(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGTERM)
    assert process.stdout is not None
    process.stdout.read()
    process.stdout.close()
    return process.wait(STOP_S)


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.long] if one in AT_LENGTH else []) for one in SERVERS],
)
def test_an_example_serves_until_it_is_ended(served, name, monkeypatch):
    folder, bootstrap = served
    monkeypatch.chdir(folder)
    prepare(name, folder, bootstrap)
    process, _ = begun(name, folder, bootstrap)
    assert ended(process) == 0


@pytest.mark.long
def test_the_example_of_schema_registers_one(served, monkeypatch):
    folder, bootstrap = served
    monkeypatch.chdir(folder)
    process, place = begun("registry", folder, bootstrap)
    words = EXAMPLES["schema"].replace(REGISTRY, place)
    code, text = ran(["schema", *shlex.split(words)])
    assert ended(process) == 0
    assert (code, bool(text)) == (0, True), text
