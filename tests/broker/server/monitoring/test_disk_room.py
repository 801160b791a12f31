"""How much room the disks have, as it was when it was looked up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metrics.column import Column
from moldau.broker.server.monitoring.disk_room import DiskRoom
from moldau.errors import StorageError
from moldau.platform.simulated import tasks as simulated_tasks
from tests.broker.server.monitoring.figures.live_node import scraped


class Disks:
    """One of them answers."""

    def free_bytes(self, path: str) -> int:
        if path != "a":
            raise StorageError(path, "the device is gone")
        return 3

    def total_bytes(self, path: str) -> int:
        return 7


def test_what_was_found_is_reported_and_a_device_that_fails_has_nothing():
    async def main(tasks):
        opened = [SimpleNamespace(path=path) for path in "ab"]
        broker: Any = SimpleNamespace(
            tasks=tasks,
            replicas=SimpleNamespace(
                directories=SimpleNamespace(opened=opened), world=SimpleNamespace(files=Disks())
            ),
        )
        room = DiskRoom(broker)
        before = [one.numbers for one in room.read() if isinstance(one, Column)]
        await room.look()
        return before, [(one.places, one.numbers) for one in room.read() if isinstance(one, Column)]

    before, after = simulated_tasks.run(main)
    assert before == [[], [], []]
    assert [places for places, _ in after] == [(("a",),)] * 3
    assert [numbers for _, numbers in after] == [[3], [7], [pytest.approx(300 / 7)]]


def test_a_node_reports_the_room_of_its_disk():
    found = {name: number for (name, _), number in scraped().items() if "logmanager_" in name}
    usable = found["moldau_log_logmanager_usablebytes"]
    assert 0 < usable <= found["moldau_log_logmanager_totalbytes"]
