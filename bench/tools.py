"""How soon a tool has its first output, beside Kafka's own in Java.

A node of ours runs; each tool is started several times, ours and Java's in turn, and what counts is
the time from the start of the process to its first byte of output; beside it stands the processor's
time, which other work on the machine changes less. Ours is the command that an installation has,
with its modules compiled to bytecode before, even where the environment forbids to keep that.
Java's tools run with the jars that the tests use, in two ways: as kafka-run-class.sh starts them,
with its flags for the heap, the collector and JMX, but without the time of the shell; and with the
flags that let a virtual machine start soonest, which no script of Kafka has. The goals: 150 ms
until the first output, and a tenth of the time that Java's take as people start them.

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

from bench.versus.kinds import RUN_CLASS_FLAGS
from tests.interop.running_node import running_node
from tests.judges.kafka_jars import class_path, find_kafka_libs
from tests.judges.kafka_tools import TOOLS

MOLDAU = (str(Path(sys.executable).with_name("moldau")),)
QUICKEST = ("-Xmx256M", "-XX:TieredStopAtLevel=1", "-Dlog4j2.level=OFF")
AS_SCRIPTS_DO = (
    "-Xmx256M",
    *RUN_CLASS_FLAGS,
    "-Dcom.sun.management.jmxremote=true",
    "-Dcom.sun.management.jmxremote.authenticate=false",
    "-Dcom.sun.management.jmxremote.ssl=false",
    "-Dlog4j2.level=WARN",
)
"""Of kafka-run-class.sh, where its user has set nothing."""
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
    heads = "".join(f" {name:>19} {'CPU':>6}" for name in ("moldau ms", "java ms", "quickest"))
    print(f"{'call':<42}{heads} {'ratio':>6} {'quickest':>9}")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as compiled:
        ours = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        for words in WITHOUT_A_CLUSTER:
            print(f"{words:<42} {shown(measured([*MOLDAU, *words.split()], ours, rounds))}")
        with running_node(Path(folder)) as bootstrap:
            beside_java(bootstrap, ours, rounds)


def beside_java(bootstrap: str, environment: Mapping[str, str], rounds: int) -> None:
    jars = ["-cp", class_path(find_kafka_libs())]
    server = ["--bootstrap-server", bootstrap]
    create = [*MOLDAU, "topics", *server, "--create", "--topic", "orders"]
    subprocess.run(create, check=True, stdout=subprocess.DEVNULL)
    for tool, words in CALLS:
        given = [*server, *words.split()]
        found = [measured([*MOLDAU, tool, *given], environment, rounds)]
        for flags in (AS_SCRIPTS_DO, QUICKEST):
            java = ["java", *flags, *jars, TOOLS[tool], *given]
            found.append(measured(java, os.environ, rounds))
        scripts, quickest = (first_ms(found[0]) / first_ms(one) for one in found[1:])
        times = " ".join(map(shown, found))
        print(f"{f'{tool} {words}':<42} {times} {scripts:>6.2f} {quickest:>9.2f}")


if __name__ == "__main__":
    main()
