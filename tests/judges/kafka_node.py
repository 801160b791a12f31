"""One real node of Apache Kafka, broker and controller, on free ports of the loopback.

    node = KafkaNode(libs, folder)      formatted by Kafka's own storage tool
    node.start()                        returns when clients can connect
    node.stop()                         in order, as an operator does
    node.kill()                         as a power loss does to a process

Ports and data directory stay the same from start to start. A fixture gives nodes out
(`tests/interop/conftest.py`) and kills what is left. A small heap, a plain compiler and classes
that are shared make it start in two seconds; what it says goes to `node.log` in its folder,
warnings and worse only.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from random import SystemRandom

from tests.judges.kafka_archive import archive_of
from tests.judges.kafka_jars import SERVER, class_path

CLUSTER_ID = "bW9sZGF1LWp1ZGdlLTAwMQ"
NODE_ID = 1
HOST = "127.0.0.1"
HEAP = "160m"
TOOL_HEAP = "128m"
START_TIMEOUT_S = 90
STOP_TIMEOUT_S = 60
TOOL_TIMEOUT_S = 120
POLL_S = 0.05
PORTS = range(20_000, 32_000)
"""Below those that Linux gives to connections, so that none takes one before its node does."""
TRIES_MAX = 1_000
JVM = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
"""They start sooner and take less memory; these nodes are not measured."""
SETTINGS = {
    "process.roles": "broker,controller",
    "node.id": str(NODE_ID),
    "controller.listener.names": "CONTROLLER",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
    "auto.create.topics.enable": "false",
    "log.cleaner.dedupe.buffer.size": "4194304",
    "log.cleaner.backoff.ms": "100",
}
NOTHING_EXPIRES = {
    "log.retention.check.interval.ms": "86400000",
    "log.initial.task.delay.ms": "86400000",
}
"""For nodes of many tests: records with times of 1970 are deleted by the next check otherwise."""
LOGGING = """\
rootLogger.level=WARN
rootLogger.appenderRef.c.ref=c
appender.c.type=Console
appender.c.name=c
appender.c.target=SYSTEM_ERR
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=[%d] %p %m (%c)%n
"""


class NodeFailedError(Exception):
    """The node or a tool of it did not do what it was asked; its last words are inside."""


class KafkaNode:
    """See the head of the file."""

    def __init__(
        self,
        libs: Path,
        folder: Path,
        *,
        settings: Mapping[str, str],
        data: Path | None = None,
        ports: Sequence[int] | None = None,
        format_with: Sequence[str] = (),
        shared_classes: Sequence[str] | None = None,
    ) -> None:
        self.libs = libs
        if shared_classes is None:
            shared_classes = classes_of(libs)
        self._shared_classes = shared_classes
        self.folder = folder
        self.data = data or folder / "data"
        self.client_port, self.controller_port = ports or free_ports(2)
        self._serving_port = self.client_port
        self._process: subprocess.Popen[bytes] | None = None
        self._write_settings(settings)
        (folder / "log4j2.properties").write_text(LOGGING)
        if not (self.data / "meta.properties").exists():
            options = ("-t", CLUSTER_ID, "-c", self.settings_file, *format_with)
            self.run("kafka.tools.StorageTool", "format", *options)

    def __repr__(self) -> str:
        return f"KafkaNode({self.bootstrap}, {'up' if self.is_up else 'down'}, {self.data})"

    @property
    def bootstrap(self) -> str:
        """Where clients connect."""
        return f"{HOST}:{self.client_port}"

    @property
    def is_up(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Return when clients can connect."""
        self.begin()
        self.wait_ready()

    def begin(self) -> None:
        """Have the process, and do not wait for it."""
        assert not self.is_up
        with (self.folder / "node.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._java(HEAP, "kafka.Kafka", self.settings_file),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # a Ctrl-C for the tests is not one for the node
            )

    def wait_ready(self) -> None:
        """Return when clients can connect."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._accepts():
            if not self.is_up or time.monotonic() > deadline:
                self.kill()
                raise NodeFailedError(f"Apache Kafka did not start: {self.last_words()}")
            time.sleep(POLL_S)

    def stop(self) -> None:
        """In order: logs are closed, checkpoints and the mark of a clean stop are written."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            self.kill()
            raise NodeFailedError(f"Apache Kafka did not stop: {self.last_words()}") from error

    def kill(self) -> None:
        """At once, wherever it is; nothing happens to a node that is down."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def pause(self) -> None:
        """It stands still, and its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def run(self, main: str, *arguments: object) -> str:
        """What one of Kafka's tools prints; `main` is its class."""
        done = subprocess.run(
            self._java(TOOL_HEAP, main, *arguments),
            capture_output=True,
            encoding="utf-8",
            timeout=TOOL_TIMEOUT_S,
        )
        if done.returncode:
            raise NodeFailedError(f"{main} failed: {done.stderr or done.stdout}")
        return done.stdout + done.stderr

    def last_words(self) -> str:
        return (self.folder / "node.log").read_text(errors="replace")[-2000:] or "it wrote nothing"

    @property
    def settings_file(self) -> Path:
        """The node's settings, as a file of properties."""
        return self.folder / "node.properties"

    def _write_settings(self, given: Mapping[str, str]) -> None:
        settings = {
            **SETTINGS,
            "log.dirs": str(self.data),
            "listeners": f"PLAINTEXT://{self.bootstrap},CONTROLLER://{HOST}:{self.controller_port}",
            "controller.quorum.voters": f"{NODE_ID}@{HOST}:{self.controller_port}",
            **given,
        }
        if "broker" not in settings["process.roles"]:
            self._serving_port = self.controller_port
        self.settings_file.write_text(properties(settings))

    def _java(self, heap: str, main: str, *arguments: object) -> list[str]:
        logging = f"-Dlog4j2.configurationFile={self.folder / 'log4j2.properties'}"
        flags = (f"-Xmx{heap}", *JVM, *self._shared_classes, logging)
        return ["java", *flags, "-cp", class_path(self.libs), main, *map(str, arguments)]

    def _accepts(self) -> bool:
        try:
            socket.create_connection((HOST, self._serving_port), timeout=1).close()
        except OSError:
            return False
        return True


@cache
def classes_of(libs: Path) -> tuple[str, ...]:
    """Flags by which a machine whose class path begins with these jars shares loaded classes."""
    if libs != SERVER.libs:
        return ()

    def run_a_node(flags: tuple[str, ...]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            node = KafkaNode(libs, Path(folder), settings={}, shared_classes=flags)
            node.start()
            node.stop()

    return archive_of(libs, run_a_node)


def properties(settings: Mapping[str, str]) -> str:
    """A file of settings; what is set to nothing is left out."""
    return "".join(f"{key}={value}\n" for key, value in settings.items() if value)


def free_ports(count: int) -> list[int]:
    """Ports without a listener now, all different."""
    found: list[int] = []
    draw = SystemRandom()  # the seeded one would draw the same in every process of a run
    with ExitStack() as stack:
        for _ in range(TRIES_MAX):
            port = draw.choice(PORTS)
            with suppress(OSError):
                stack.enter_context(socket.create_server((HOST, port)))
                found.append(port)
            if len(found) == count:
                return found
    raise OSError(f"{TRIES_MAX} ports from {PORTS[0]} on were tried, and all but few are taken")
