"""A shell for the blocks of one page: `$ COMMAND`, and below it what the command prints.

    $ moldau start
    moldau: ready on 127.0.0.1:9092

`moldau start` goes on until the page ends, with its log in a file; every other command ends before
the next one begins, and all that it prints is compared with what is shown. There `…` stands for
anything within a line, and a line `…` for any lines. Well-known ports are replaced by free ones,
alike in commands, programs and what they print. Kafka's tools are on the PATH where there is Java.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import moldau.testing
from tests.docs.pages import Page
from tests.examples.running import agrees
from tests.judges.kafka_jars import MissingJudge, find_kafka_libs
from tests.judges.kafka_node import LOGGING, free_ports
from tests.judges.kafka_tools import TOOLS

PORTS = ("8080", "8082", "9092", "9093", "9094", "9095", "9404", "19092")
QUICK_GROUPS = {
    "group.initial.rebalance.delay.ms": "0",
    "group.share.min.heartbeat.interval.ms": "500",
    "group.share.heartbeat.interval.ms": "500",
}
"""What members wait for is done soon; the answers are the same."""
TIMEOUT_S = 100
STEP = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<shown>(?:(?!\$ ).*\n)*)", re.MULTILINE)
START = "moldau start"
FAILS = re.compile(r"^moldau \S+: ", re.MULTILINE)
"""How a command of ours begins the sentence with which it refuses."""


class Step(NamedTuple):
    """A command and what it prints."""

    command: str
    shown: str


def console_steps(block: str) -> list[Step]:
    return [Step(found["command"], found["shown"]) for found in STEP.finditer(block)]


class PageShell:
    """See the head of the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ports = dict(zip(PORTS, map(str, free_ports(len(PORTS))), strict=True))
        self._nodes: list[subprocess.Popen[str]] = []
        self._inside: moldau.testing.Node | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for node in self._nodes:
            node.terminate()
            code = node.wait(TIMEOUT_S)
            assert node.stdout is not None
            node.stdout.close()
            assert code == 0
        if self._inside is not None:
            self._inside.__exit__(kind, error, trace)

    def adapted(self, text: str) -> str:
        """With free ports in place of the well-known ones."""
        return re.sub(rf"\b({'|'.join(PORTS)})\b", lambda found: self._ports[found[0]], text)

    def start_node_if_named(self, page: Page) -> None:
        """For a page that takes it for granted that a node runs."""
        if any("localhost:9092" in text for _, text in page.blocks):
            port = int(self._ports["9092"])
            self._inside = moldau.testing.Node(port=port, settings=QUICK_GROUPS)
            self._inside.__enter__()

    def write(self, block: str) -> None:
        """A file of settings that begins with its name: `# server.properties`."""
        name = re.match(r"# (\w+\.properties)\n", block)
        if name:
            (self.folder / name[1]).write_text(self.adapted(block))

    def run(self, step: Step) -> None:
        command, shown = self.adapted(step.command), self.adapted(step.shown)
        if command.startswith(START) and not FAILS.search(shown):
            self._start(command, shown)
            return
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_S,
        )
        refuses = FAILS.search(shown) is not None
        report = f"$ {command}\nshown:\n{shown}\nprinted:\n{done.stdout}"
        assert (done.returncode != 0) == refuses, report
        assert agrees(shown, done.stdout), report

    def _start(self, command: str, shown: str) -> None:
        if not re.search(r"--(?:port|listen|config)\b", command):
            command += f" --port {self._ports['9092']}"
        log = self.folder / f"node-{len(self._nodes)}.log"
        node = subprocess.Popen(
            ["bash", "-c", f"exec {command} 2>{log}"],
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        self._nodes.append(node)
        assert node.stdout is not None
        printed = node.stdout.readline()
        assert agrees(shown, printed), f"{shown}{printed}{log.read_text()}"

    def _environment(self) -> dict[str, str]:
        path = [str(Path(sys.executable).parent), str(self._tools()), os.environ["PATH"]]
        return {**os.environ, "PATH": ":".join(path)}

    def _tools(self) -> Path:
        """A folder with Kafka's tools under the names that they have in Kafka's own."""
        tools = self.folder / ".tools"
        if tools.exists():
            return tools
        tools.mkdir()
        try:
            libs = find_kafka_libs()
        except MissingJudge:
            return tools
        (tools / "log4j2.properties").write_text(LOGGING)
        java = f"java -Xmx192m -Dlog4j2.configurationFile={tools}/log4j2.properties"
        for name, main in TOOLS.items():
            script = tools / f"kafka-{name}.sh"
            script.write_text(f"#!/bin/sh\nexec {java} -cp '{libs}/*' {main} \"$@\"\n")
            script.chmod(0o755)
        return tools
