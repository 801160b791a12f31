"""A node that starts imports what it needs to answer, and no more.

Most of the time of a start goes into imports. `bench/start.py` measures it; this holds it, without
a clock.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

STARTED = """
import asyncio, sys
import moldau.programs.tools.start
from moldau.testing import Node

async def main():
    async with Node():
        print(*sys.modules)

asyncio.run(main())
"""
MODULES_MAX = 400
"""Of ours; a few more than there are today, each of which a start or the first requests need. What
is needed later is imported later."""
LATER = (
    "moldau.broker.coordinator.group",
    "moldau.broker.coordinator.record_codec",
    "moldau.broker.coordinator.share",
    "moldau.broker.coordinator.transaction",
    "moldau.broker.controller.configs.alter",
    "moldau.broker.controller.security",
    "moldau.broker.controller.topics",
    "moldau.broker.log.compaction.run",
    "moldau.broker.node.group_coordinator",
    "moldau.broker.security.scram",
    "moldau.broker.server.telemetry.otlp",
    "moldau.programs.tools.dump_log",
    "cryptography",
    "hashlib",
    "numpy",
    "pyarrow",
    "unicodedata",
)
"""With each its part of the start saved: whole packages, and tables of the standard library."""


@pytest.fixture(scope="module")
def imported():
    run = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


def test_a_starting_node_imports_a_bounded_number_of_modules(imported):
    ours = [name for name in imported if name.startswith("moldau.")]
    assert sum(not name.startswith("moldau.testing") for name in ours) <= MODULES_MAX


@pytest.mark.parametrize("later", LATER)
def test_what_is_needed_later_is_imported_later(imported, later):
    early = [name for name in imported if name == later or name.startswith(later + ".")]
    assert not early
