"""Samples of the cluster for charts, taken while pages are looked at and for a while after.

The cluster is asked for the ends of logs alone. Of a small cluster that is all of them; of a large
one those of the topics at which pages have looked, so that a console costs a large one no more.
"""

from __future__ import annotations

import logging
from typing import Final

from moldau.client import TopicPartition
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Task
from moldau.programs.console.api.operations import Operation, Parameter
from moldau.programs.console.cluster.samples import Samples
from moldau.programs.console.lookups.log_offsets import log_offsets
from moldau.programs.console.reach import Reach
from moldau.programs.http.messages import Request, Response
from moldau.programs.rest.bodies import reply

__all__ = ["Sampling"]

log = logging.getLogger(__name__)

PARTITIONS_MAX: Final = 2_000
"""Of which the ends are asked for in one sample."""
LOOKED_AT_MS: Final = 10 * 60 * 1000
"""How long a page keeps what it shows sampled after it was last asked for."""
TOTAL: Final = "records"


class Sampling:
    """Samples the log ends for one user's charts, as long as pages look at them."""

    def __init__(self, reach: Reach) -> None:
        self.samples = Samples()
        self._reach = reach
        self._looked_at: dict[str, int] = {}
        self._task: Task | None = None

    def operations(self) -> list[Operation]:
        topic = Parameter("topic", "string", "of this topic; of the cluster without it")
        return [
            Operation("GET", "/api/samples", self.show, "Records a second, over time", (topic,)),
        ]

    async def show(self, request: Request) -> Response:
        topic = request.one("topic")
        self._look(topic)
        name = TOTAL if topic is None else _name(topic)
        return reply(
            {
                "times": list(self.samples.times),
                "rate": self.samples.rates(name),
                "records": self.samples.series(name),
            }
        )

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _look(self, topic: str | None) -> None:
        """Begin to take samples, or go on."""
        is_new = (topic or "") not in self._looked_at
        self._looked_at[topic or ""] = self._reach.clock.now_ms()
        if self._task is not None and not self._task.done() and is_new:
            self._reach.tasks.spawn("a sample of the console", self._try())
        if self._task is None or self._task.done():
            self._task = self._reach.tasks.spawn("samples of the console", self._run())

    async def _run(self) -> None:
        """Until no page has looked for a while."""
        while True:
            oldest_ms = self._reach.clock.now_ms() - LOOKED_AT_MS
            self._looked_at = {k: ms for k, ms in self._looked_at.items() if ms > oldest_ms}
            if not self._looked_at:
                return
            await self._try()
            await self._reach.tasks.sleep(self._reach.settings.sample_ms)

    async def _try(self) -> None:
        try:
            await self._sample()
        except MoldauError as error:
            log.debug("No sample was taken: %s", error)

    async def _sample(self) -> None:
        parts = await self._parts()
        values: dict[str, float] = {}
        for part, offset in (await log_offsets(self._reach.admin, parts)).items():
            name = _name(part.topic)
            values[name] = values.get(name, 0) + offset
            values[TOTAL] = values.get(TOTAL, 0) + offset
        self.samples.add(self._reach.clock.now_ms(), values)

    async def _parts(self) -> list[TopicPartition]:
        """All of them, or in a large cluster those that were looked at."""
        connection = await self._reach.clients.connection()
        there = await connection.topics()
        if sum(map(len, there.values())) > PARTITIONS_MAX:
            there = {topic: there[topic] for topic in self._looked_at if topic in there}
        parts = [TopicPartition(topic, one) for topic, numbers in there.items() for one in numbers]
        return parts[:PARTITIONS_MAX]


def _name(topic: str) -> str:
    return f"topic {topic}"
