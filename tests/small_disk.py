"""A small file system in memory that a test may fill; without the right to mount, it is skipped."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

FIRST_SIZE = "16k"


class SmallDisk(NamedTuple):
    folder: Path

    def resize(self, size: str) -> None:
        """As `mount` has it: `300k`, `24m`."""
        subprocess.run(["mount", "-o", f"remount,size={size}", str(self.folder)], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """It has hardly any room until it is resized."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={FIRST_SIZE}", "moldau", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"a small disk cannot be mounted: {error}")
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted: {mounted.stderr.strip()}")
    yield SmallDisk(folder)
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
