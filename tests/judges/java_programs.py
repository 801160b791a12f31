"""Runs Java programs of ours, with jars on the class path.

A program is compiled once for all tests of all runs, and its classes are kept beside the jars: from
its source Java would compile it at every start, which takes ten times as long as the start itself.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.judges.kafka_jars import CACHE, class_path, message_jars
from tests.judges.kafka_node import JVM

PROGRAMS = Path(__file__).parents[1] / "interop" / "java"
COMPILED = CACHE / "compiled"
HEAP = "300m"
JARS = "message.jars"
"""The property by which a program knows the jars that hold messages."""
TIMEOUT_S = 600


def run_java(libs: Path, program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `program.java` to its end; what it printed and its status are in the answer."""
    jars = os.pathsep.join(map(str, message_jars(libs)))
    virtual_machine = ["java", f"-Xmx{HEAP}", f"-D{JARS}={jars}", "-cp", class_path(libs)]
    return subprocess.run(
        [*compiled(virtual_machine, program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )


def compiled(virtual_machine: Sequence[str], program: str) -> list[str]:
    """The command, which ends with its class path, with `program.java` to be run."""
    java, *flags, path = virtual_machine
    return [java, *JVM, *flags, f"{path}{os.pathsep}{classes_of(program, path)}", program]


@cache
def classes_of(program: str, path: str) -> Path:
    """The folder of its classes; another process may make the same at the same time."""
    source = PROGRAMS / f"{program}.java"
    made_from = f"{os.path.realpath(shutil.which('java') or '')}\n{path}\n{source.read_text()}"
    folder = COMPILED / f"{program}-{sha256(made_from.encode()).hexdigest()[:16]}"
    if not folder.exists():
        COMPILED.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=COMPILED) as beside:
            made = Path(beside) / program
            quick = (f"-J{flag}" for flag in JVM)
            command = ["javac", *quick, "-nowarn", "-d", str(made), "-cp", path, str(source)]
            subprocess.run(command, check=True, capture_output=True, timeout=TIMEOUT_S)
            with suppress(OSError):
                made.rename(folder)
    return folder
