"""What processes have used, from what Linux says of them."""

from __future__ import annotations

import os
import subprocess
import sys

from bench.versus import meter


class Ending:
    """A folder like `/proc`, of which a process ends while it is looked at."""

    def glob(self, pattern: str):
        raise FileNotFoundError(pattern)


def test_the_tree_of_a_process_has_its_children():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        found = set(meter.tree(os.getpid()))
    assert {os.getpid(), child.pid} <= found


def test_a_process_that_ends_meanwhile_has_no_children(monkeypatch):
    monkeypatch.setattr(meter, "PROC", Ending())
    assert list(meter.tree(7)) == [7]
