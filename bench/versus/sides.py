"""What is compared: a node or a cluster, asked the same whichever kind it is of."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from bench.versus import meter
from bench.versus.asking import Connection

START_TIMEOUT_S = 120.0


class Side(ABC):
    """Formatted, and not started; what cases ask of it."""

    name: str
    is_ours: bool
    folder: Path
    """What is removed with it."""
    data: Path
    port: int

    @property
    @abstractmethod
    def bootstrap(self) -> str:
        """Where clients connect."""

    @property
    @abstractmethod
    def is_up(self) -> bool: ...

    @abstractmethod
    def start(self) -> float:
        """Start it; the seconds until it answered a request. It then serves all of them."""

    @abstractmethod
    def stop(self) -> None:
        """In order, as an operator does."""

    @abstractmethod
    def kill(self) -> None:
        """At once, by SIGKILL; nothing happens to a node that is down."""

    @abstractmethod
    def cpu_s(self) -> float:
        """User and system time of all its processes since they were started."""

    @abstractmethod
    def memory_mb(self) -> float: ...

    @contextmanager
    def metered(self) -> Iterator[meter.Spent]:
        """What it and the clock spend inside; known when the block has ended."""
        spent = meter.Spent()
        began_s, cpu_s = time.monotonic(), self.cpu_s()
        yield spent
        spent.cpu_s = self.cpu_s() - cpu_s
        spent.seconds = time.monotonic() - began_s

    def create_topic(
        self, name: str, partitions: int, settings: Mapping[str, str] | None = None
    ) -> None:
        """Return when every partition has its leader."""
        with Connection(self.port) as connection:
            connection.create_topic(name, partitions, settings or {})

    def delete_topic(self, name: str) -> None:
        with Connection(self.port) as connection:
            connection.delete_topic(name)

    def segments(self, topic: str) -> list[Path]:
        """The topic's log files, in order, on the disk of its first node."""
        return sorted(self.data.glob(f"{topic}-*/*.log"))
