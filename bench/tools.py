"""How soon a tool has its first output, beside Kafka's own in Java.

A node of ours runs; each tool is started several times, ours and Java's in turn, and what counts is
the time from the start of the process to its first byte of output; beside it stands the processor's
time, which other work on the machine changes less. Our modules are compiled to bytecode before, as
an installation does it, even where the environment forbids to keep that. Java's tools run with the
jars that the tests use, and with the flags of kafka-run-class.sh that matter for a start. The
goals: 150 ms until the first output, and a tenth of Java's time.

    python -m bench.tools [--rounds 7]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

from tests.interop.running_node import running_node
from tests.judges.kafka_jars import class_path, find_kafka_libs
from tests.judges.kafka_tools import TOOLS

MOLDAU = (sys.executable, "-m", "moldau")
JAVA = ("java", "-Xmx256M", "-XX:TieredStopAtLevel=1", "-Dlog4j2.level=OFF")
CALLS = (
    ("topics", "--list"),
    ("topics", "--describe"),
    ("consumer-groups", "--list"),
    ("get-offsets", ""),
    ("configs", "--describe --entity-type brokers"),
    ("broker-api-versions", ""),
)
WITHOUT_A_CLUSTER = ("--version", "--help", "topics --help", "completion words -- topics --de")


class Took(NamedTuple):
    """By one call."""

    first_ms: float
    cpu_ms: float


def took(command: list[str], environment: Mapping[str, str]) -> Took:
    used, begun = cpu_s(), time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        first_ms = (time.perf_counter() - begun) * 1000
        process.stdout.read()
    return Took(first_ms, (cpu_s() - used) * 1000)


def cpu_s() -> float:
    """Of all children that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(command: list[str], environment: Mapping[str, str], rounds: int) -> list[Took]:
    took(command, environment)  # so that compiled modules are there
    return sorted(took(command, environment) for _ in range(rounds))


def first_ms(found: list[Took]) -> float:
    return statistics.median(one.first_ms for one in found)


def shown(found: list[Took]) -> str:
    """The median, what lies around it, and the least of the processor's time."""
    around = f"({found[0].first_ms:.0f}-{found[-1].first_ms:.0f})"
    return f"{first_ms(found):>6.0f} {around:>12} {min(one.cpu_ms for one in found):>6.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print(f"medians of {rounds} rounds, with the least and the most, and the least CPU time")
    print(f"{'call':<42} {'moldau ms':>19} {'CPU':>6} {'java ms':>19} {'CPU':>6} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as compiled:
        ours = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        for words in WITHOUT_A_CLUSTER:
            print(f"{words:<42} {shown(measured([*MOLDAU, *words.split()], ours, rounds))}")
        with running_node(Path(folder)) as bootstrap:
            beside_java(bootstrap, ours, rounds)


def beside_java(bootstrap: str, environment: Mapping[str, str], rounds: int) -> None:
    java = [*JAVA, "-cp", class_path(find_kafka_libs())]
    server = ["--bootstrap-server", bootstrap]
    create = [*MOLDAU, "topics", *server, "--create", "--topic", "orders"]
    subprocess.run(create, check=True, stdout=subprocess.DEVNULL)
    for tool, words in CALLS:
        given = [*server, *words.split()]
        ours = measured([*MOLDAU, tool, *given], environment, rounds)
        theirs = measured([*java, TOOLS[tool], *given], os.environ, rounds)
        ratio = first_ms(ours) / first_ms(theirs)
        print(f"{f'{tool} {words}':<42} {shown(ours)} {shown(theirs)} {ratio:>6.2f}")


if __name__ == "__main__":
    main()
