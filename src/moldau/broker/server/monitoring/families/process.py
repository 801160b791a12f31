"""What the process takes of its machine, as every client library of Prometheus reports it."""

from __future__ import annotations

from collections.abc import Callable

from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.table import Each, Table, Tagged

__all__ = ["TABLES", "used"]


def used(name: str, *tags: str) -> Callable[[Scrape], list[Tagged]]:
    """A number of the process; none where the machine has it not."""

    def read(scrape: Scrape) -> list[Tagged]:
        return [(tags, scrape.usage[name])] if name in scrape.usage else []

    return read


PROCESS = Table(
    "process",
    "",
    (
        Each(
            "cpu_seconds_total",
            (),
            "Time of the processor, since the start.",
            used("cpu_seconds"),
            only_grows=True,
        ),
        Each("resident_memory_bytes", (), "Memory that it has.", used("resident_bytes")),
        Each("virtual_memory_bytes", (), "Addresses that it has.", used("virtual_bytes")),
        Each("open_fds", (), "Files and connections that are open.", used("open_fds")),
        Each("max_fds", (), "How many may be.", used("max_fds")),
        Each(
            "start_time_seconds",
            (),
            "When metrics were first read, in seconds since 1970.",
            used("start_time_seconds"),
        ),
    ),
)

TABLES = (PROCESS,)
