"""How much room the disks of the log directories have, looked up before the page is made.

To ask a device may take long where it is across a network or fails, so it is asked beside the loop,
and what a page has is what was found then. A directory whose device does not answer has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from moldau.broker.metrics.column import Column
from moldau.broker.metrics.name import MetricName
from moldau.broker.metrics.registry import Reading
from moldau.broker.server.broker import Broker
from moldau.errors import StorageError

__all__ = ["GROUP", "KIND", "PERCENT", "TOTAL", "USABLE", "DiskRoom"]

GROUP: Final = "moldau.log"
KIND: Final = "LogManager"
USABLE: Final = "UsableBytes"
TOTAL: Final = "TotalBytes"
PERCENT: Final = "UsableInPercent"


class DiskRoom:
    """Of one node."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._found: dict[str, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return f"DiskRoom({self._found})"

    async def look(self) -> None:
        self._found = await self._broker.tasks.offload(self._look)

    def read(self) -> Iterator[Reading]:
        """As it was when it was last looked up."""
        places = tuple((path,) for path in self._found)
        pairs = list(self._found.values())
        columns: dict[str, Sequence[float]] = {
            USABLE: [usable for usable, _ in pairs],
            TOTAL: [total for _, total in pairs],
            PERCENT: [100 * usable / max(total, 1) for usable, total in pairs],
        }
        for name, numbers in columns.items():
            yield Column(MetricName(GROUP, KIND, name), ("logDirectory",), places, numbers)

    def _look(self) -> dict[str, tuple[int, int]]:
        files = self._broker.replicas.world.files
        found: dict[str, tuple[int, int]] = {}
        for directory in self._broker.replicas.directories.opened:
            try:
                path = directory.path
                found[path] = files.free_bytes(path), files.total_bytes(path)
            except StorageError:
                continue
        return found
