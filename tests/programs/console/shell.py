"""A command that the console shows, as a person pastes it into a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def pasted(command: str, folder: Path, typed: str = "") -> str:
    """What it prints; `typed` is what it reads from the terminal."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        input=typed,
        check=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout
