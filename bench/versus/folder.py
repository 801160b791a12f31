"""The folder that a run works in, and leaves nothing of."""

from __future__ import annotations

import tempfile
from pathlib import Path

from bench.versus.processes import SetupError


def temporary_folder(parent: Path | None) -> tempfile.TemporaryDirectory[str]:
    """In `parent`, or where the system keeps such folders."""
    if parent is not None and not parent.is_dir():
        raise SetupError(f"{parent} is no folder: name one that exists with --work.")
    return tempfile.TemporaryDirectory(prefix="versus-", dir=parent, ignore_cleanup_errors=True)
