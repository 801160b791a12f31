"""The scenario that `moldau demo failover` runs.

    three nodes ─► a topic, each value on all of them ─► values are sent, one after the other
    ─► the leader of partition 0 is killed (SIGKILL) ─► others lead ─► it is started again
    ─► no more values ─► all are read and counted

The producer is an ordinary one, with its default settings but `linger.ms`. What is seen while it
goes on are acknowledgements: a bar for each quarter of a second.
"""

from __future__ import annotations

from functools import partial
from typing import TextIO

from moldau.client.admin import AsyncAdmin, NewTopic
from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.producer import AsyncProducer
from moldau.client.core.producing.batch import RecordMetadata
from moldau.client.errors import ClientError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.programs.tools.failover_report import PartitionOutcome, Report
from moldau.testing.cluster import Cluster

__all__ = ["Failover", "Timeline"]

TOPIC = "demo"
PARTITIONS = 3
VICTIM_LEADS = 0
PAUSE_MS = 10
"""Between a value for each partition and the next ones."""
KNOWN_MS = 30_000
"""A topic is known to all nodes in much less."""
BAR_MS = 250
BAR_WIDTH = 40
READ_S = 1.0
NS_PER_S = 1_000_000_000
MS_PER_S = 1000


class Timeline:
    """Lines with the time at which they came; none where there is nowhere to write them."""

    def __init__(self, clock: Clock, out: TextIO | None) -> None:
        self.clock = clock
        self._out = out
        self._began_ns = clock.monotonic_ns()

    def note(self, text: str) -> None:
        if self._out is not None:
            seconds = (self.clock.monotonic_ns() - self._began_ns) / NS_PER_S
            self._out.write(f"{seconds:7.2f} s  {text}\n")
            self._out.flush()

    def bar(self, count: int, usual: int) -> None:
        """Acknowledgements of the last quarter of a second."""
        width = min(BAR_WIDTH, count * BAR_WIDTH // usual)
        self.note(f"{'#' * width:{BAR_WIDTH}} {count:4} acknowledged")


class Failover:
    """One kill, from the first value to the last count."""

    def __init__(self, cluster: Cluster, tasks: Tasks, timeline: Timeline, seconds: int) -> None:
        self._cluster = cluster
        self._tasks = tasks
        self._timeline = timeline
        self._quiet_ms = seconds * MS_PER_S
        self._outcomes: dict[int, PartitionOutcome] = {}
        self._acknowledged = 0
        self._is_sending = True
        self._has_sent = tasks.promise()

    async def play(self) -> Report:
        """Return when all values are counted."""
        await self._make_topic()
        self._tasks.spawn("values", self._send())
        self._tasks.spawn("bars", self._show())
        await self._tasks.sleep(self._quiet_ms)
        report = await self._kill()
        await self._tasks.sleep(self._quiet_ms)
        await self._tasks.offload(self._cluster.restart, report.victim)
        self._timeline.note(f"node {report.victim} is back")
        await self._tasks.sleep(self._quiet_ms)
        self._is_sending = False
        await self._has_sent.wait()
        await self._read()
        return report

    async def _make_topic(self) -> None:
        async with AsyncAdmin(self._cluster.bootstrap) as admin:
            made = NewTopic(TOPIC, PARTITIONS, len(self._cluster.node_ids))
            (await admin.create_topics(made)).all()
            async with self._tasks.deadline(KNOWN_MS):
                while len(self._outcomes) < PARTITIONS:
                    await self._tasks.sleep(PAUSE_MS)
                    await self._look_at_leaders(admin)
        leaders = ", ".join(
            f"node {outcome.leader} leads {index}" for index, outcome in self._outcomes.items()
        )
        self._timeline.note(f"topic {TOPIC!r} has {PARTITIONS} partitions: {leaders}")

    async def _look_at_leaders(self, admin: AsyncAdmin) -> None:
        """The node that is asked may not know the topic yet."""
        view = (await admin.describe_topics(TOPIC)).values.get(TOPIC)
        for part in view.partitions if view is not None else ():
            if part.leader is not None:
                self._outcomes[part.partition] = PartitionOutcome(part.leader)

    async def _kill(self) -> Report:
        victim = self._outcomes[VICTIM_LEADS].leader
        killed_ns = self._timeline.clock.monotonic_ns()
        await self._tasks.offload(self._cluster.kill, victim)
        self._timeline.note(f"node {victim} is killed (SIGKILL)")
        return Report(victim, killed_ns, self._outcomes)

    async def _send(self) -> None:
        async with AsyncProducer(self._cluster.bootstrap, linger_ms=0) as producer:
            while self._is_sending:
                for index, outcome in self._outcomes.items():
                    arrived = partial(self._arrived, outcome, outcome.sent)
                    value = str(outcome.sent).encode()
                    await producer.send(TOPIC, value, partition=index, on_delivery=arrived)
                    outcome.sent += 1
                await self._tasks.sleep(PAUSE_MS)
        self._has_sent.keep(None)

    def _arrived(
        self,
        outcome: PartitionOutcome,
        number: int,
        metadata: RecordMetadata | None,
        error: ClientError | None,
    ) -> None:
        if error is not None:
            outcome.failed += 1
            return
        outcome.acknowledged[number] = self._timeline.clock.monotonic_ns()
        self._acknowledged += 1

    async def _show(self) -> None:
        usual = PARTITIONS * BAR_MS // PAUSE_MS
        while self._is_sending:
            before = self._acknowledged
            await self._tasks.sleep(BAR_MS)
            self._timeline.bar(self._acknowledged - before, usual)

    async def _read(self) -> None:
        async with AsyncConsumer(self._cluster.bootstrap, auto_offset_reset="earliest") as consumer:
            parts = [(TOPIC, index) for index in self._outcomes]
            ends = await consumer.end_offsets(parts)
            left = sum(ends.values())
            await consumer.assign(parts)
            while left > 0:
                for record in await consumer.poll(READ_S):
                    self._outcomes[record.partition].found.append(int(record.value))
                    left -= 1
