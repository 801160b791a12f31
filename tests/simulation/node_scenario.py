"""One simulated life of a node, from a seed: clients, crashes, and what they saw of each other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedWorld
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.record import iterate_records
from tests.crash.history import History, Outcome, Poll, Send
from tests.simulation.asking import Client, LostError
from tests.simulation.whole_node import NodeMachine

TOPIC = "orders"
PARTITIONS = 2
PAUSE_MS = 20
REST_MS = 4
"""Between two records of a producer: enough happens, and a scenario takes a second or two."""
LIFE_MS = 1_500
LIVES = 3
TRIES = 500


@dataclass
class Result:
    """What happened, and a mark that the same events alone have."""

    history: History = field(default_factory=History)
    events: list[str] = field(default_factory=list)

    @property
    def mark(self) -> str:
        return hashlib.sha256("\n".join(self.events).encode()).hexdigest()


def run_seed(seed: int, lives: int = LIVES) -> Result:
    """What happens with this seed."""
    clock = SimulatedClock()
    return run(lambda tasks: NodeScenario(seed, clock, tasks, lives).run(), clock)


class NodeScenario:
    def __init__(self, seed: int, clock: SimulatedClock, tasks: SimulatedTasks, lives: int) -> None:
        self._random = SeededRandom(seed)
        self._clock = clock
        self._tasks = tasks
        self._lives = lives
        self._world = SimulatedWorld(tasks, SeededRandom(seed + 1))
        self._machine = NodeMachine(clock, self._world, SeededRandom(seed + 2))
        self._result = Result()
        self._is_over = False

    async def run(self) -> Result:
        await self._machine.start()
        await self._create_topic()
        workers = [
            self._tasks.spawn(f"producer {number}", self._produce(number)) for number in range(2)
        ]
        workers.append(self._tasks.spawn("reader", self._follow()))
        for _ in range(self._lives):
            await self._tasks.sleep(self._random.randrange(1, LIFE_MS))
            await self._end_and_begin_again()
        await self._tasks.sleep(LIFE_MS)
        self._is_over = True
        for worker in workers:
            await worker
        await self._read_everything()
        await self._machine.stop()
        return self._result

    def _note(self, *words: object) -> None:
        self._result.events.append(" ".join(map(str, (self._clock.monotonic_ns(), *words))))

    def _client(self, host: str) -> Client:
        return Client(self._world.host(host), self._tasks, self._machine.address)

    async def _end_and_begin_again(self) -> None:
        end = self._random.randrange(0, 3)
        self._note("end", ("kill", "power", "stop")[end])
        if end == 0:
            await self._machine.kill()
        elif end == 1:
            await self._machine.cut_power()
        else:
            await self._machine.stop()
        await self._tasks.sleep(self._random.randrange(1, 200))
        await self._machine.start()
        self._note("started")

    async def _create_topic(self) -> None:
        topic = CreateTopicsRequest.CreatableTopic
        config = topic.CreatableTopicConfig(name="flush.messages", value="1")
        made = topic(
            name=TOPIC,
            num_partitions=PARTITIONS,
            replication_factor=1,
            assignments=[],
            configs=[config],
        )
        answer = await self._client("admin").ask(
            CreateTopicsRequest(topics=[made], timeout_ms=5_000), 5
        )
        assert answer.topics[0].error_code == 0, answer

    async def _produce(self, number: int) -> None:
        """An idempotent producer: a batch that was not answered is sent again, as it was."""
        client = self._client(f"producer-{number}")
        producer_id = await self._producer_id(client)
        sequences = [0] * PARTITIONS
        for index in count():
            if self._is_over:
                return
            partition = self._random.randrange(0, PARTITIONS)
            value = f"{number}-{index}"
            batch = _batch(value, self._clock.now_ms(), producer_id, sequences[partition])
            offset = await self._send(client, partition, batch)
            sequences[partition] += 1
            sent = Send(f"producer-{number}", partition, value, Outcome.OK, offset)
            self._result.history.sends.append(sent)
            self._note("acknowledged", value, partition, offset)
            await self._tasks.sleep(REST_MS)

    async def _producer_id(self, client: Client) -> int:
        request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000)
        answer = await self._until_answered(client, request, 4)
        return int(answer.producer_id)

    async def _send(self, client: Client, partition: int, batch: bytes) -> int:
        data = ProduceRequest.TopicProduceData
        one = data.PartitionProduceData(index=partition, records=batch)
        request = ProduceRequest(
            acks=-1, timeout_ms=5_000, topic_data=[data(name=TOPIC, partition_data=[one])]
        )
        for _ in range(TRIES):
            answer = await self._until_answered(client, request, 9)
            (row,) = answer.responses[0].partition_responses
            if row.error_code == 0:
                return int(row.base_offset)
            self._note("refused", row.error_code)
            assert row.error_code in (3, 5, 6), row
            await self._tasks.sleep(PAUSE_MS)
        raise AssertionError("the partition never came back")

    async def _until_answered(self, client: Client, request: Any, version: int) -> Any:
        for _ in range(TRIES):
            try:
                return await client.ask(request, version)
            except LostError:
                await self._tasks.sleep(PAUSE_MS)
        raise AssertionError("the node never came back")

    async def _follow(self) -> None:
        client = self._client("reader")
        offsets = [0] * PARTITIONS
        while not self._is_over:
            for partition in range(PARTITIONS):
                records = await self._fetch(client, partition, offsets[partition])
                if records:
                    offsets[partition] = records[-1][0] + 1
                    self._result.history.polls.append(Poll("reader", partition, tuple(records)))
                    self._note("read", partition, records[-1][0])
            await self._tasks.sleep(PAUSE_MS)

    async def _fetch(self, client: Client, partition: int, offset: int) -> list[tuple[int, str]]:
        topic = FetchRequest.FetchTopic
        one = topic.FetchPartition(
            partition=partition, fetch_offset=offset, partition_max_bytes=1 << 20
        )
        request = FetchRequest(
            max_wait_ms=50,
            min_bytes=1,
            session_epoch=-1,
            topics=[topic(topic=TOPIC, partitions=[one])],
        )
        answer = await self._until_answered(client, request, 11)
        if not answer.responses:
            return []
        row = answer.responses[0].partitions[0]
        assert row.error_code in (0, 3, 5, 6), row
        return [record for record in _records(bytes(row.records or b"")) if record[0] >= offset]

    async def _read_everything(self) -> None:
        client = self._client("last reader")
        for partition in range(PARTITIONS):
            found: list[tuple[int, str]] = []
            while more := await self._fetch(client, partition, len(found)):
                found += more
            self._result.history.final[partition] = tuple(found)
            self._note("found", partition, len(found))


def _batch(value: str, timestamp: int, producer_id: int, sequence: int) -> bytes:
    fields = BatchFields(producer_id=producer_id, producer_epoch=0, base_sequence=sequence)
    builder = BatchBuilder(fields)
    builder.append(timestamp, None, value.encode())
    return bytes(builder.build())


def _records(data: bytes) -> Iterator[tuple[int, str]]:
    for batch in iterate_batches(data):
        for record in iterate_records(batch):
            yield record.offset, (record.value or b"").decode()
