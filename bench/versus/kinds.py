"""A node of each kind: the same verbs, the same settings, one process each.

Both get one file of settings, the same but for ports and directories: a broker that is its own
controller, and as many copies of internal topics as one node can hold. All else is the default of
each. Apache Kafka's virtual machine gets the flags of its own start script, 1 GiB of heap among
them; ours has no flags.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.versus import meter
from bench.versus.asking import HOST, POLL_S, SOON_S, Connection, answers
from bench.versus.processes import SetupError, end, spawn
from bench.versus.sides import START_TIMEOUT_S, Side
from tests.judges.kafka_node import CLUSTER_ID, LOGGING, free_ports

STOP_TIMEOUT_S = 120.0
FORMAT_TIMEOUT_S = 60.0
SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
}
"""What both are given beyond their defaults; ports and directories come with it."""
SETTINGS_OF_THREE = {
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.min.isr": "2",
    "min.insync.replicas": "2",
}
"""And in place of some of them to each of three nodes."""
RUN_CLASS_FLAGS = (
    "-server",
    "-XX:+UseG1GC",
    "-XX:MaxGCPauseMillis=20",
    "-XX:InitiatingHeapOccupancyPercent=35",
    "-XX:+ExplicitGCInvokesConcurrent",
    "-Djava.awt.headless=true",
)
"""Those of kafka-run-class for every program."""
JVM_FLAGS = ("-Xmx1g", "-Xms1g", *RUN_CLASS_FLAGS)
"""With those of kafka-server-start."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which node of a cluster it is, and where all of its controllers listen."""

    node_id: int
    port: int
    controller_port: int
    voters: str

    @classmethod
    def alone(cls) -> Place:
        return cls.together(1)[0]

    @classmethod
    def together(cls, count: int) -> list[Place]:
        ports = free_ports(2 * count)
        mine, controllers = ports[::2], ports[1::2]
        voters = ",".join(f"{index + 1}@{HOST}:{port}" for index, port in enumerate(controllers))
        return [
            cls(index + 1, port, controller_port, voters)
            for index, (port, controller_port) in enumerate(zip(mine, controllers, strict=True))
        ]


class Node(Side):
    """One process, in a folder of its own."""

    environment: ClassVar[Mapping[str, str]] = {}
    """What it finds beside what we were given."""

    def __init__(self, folder: Path, place: Place | None = None) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.place = place or Place.alone()
        self.port, self.controller_port = self.place.port, self.place.controller_port
        self._process: subprocess.Popen[str] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._settings_file.write_text("".join(f"{k}={v}\n" for k, v in self.settings().items()))
        (folder / "log4j2.properties").write_text(LOGGING)
        if not (self.data / "meta.properties").exists():
            self._run_to_its_end(self._format_command())

    @abstractmethod
    def _start_command(self) -> list[str | Path]: ...

    @abstractmethod
    def _format_command(self) -> list[str | Path]: ...

    @property
    def bootstrap(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def process_id(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_up(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def settings(self) -> dict[str, str]:
        listeners = f"PLAINTEXT://{self.bootstrap},CONTROLLER://{HOST}:{self.controller_port}"
        shared = SETTINGS | (SETTINGS_OF_THREE if "," in self.place.voters else {})
        return shared | {
            "node.id": str(self.place.node_id),
            "listeners": listeners,
            "controller.quorum.voters": self.place.voters,
            "log.dirs": str(self.data),
        }

    def start(self) -> float:
        began_s = time.monotonic()
        self.begin()
        while not answers(self.port):
            if not self.is_up or time.monotonic() - began_s > START_TIMEOUT_S:
                self.kill()
                raise SetupError(f"{self.name} did not start: {self.last_words()}")
            time.sleep(SOON_S)
        answered_s = time.monotonic() - began_s
        with Connection(self.port) as connection:
            while not connection.has_brokers():
                time.sleep(POLL_S)
        return answered_s

    def begin(self) -> None:
        """Start its process, and wait for nothing."""
        assert not self.is_up
        with self._log.open("ab") as output:
            self._process = spawn(
                self._start_command(), stdout=output, stderr=output, environment=self.environment
            )

    def stop(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_TIMEOUT_S)
        finally:
            self.kill()

    def kill(self) -> None:
        if self._process is not None:
            end(self._process)
            self._process = None

    def cpu_s(self) -> float:
        return meter.cpu_s(self.process_id)

    def memory_mb(self) -> float:
        return meter.memory_mb(self.process_id)

    def last_words(self) -> str:
        output = self._log.read_text(errors="replace") if self._log.exists() else ""
        lines = [line for line in output.splitlines() if line.strip()]
        return lines[-1][:300] if lines else "it wrote nothing."

    def _run_to_its_end(self, command: list[str | Path]) -> None:
        with self._log.open("ab") as output:
            process = spawn(command, stdout=output, stderr=output)
        try:
            status = process.wait(FORMAT_TIMEOUT_S)
        finally:
            end(process)
        if status:
            raise SetupError(f"{self.name} could not be formatted: {self.last_words()}")

    @property
    def _settings_file(self) -> Path:
        return self.folder / "server.properties"

    @property
    def _log(self) -> Path:
        return self.folder / "output.log"


class ApacheKafka(Node):
    """Apache Kafka 4.3.1, from its own jars."""

    name = "Apache Kafka"
    is_ours = False

    def __init__(self, folder: Path, libs: Path, place: Place | None = None) -> None:
        self._libs = libs
        super().__init__(folder, place)

    def _java(self, *flags: str, main: str) -> list[str | Path]:
        logging = f"-Dlog4j2.configurationFile={self.folder / 'log4j2.properties'}"
        return ["java", *flags, logging, "-cp", f"{self._libs}/*", main]

    def _start_command(self) -> list[str | Path]:
        return [*self._java(*JVM_FLAGS, main="kafka.Kafka"), self._settings_file]

    def _format_command(self) -> list[str | Path]:
        java = self._java("-Xmx128m", main="kafka.tools.StorageTool")
        return [*java, "format", "-t", CLUSTER_ID, "-c", self._settings_file]


class Moldau(Node):
    """Ours, in the Python that runs this."""

    name = "Moldau"
    is_ours = True
    environment: ClassVar[Mapping[str, str]] = {"PYTHONDONTWRITEBYTECODE": ""}
    """Modules are compiled once, as they are where it is installed."""

    def _start_command(self) -> list[str | Path]:
        return [sys.executable, "-m", "moldau", "start", "--config", self._settings_file]

    def _format_command(self) -> list[str | Path]:
        python = [sys.executable, "-m", "moldau", "format"]
        return [*python, "-t", CLUSTER_ID, "-c", self._settings_file]
