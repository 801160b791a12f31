"""The Java that is installed here, for what runs on one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

__all__ = ["ends_with_its_input", "find_java", "java_version", "version_in"]

ANSWERS_S = 30


def find_java() -> str | None:
    """The program that a script which asks for Java would start."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home, "bin", "java")
        return str(java) if java.exists() else None
    return shutil.which("java")


def java_version(java: str) -> int:
    """The major version; 0 if the program does not print one."""
    try:
        done = subprocess.run(  # noqa: S603 - the program that is about to be run as well
            [java, "-version"], capture_output=True, text=True, timeout=ANSWERS_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    return version_in(done.stderr)


def version_in(text: str) -> int:
    """Java 8 and older call themselves 1.8; later ones begin with their major version."""
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found.group(1)) if found else 0


def ends_with_its_input(java: subprocess.Popen[bytes], patience_s: float) -> bool:
    """Close the standard input of a Java that ends with it; whether it has ended, else kill it."""
    if java.stdin is not None:
        java.stdin.close()
    try:
        java.wait(patience_s)
    except subprocess.TimeoutExpired:
        java.kill()
        java.wait()
        return False
    return True
