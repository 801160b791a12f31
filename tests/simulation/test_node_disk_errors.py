"""A node whose disk says no: its directory goes offline with a clear line, and nothing is lost.

What was acknowledged before the trouble is there after a restart on a disk that works again, and
nothing is acknowledged that is not. The records are on one disk and the metadata log on another;
with the last directory for records, or with the metadata log, the node itself ends.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

import pytest

from moldau.errors import DiskFailedError, DiskFullError, MoldauError, PermissionDeniedError
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.disk_faults import CHANGING, Fault
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import run
from moldau.protocol.wire.error_codes import ErrorCode
from tests.simulation.asking import Client, LostError
from tests.simulation.node_asking import create, produce, read_all
from tests.simulation.whole_node import NodeMachine

TOPIC = "orders"
ROUNDS = 10
NOTICED_MS = 10_000
RECORDS, METADATA = "/data/records", "/data/metadata"


def full(plan, pattern):
    for operation in ("append", "write_at", "create"):
        plan.add(Fault(operation, pattern, DiskFullError, times=None, short=40))


def read_only(plan, pattern):
    for operation in CHANGING:
        plan.add(Fault(operation, pattern, PermissionDeniedError, times=None))


def not_syncing(plan, pattern):
    plan.add(Fault("sync", pattern, DiskFailedError, times=None))


class Scenario:
    """One node, a directory whose disk goes bad, and a restart on one that does not."""

    def __init__(self, clock, tasks, trouble, directory):
        self._clock = clock
        self._trouble = trouble
        self._pattern = f"{directory}/*"
        self._world = SimulatedWorld(tasks, SeededRandom(1))
        self._tasks = tasks
        places = {"log_dirs": RECORDS, "metadata_log_dir": METADATA}
        self._machine = NodeMachine(clock, self._world, SeededRandom(2), **places)
        self._client = Client(self._world.host("client"), tasks, self._machine.address)
        self.acknowledged = []
        self.codes = []
        self.found = []
        self.ended_by = None
        """The failure with which the node ended by itself."""

    async def run(self):
        started = self._tasks.promise()
        process = self._tasks.spawn("the node's process", self._run(started))
        await started.wait()
        await create(self._client, TOPIC, flush_messages="1")
        await self._produce("before")
        self._trouble(self._machine.faults, self._pattern)
        self.codes = await self._produce("in trouble")
        await self._tasks.sleep(NOTICED_MS)
        process.cancel()
        await self._restart()
        self.found = await read_all(self._client, TOPIC)
        await self._produce("after")
        await self._machine.stop()
        return self

    async def _run(self, started):
        """A life of the node, which a failure ends that it cannot live with."""
        with suppress(asyncio.CancelledError):
            await self._machine.start()
            started.keep(None)
            await self._tasks.promise().wait()

    async def _restart(self):
        try:
            await self._machine.kill()
        except MoldauError as error:
            self.ended_by = error
        await self._machine.start()
        self._client = Client(self._world.host("client"), self._tasks, self._machine.address)

    async def _produce(self, when):
        codes: list[int | None] = []
        for number in range(ROUNDS):
            value = f"{when} {number}"
            try:
                codes.append(await produce(self._client, TOPIC, value, self._clock.now_ms()))
            except LostError:
                codes.append(None)
            if codes[-1] == ErrorCode.NONE:
                self.acknowledged.append(value)
        return codes


def scenario_of(trouble, directory):
    clock = SimulatedClock()
    return run(lambda tasks: Scenario(clock, tasks, trouble, directory).run(), clock)


@pytest.mark.parametrize("trouble", [full, read_only, not_syncing])
def test_a_directory_that_says_no_goes_offline_and_nothing_is_lost(trouble, caplog):
    with caplog.at_level(logging.ERROR):
        scenario = scenario_of(trouble, RECORDS)
    assert scenario.codes == [ErrorCode.KAFKA_STORAGE_ERROR] * ROUNDS
    assert [value for value in scenario.found if "before" in value] == scenario.acknowledged[
        :ROUNDS
    ]
    assert len(scenario.acknowledged) == 2 * ROUNDS, "it works again after the restart"
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith(f"{RECORDS} is offline: {RECORDS}/{TOPIC}-0/")
    assert "start the node again" in str(scenario.ended_by)


@pytest.mark.parametrize("trouble", [full, read_only, not_syncing])
def test_a_node_ends_that_cannot_write_its_metadata(trouble):
    scenario = scenario_of(trouble, METADATA)
    assert METADATA in str(scenario.ended_by)
    assert scenario.codes == [ErrorCode.NONE] * ROUNDS
    assert scenario.found == scenario.acknowledged[: 2 * ROUNDS]
