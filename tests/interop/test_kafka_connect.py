"""Kafka Connect, unmodified, carries lines from a file through a node of ours into a file.

Standalone it keeps its offsets in a file, and is given its connectors as files. Distributed it
keeps all in topics of the node, agrees with itself over the group protocol `connect`, and is given
its connectors over HTTP; its source then writes each line in a transaction.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.judges.kafka_node import free_ports
from tests.judges.kafka_tools import KafkaTools, java

pytestmark = pytest.mark.judge

Found = TypeVar("Found")
MAIN = "org.apache.kafka.connect.cli.Connect"
KINDS = ("config", "offset", "status")
SECONDS_MAX = 60
POLL_S = 0.1
SETTINGS = {
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "offset.flush.interval.ms": "200",
    "plugin.discovery": "service_load",
}


class Carrying:
    """A worker with two connectors: `in.txt` to a topic, and the topic to `out.txt`."""

    def __init__(
        self, folder: Path, libs: Path, place: str, topic: str, *, replicas: int = 1
    ) -> None:
        self.folder = folder
        self._replicas = replicas
        """Of the topics of a distributed worker."""
        self.connectors = {
            "source": {"connector.class": "FileStreamSource", "topic": topic},
            f"sink-{topic}": {"connector.class": "FileStreamSink", "topics": topic},
        }
        for file, settings in zip(("in.txt", "out.txt"), self.connectors.values(), strict=True):
            settings["file"] = str(folder / file)
            (folder / file).touch()
        (port,) = free_ports(1)
        self.rest = f"http://127.0.0.1:{port}"
        self.settings = {**SETTINGS, "bootstrap.servers": place, "listeners": self.rest}
        (folder / "log4j2.properties").write_text("rootLogger.level=OFF\n")
        self._java = java(libs, folder)

    @contextmanager
    def standalone(self) -> Iterator[None]:
        worker = {**self.settings, "offset.storage.file.filename": str(self.folder / "offsets")}
        files = [
            self._written(name, {"name": name, **its}) for name, its in self.connectors.items()
        ]
        with self._running("Standalone", [self._written("worker", worker), *files]):
            yield

    @contextmanager
    def distributed(self, name: str) -> Iterator[None]:
        kept = {f"{kind}.storage.topic": f"{name}-{kind}" for kind in KINDS}
        copies = {f"{kind}.storage.replication.factor": f"{self._replicas}" for kind in KINDS}
        exactly_once = {"exactly.once.source.support": "enabled"}
        worker = {**self.settings, **kept, **copies, **exactly_once, "group.id": name}
        with self._running("Distributed", [self._written("worker", worker)]):
            for connector, its in self.connectors.items():
                wait_for(partial(self._has_taken, connector, its), bool)
            yield

    def add(self, lines: list[str]) -> None:
        with (self.folder / "in.txt").open("a") as file:
            file.writelines(f"{line}\n" for line in lines)

    def carried(self, count: int) -> list[str]:
        """The lines that have come out, when there are `count`, or when there should be."""
        out = self.folder / "out.txt"
        return wait_for(lambda: out.read_text().splitlines(), lambda found: len(found) >= count)

    def _written(self, name: str, settings: dict[str, str]) -> str:
        path = self.folder / f"{name}.properties"
        path.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        return str(path)

    @contextmanager
    def _running(self, mode: str, files: list[str]) -> Iterator[None]:
        """Until it has stopped in order."""
        with (self.folder / "connect.log").open("a") as log:
            command = [*self._java, MAIN + mode, *files]
            process = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                yield
            finally:
                process.terminate()
                process.wait(SECONDS_MAX)

    def _has_taken(self, connector: str, settings: dict[str, str]) -> bool:
        request = Request(
            f"{self.rest}/connectors/{connector}/config",
            data=json.dumps(settings).encode(),
            headers={"Content-Type": "application/json"},
            method="PUT",
        )
        with suppress(URLError, ConnectionError), urlopen(request, timeout=SECONDS_MAX) as answer:
            return bool(answer.status < 300)
        return False


def wait_for(look: Callable[[], Found], is_enough: Callable[[Found], bool]) -> Found:
    deadline = time.monotonic() + SECONDS_MAX
    while not is_enough(found := look()) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    return found


EARLY = [f"early {number}" for number in range(500)]
LATE = [f"late {number}" for number in range(500)]


@pytest.fixture
def carrying(connect_libs, tools: KafkaTools, topic, tmp_path):
    tools.run("topics", f"--create --topic {topic} --partitions 1")
    return Carrying(tmp_path, connect_libs, tools.bootstrap, topic)


def test_lines_are_carried_once_and_on_after_a_restart(carrying: Carrying, tools, topic):
    with carrying.standalone():
        carrying.add(EARLY)
        assert carrying.carried(500) == EARLY
    with carrying.standalone():
        carrying.add(LATE)
        assert carrying.carried(1000) == EARLY + LATE
    described = tools.run("consumer-groups", f"--describe --group connect-sink-{topic}")
    numbers = [line.split()[1:4] for line in described.splitlines()]
    assert [topic, "0", "1000"] in numbers


@pytest.mark.long
def test_a_cluster_of_workers_keeps_its_state_in_topics(carrying: Carrying, tools, topic):
    with carrying.distributed(f"{topic}-workers"):
        carrying.add(EARLY)
        assert carrying.carried(500) == EARLY
    with carrying.distributed(f"{topic}-workers"):
        carrying.add(LATE)
        assert carrying.carried(1000) == EARLY + LATE
    assert f"{topic}-workers" in tools.run("groups", "--list --protocol connect")
