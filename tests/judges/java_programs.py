"""Runs Java programs of ours, from source, with Apache Kafka's jars on the class path."""

from __future__ import annotations

import subprocess
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "interop" / "java"
HEAP = "300m"
TIMEOUT_S = 600


def run_java(libs: Path, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `program.java` to its end; what it printed and its status are in the answer."""
    command = ["java", f"-Xmx{HEAP}", "-cp", f"{libs}/*", str(PROGRAMS / f"{program}.java")]
    return subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S
    )
