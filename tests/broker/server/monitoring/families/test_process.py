"""What the process takes of its machine, on the page of a node."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.server.monitoring.families.process import used
from tests.broker.server.monitoring.figures.live_node import value


def test_the_process_shows_what_it_takes():
    assert value("process_cpu_seconds_total") > 0
    assert value("process_max_fds") >= value("process_open_fds") > 0
    assert value("process_virtual_memory_bytes") >= value("process_resident_memory_bytes") > 0


def test_what_the_machine_does_not_tell_is_left_out():
    scrape: Any = SimpleNamespace(usage={"open_fds": 7})
    assert used("open_fds")(scrape) == [((), 7)]
    assert used("threads")(scrape) == []
