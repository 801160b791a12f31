"""The load: programs that are not ours, the same for both sides.

`LoadMachine` is one Java virtual machine that runs Kafka's own command-line tools by their `main`,
one after the other, for both sides in turns. It stays for the whole run: so neither side pays for
the start of a client, and both meet the same warm one. It needs `ProducerPerformance` and its
kin unchanged, and hands back what they print.

`run_program` starts a Python module as a process of its own, such as one of
`bench/versus/clients/` that drives librdkafka, and hands back the JSON that it prints.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from base64 import b64decode, b64encode
from pathlib import Path

from bench.versus.processes import end, spawn
from tests.judges.java_programs import PROGRAMS
from tests.judges.kafka_node import LOGGING

HEAP = "512m"
"""That of kafka-producer-perf-test and kafka-consumer-perf-test."""
TIMEOUT_S = 180.0
PRODUCER = "org.apache.kafka.tools.ProducerPerformance"
CONSUMER = "org.apache.kafka.tools.ConsumerPerformance"


class LoadFailedError(Exception):
    """A load generator left with an error, or took too long; its last words are inside."""


class LoadMachine:
    """See the head of the file."""

    def __init__(self, libs: Path, folder: Path) -> None:
        self._libs = libs
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def run(self, tool: str, *arguments: object) -> str:
        """What the tool, a class, prints; it gets its arguments as they are."""
        process = self._up()
        words = (tool, "", *map(str, arguments))
        assert process.stdin is not None
        process.stdin.write(" ".join(b64encode(word.encode()).decode() for word in words) + "\n")
        process.stdin.flush()
        status, _, printed = self._answer(process, tool).partition(" ")
        text = b64decode(printed).decode()
        if status != "0":
            raise LoadFailedError(f"{tool} left with {status}: {text[-500:]}")
        return text

    def end(self) -> None:
        if self._process is not None:
            end(self._process)
            self._process = None

    def _up(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            logging = self._folder / "log4j2.properties"
            logging.write_text(LOGGING)
            flags = [f"-Xmx{HEAP}", f"-Dlog4j2.configurationFile={logging}"]
            program = PROGRAMS / "RunTools.java"
            with (self._folder / "java.log").open("ab") as log:
                self._process = spawn(
                    ["java", *flags, "-cp", f"{self._libs}/*", program],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                )
        return self._process

    def _answer(self, process: subprocess.Popen[str], tool: str) -> str:
        assert process.stdout is not None
        until_s = time.monotonic() + TIMEOUT_S
        ready, _, _ = select.select([process.stdout], [], [], until_s - time.monotonic())
        line = process.stdout.readline() if ready else ""
        if not line:
            self.end()
            why = f"took more than {TIMEOUT_S:g} s" if not ready else "ended its virtual machine"
            raise LoadFailedError(f"{tool} {why}.")
        return line.rstrip("\n")


def run_program(module: str, *arguments: object, timeout_s: float = TIMEOUT_S) -> dict[str, float]:
    """The JSON object that `python -m MODULE ARGUMENTS` prints."""
    words = [sys.executable, "-m", module, *map(str, arguments)]
    process = spawn(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        printed, complained = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired as error:
        raise LoadFailedError(f"{module} took more than {timeout_s:g} s.") from error
    finally:
        end(process)
    if process.returncode:
        raise LoadFailedError(f"{module} left with {process.returncode}: {complained[-500:]}")
    answer: dict[str, float] = json.loads(printed)
    return answer
