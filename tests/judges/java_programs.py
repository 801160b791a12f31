"""Runs Java programs of ours, from source, with Apache Kafka's jars on the class path."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.judges.kafka_jars import class_path, message_jars

PROGRAMS = Path(__file__).parents[1] / "interop" / "java"
HEAP = "300m"
JARS = "message.jars"
"""The property by which a program knows the jars that hold messages."""
TIMEOUT_S = 600


def run_java(libs: Path, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `program.java` to its end; what it printed and its status are in the answer."""
    jars = os.pathsep.join(map(str, message_jars(libs)))
    virtual_machine = ["java", f"-Xmx{HEAP}", f"-D{JARS}={jars}", "-cp", class_path(libs)]
    command = [*virtual_machine, str(PROGRAMS / f"{program}.java")]
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S
    )
