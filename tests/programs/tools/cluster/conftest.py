"""`call` runs a command at a node that runs for all tests of a process: its code and its lines."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Callable, Iterator
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from moldau.client import Producer
from moldau.client.admin import Admin, NewTopic
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.platform.system.waiting import wait_seconds
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.interop.running_node import running_node

Call = Callable[..., tuple[int, list[str]]]


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_node(tmp_path_factory.mktemp("cluster")) as bootstrap:
        yield bootstrap


@pytest.fixture
def errors() -> StringIO:
    """What the last calls wrote to standard error."""
    return StringIO()


@pytest.fixture
def call(node: str, errors: StringIO) -> Call:
    def run(words: str, typed: bytes = b"") -> tuple[int, list[str]]:
        raw = BytesIO()
        out = TextIOWrapper(raw, encoding="utf-8", write_through=True)
        world = World(
            files=SystemFiles(),
            clock=SystemClock(),
            random=SystemRandom(),
            out=out,
            errors=errors,
            typed=typed.splitlines(keepends=True),
            wait=wait_seconds,
        )
        command, *rest = shlex.split(words)
        server = "-b" if command == "cat" else "--bootstrap-server"
        code = run_command([command, server, node, *rest], world)
        return code, raw.getvalue().decode().splitlines()

    return run


@pytest.fixture
def topic(node: str) -> str:
    """A new one, with two partitions and three records, of which one has a header and no text."""
    name = f"topic-{uuid.uuid4().hex[:12]}"
    with Admin(node) as admin:
        admin.create_topics([NewTopic(name, partitions=2, replication_factor=1)]).all()
    with Producer(node) as producer:
        producer.send(name, b"one", key=b"k", partition=0, timestamp=1000)
        producer.send(name, None, key=b"k", partition=0, timestamp=2000)
        producer.send(name, b"\xff", partition=1, timestamp=3000, headers=[("h", b"1")])
    return name


@pytest.fixture
def group(node: str, topic: str) -> str:
    """One that has read one of the three records of the topic."""
    name = f"group-{topic}"
    with Admin(node) as admin:
        admin.alter_consumer_group_offsets(name, {(topic, 0): 1, (topic, 1): 0}).all()
    return name
