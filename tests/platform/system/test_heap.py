"""Memory that is freed and taken again, in a process of its own: the setting is a process's."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

MEASURED = """
import resource
from moldau.platform.system.heap import keep_freed_memory
assert keep_freed_memory()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for size in range(200_000, 1_800_000, 4_096):  # each larger than what was freed before
    b"x" * size
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
PAGES_OF_THE_LARGEST = 1_800_000 // 4_096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has the setting")
def test_pieces_that_grow_are_taken_from_memory_that_is_there() -> None:
    command = [sys.executable, "-c", MEASURED]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 2 * PAGES_OF_THE_LARGEST
