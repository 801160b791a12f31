"""Sends a record to each partition of its topic at an interval, and times how it comes back.

The topic gets a partition for each broker, so that every one leads one as long as leaders are where
they should be. A record that was acknowledged and is not read within the time limit counts as lost
(and no longer does when it comes late). What other probes wrote is passed over by their id.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Final, NamedTuple

from moldau.client import (
    AsyncAdmin,
    AsyncConsumer,
    AsyncProducer,
    ConsumerRecord,
    TopicPartition,
)
from moldau.client.admin import NewTopic
from moldau.client.errors import ClientError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.probe.figures import Figures, Latencies
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["GROUP", "INTERVAL_MS", "LIMIT_MS", "TOPIC", "ProbeSettings", "Prober"]

log = logging.getLogger(__name__)

BACKOFF_MS: Final = 1000
REPLICAS_MAX: Final = 3
POLL_S: Final = 0.2
NS_PER_MS: Final = 1_000_000
NS_PER_S: Final = 1_000_000_000
FORGET: Final = 60
"""Limits after which a lost record is not waited for any more."""
TOPIC: Final = "moldau-probe"
GROUP: Final = "moldau-probe"
INTERVAL_MS: Final = 1000
LIMIT_MS: Final = 10_000
TOPIC_CONFIGS: Final = {"retention.ms": "3600000", "segment.ms": "3600000"}
FAST: Final = {"linger.ms": "0"}
READING: Final = {
    "auto.offset.reset": "latest",
    "enable.auto.commit": "false",
    "fetch.max.wait.ms": "500",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeSettings:
    """Which cluster, and how often it is probed."""

    client: Mapping[str, str]
    """Settings of the clients, by Kafka's names."""
    topic: str = TOPIC
    group: str = GROUP
    interval_ms: int = INTERVAL_MS
    limit_ms: int = LIMIT_MS
    """After which a record that was not read counts as lost."""


class _Sent(NamedTuple):
    partition: int
    sent_ns: int
    is_acknowledged: bool = False
    is_lost: bool = False


class Prober:
    """Started and stopped once."""

    def __init__(self, settings: ProbeSettings, tasks: Tasks, clock: Clock, run_id: str) -> None:
        self.figures = Figures()
        self._settings = settings
        self._tasks = tasks
        self._clock = clock
        self._run_id = run_id
        self._number = 0
        self._open: dict[int, _Sent] = {}
        """Records that were sent and not read, by their number."""
        self._is_stopping = False

    async def run(self) -> None:
        """Until `stop`; a cluster that is away is tried again."""
        while not self._is_stopping:
            try:
                await self._probe()
            except ClientError as error:
                log.warning("The cluster cannot be probed: %s", error)
                await self._tasks.sleep(BACKOFF_MS)

    def stop(self) -> None:
        self._is_stopping = True

    async def _probe(self) -> None:
        client, settings = self._settings.client, self._settings
        async with AsyncAdmin(client) as admin:
            await self._make_topic(admin)
        async with (
            AsyncProducer({**client, **FAST}) as producer,
            AsyncConsumer({**client, **READING, "group.id": settings.group}) as consumer,
        ):
            parts = [
                TopicPartition(settings.topic, number)
                for number in await producer.partitions(settings.topic)
            ]
            await consumer.assign(parts)
            for part, end in (await consumer.end_offsets(parts)).items():
                consumer.seek(part, end)
            reading = self._tasks.spawn("probe reads", self._read(consumer))
            try:
                while not self._is_stopping:
                    for part in parts:
                        self._tasks.spawn("probe sends", self._send(producer, part.partition))
                    await self._tasks.sleep(settings.interval_ms)
                    self._give_up()
            finally:
                reading.cancel()

    async def _make_topic(self, admin: AsyncAdmin) -> None:
        brokers = len((await admin.describe_cluster()).nodes)
        topic = NewTopic(
            self._settings.topic, brokers, min(brokers, REPLICAS_MAX), configs=TOPIC_CONFIGS
        )
        error = (await admin.create_topics([topic])).errors.get(topic.name)
        if getattr(error, "error", None) is ErrorCode.TOPIC_ALREADY_EXISTS:
            return  # of an earlier probe, or of one beside this
        if error is not None:
            raise error

    async def _send(self, producer: AsyncProducer, partition: int) -> None:
        self._number += 1
        number, sent_ns = self._number, self._clock.monotonic_ns()
        self._open[number] = _Sent(partition, sent_ns)
        value = json.dumps({"probe": self._run_id, "number": number}).encode()
        try:
            await producer.send_and_wait(self._settings.topic, value, partition=partition)
        except ClientError as error:
            self._open.pop(number, None)
            self.figures.failed += 1
            log.warning("A record to partition %d was not acknowledged: %s", partition, error)
            return
        self.figures.produced += 1
        self._record(self.figures.produce, partition, sent_ns)
        if number in self._open:
            self._open[number] = self._open[number]._replace(is_acknowledged=True)

    async def _read(self, consumer: AsyncConsumer) -> None:
        while True:
            records = await consumer.poll(POLL_S)
            received = [self._received(record) for record in records]
            if any(received):
                began_ns = self._clock.monotonic_ns()
                try:
                    await consumer.commit()
                except ClientError as error:
                    log.warning("The offsets of the probe were not committed: %s", error)
                    continue
                for partition in {record.partition for record in records}:
                    self._record(self.figures.commit, partition, began_ns)

    def _received(self, record: ConsumerRecord) -> bool:
        """Whether it is one of this probe's."""
        try:
            value = json.loads(record.value or b"")
            is_own = value["probe"] == self._run_id
            sent = self._open.pop(value["number"], None) if is_own else None
        except (ValueError, KeyError, TypeError):
            return False
        if sent is None:
            return False
        self.figures.received += 1
        self.figures.lost -= sent.is_lost
        self._record(self.figures.roundtrip, sent.partition, sent.sent_ns)
        return True

    def _give_up(self) -> None:
        now_ns, limit_ns = self._clock.monotonic_ns(), self._settings.limit_ms * NS_PER_MS
        for number, sent in tuple(self._open.items()):
            age_ns = now_ns - sent.sent_ns
            if sent.is_lost and age_ns > FORGET * limit_ns:
                del self._open[number]
            elif sent.is_acknowledged and not sent.is_lost and age_ns > limit_ns:
                self.figures.lost += 1
                self._open[number] = sent._replace(is_lost=True)
                log.warning(
                    "Record %d to partition %d was acknowledged and not read within %d ms",
                    number,
                    sent.partition,
                    self._settings.limit_ms,
                )

    def _record(self, latencies: dict[int, Latencies], partition: int, began_ns: int) -> None:
        taken_s = (self._clock.monotonic_ns() - began_ns) / NS_PER_S
        latencies.setdefault(partition, Latencies()).record(taken_s)
