"""How soon a tool has its first output, beside Kafka's own in Java.

A node of ours runs; each tool is started several times, ours and Java's in turn, and what counts is
the time from the start of the process to its first byte of output. Java's tools run with the jars
that the tests use, and with the flags of kafka-run-class.sh that matter for a start. The goals:
150 ms until the first output, and a tenth of Java's time.

    python -m bench.tools [--rounds 7]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.interop.running_node import running_node
from tests.judges.kafka_jars import class_path, find_kafka_libs
from tests.judges.kafka_tools import TOOLS

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


def first_output_ms(command: list[str]) -> float:
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        found = (time.perf_counter() - begun) * 1000
        process.stdout.read()
    return found


def measured_ms(command: list[str], rounds: int) -> list[float]:
    first_output_ms(command)  # so that compiled modules are there
    return sorted(first_output_ms(command) for _ in range(rounds))


def shown(found: list[float]) -> str:
    """The median, and what lies around it."""
    return f"{statistics.median(found):>8.0f} {f'({found[0]:.0f}-{found[-1]:.0f})':>13}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    moldau = [sys.executable, "-m", "moldau"]
    print(f"medians of {rounds} rounds, with the least and the most")
    print(f"{'call':<45} {'moldau ms':>22} {'java ms':>22} {'ratio':>7}")
    for words in WITHOUT_A_CLUSTER:
        print(f"{words:<45} {shown(measured_ms([*moldau, *words.split()], rounds))}")
    java = [*JAVA, "-cp", class_path(find_kafka_libs())]
    with tempfile.TemporaryDirectory() as folder, running_node(Path(folder)) as bootstrap:
        subprocess.run(
            [*moldau, "topics", "--bootstrap-server", bootstrap, "--create", "--topic", "orders"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for tool, words in CALLS:
            given = ["--bootstrap-server", bootstrap, *words.split()]
            ours = measured_ms([*moldau, tool, *given], rounds)
            theirs = measured_ms([*java, TOOLS[tool], *given], rounds)
            ratio = statistics.median(ours) / statistics.median(theirs)
            print(f"{f'{tool} {words}':<45} {shown(ours)} {shown(theirs)} {ratio:>7.2f}")


if __name__ == "__main__":
    main()
