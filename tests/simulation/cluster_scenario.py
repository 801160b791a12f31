"""One simulated life of a cluster, from a seed: clients, crashes, cuts, and what all of them saw.

Trouble comes in storms: up to three nodes are killed, lose power or stop, or the ways between them
are cut, at drawn moments of the same seconds. Only one of them loses power, for that is what three
replicas with two in sync promise to bear: all others keep what they wrote. None of them is killed
then: the controller takes a replica that was killed for one that may have lost its end (KIP-966),
and elects the last known leader, which may be the one that did. Meanwhile leaders are moved to and
fro. When the storm is over all replicas come into sync again before the next.

While it goes on, `Watch` looks at the nodes: a high watermark never falls, and an epoch has one
leader. In the end all replicas must hold the same bytes under the same epochs, and all nodes the
same metadata.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from moldau.broker.log.reading import Isolation
from moldau.broker.metadata.topics import PartitionState
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.record import iterate_records
from moldau.protocol.wire.error_codes import ErrorCode
from tests.crash.history import History, Outcome, Poll, Send
from tests.simulation.asking import Client, LostError
from tests.simulation.cluster_machines import Cluster, host_of
from tests.simulation.stale_reader import StaleReader
from tests.simulation.truth import cells_of

TOPIC = "orders"
NODES = 3
PARTITIONS = 2
PRODUCERS = 3
LEADERS_ONLY = 10
"""The last version of Fetch whose readers no follower serves."""
PAUSE_MS = 50
REST_MS = 10
"""Between two records of a producer: enough happens, and a scenario takes some seconds."""
TROUBLE_MS = 6_000
"""The longest trouble, and the longest time before it: sessions of brokers end after 3,000."""
TROUBLES = 2
AT_ONCE_MS = 300
"""Half of the troubles of a storm begin within that time: before anything has settled."""
MOVES_MS = 2_500
"""The longest time between two elections of preferred leaders."""
WATCH_MS = 20
TRICKS = 0.05
"""How often a producer does what must be refused: leaves a gap, or writes under an old epoch."""
PREFERRED = 0
LATEST = -1
TRIES = 2_000
HEALTHY_MS_MAX = 120_000
KINDS = ("kill", "power", "stop", "cut", "half a cut")
BESIDE_POWER = tuple(kind for kind in KINDS if kind not in ("power", "kill"))
BESIDE_OTHERS = tuple(kind for kind in KINDS if kind != "power")


@dataclass
class Result:
    """What happened, what each replica held in the end, and a mark of exactly these events."""

    history: History = field(default_factory=History)
    events: list[str] = field(default_factory=list)
    logs: list[set[bytes]] = field(default_factory=list)
    """For each partition, the different logs among its replicas."""
    broken: list[str] = field(default_factory=list)
    """Promises of which a client does not see at once that they are broken."""

    @property
    def mark(self) -> str:
        return hashlib.sha256("\n".join(self.events).encode()).hexdigest()


def run_seed(seed: int, troubles: int = TROUBLES) -> Result:
    """What happens with this seed."""
    clock = SimulatedClock()
    return run(lambda tasks: ClusterScenario(seed, clock, tasks).run(troubles), clock)


class ClusterScenario:
    """What happens in it; another kind of scenario has other troubles."""

    replicas = NODES
    """Of each partition."""

    def __init__(self, seed: int, clock: SimulatedClock, tasks: SimulatedTasks) -> None:
        self._seed = seed
        self._random = SeededRandom(seed)
        self._clock = clock
        self._tasks = tasks
        self._cluster = Cluster(tasks, clock, seed, NODES)
        self._clients: dict[tuple[str, int], Client] = {}
        self._result = Result()
        self._ends = [0] * PARTITIONS
        self._is_over = False

    async def run(self, troubles: int) -> Result:
        await self._cluster.start()
        await self._create_topic()
        workers = [
            self._tasks.spawn(f"producer {number}", self._produce(number))
            for number in range(PRODUCERS)
        ]
        workers.append(self._tasks.spawn("reader", self._follow()))
        workers.append(self._tasks.spawn("stale reader", self._ask_under_other_epochs()))
        workers.append(self._tasks.spawn("mover", self.move_leaders()))
        workers.append(self._tasks.spawn("watch", self._watch()))
        for _ in range(troubles):
            await self._tasks.sleep(self._random.randrange(1, TROUBLE_MS))
            await self.storm()
            await self._healthy()
        self._is_over = True
        for worker in workers:
            await worker
        await self._healthy()
        await self._read_everything()
        self._collect_logs()
        await self._cluster.end()
        return self._result

    def _note(self, *words: object) -> None:
        self._result.events.append(" ".join(map(str, (self._clock.monotonic_ns(), *words))))

    # What goes wrong.

    async def storm(self) -> None:
        """Each trouble has another victim."""
        victims = sorted(range(1, NODES + 1), key=lambda _: self._random.random())
        count = self._random.randrange(1, NODES + 1)
        troubles, kinds_now = [], list[str]()
        for place, victim in enumerate(victims[:count]):
            kinds = BESIDE_POWER if "power" in kinds_now else BESIDE_OTHERS
            kind = self._random.choice(KINDS if place == 0 else kinds)
            kinds_now.append(kind)
            name = f"{kind} of {victim}"
            troubles.append(self._tasks.spawn(name, self._trouble(kind, victim)))
        for trouble in troubles:
            await trouble

    async def _trouble(self, kind: str, victim: int) -> None:
        longest_ms = self._random.choice((AT_ONCE_MS, TROUBLE_MS))
        await self._tasks.sleep(self._random.randrange(0, longest_ms))
        await self._trouble_for(kind, victim, self._random.randrange(1, TROUBLE_MS))

    async def _trouble_for(self, kind: str, victim: int, lasts_ms: int) -> None:
        self._note(kind, victim, lasts_ms)
        if kind in ("cut", "half a cut"):
            await self._cut(victim, lasts_ms, is_half=kind != "cut")
            return
        machine = self._cluster.machines[victim]
        if kind == "kill":
            await machine.kill()
        elif kind == "power":
            await machine.cut_power()
        else:
            await machine.stop()
        await self._tasks.sleep(lasts_ms)
        await machine.start()
        self._note("started", victim)

    async def _cut(self, victim: int, lasts_ms: int, *, is_half: bool) -> None:
        other = victim % NODES + 1
        ways = [(host_of(victim), host_of(other)), (host_of(other), host_of(victim))]
        for way in ways[: 1 if is_half else 2]:
            self._cluster.network.cut(*way)
        await self._tasks.sleep(lasts_ms)
        for way in ways:
            self._cluster.network.heal(*way)

    async def _healthy(self) -> None:
        """Until all replicas are in sync, and have had a while to stay so."""
        for _ in range(HEALTHY_MS_MAX // PAUSE_MS):
            states = [self._cluster.state(TOPIC, index) for index in range(PARTITIONS)]
            if all(_is_settled(state, self.replicas) for state in states):
                self._note("healthy")
                await self._tasks.sleep(1_000)
                return
            await self._tasks.sleep(PAUSE_MS)
        raise AssertionError(f"the replicas never came back into sync: {states}")

    async def move_leaders(self) -> None:
        """Back to the first replicas: leaders change while all nodes live."""
        request = ElectLeadersRequest(
            election_type=PREFERRED, topic_partitions=None, timeout_ms=1_000
        )
        while not self._is_over:
            await self._tasks.sleep(self._random.randrange(1, MOVES_MS))
            with suppress(LostError):
                await self._client("mover", self._random.randrange(1, NODES + 1)).ask(request, 2)

    # What is looked at.

    async def _watch(self) -> None:
        watch = Watch(self._cluster, self._result.broken)
        while not self._is_over:
            watch.look()
            await self._tasks.sleep(WATCH_MS)

    # Clients.

    def _client(self, host: str, node_id: int) -> Client:
        place = host, node_id
        if place not in self._clients:
            self._clients[place] = self._cluster.client(*place)
        return self._clients[place]

    async def _ask_leader(self, client: str, index: int, request: Any, version: int) -> Any:
        """None where there is no answer."""
        leader = self._cluster.state(TOPIC, index).leader
        if leader < 0:
            return None
        try:
            return await self._client(client, leader).ask(request, version)
        except LostError:
            return None

    async def _create_topic(self) -> None:
        topic = CreateTopicsRequest.CreatableTopic
        made = topic(
            name=TOPIC,
            num_partitions=PARTITIONS,
            replication_factor=self.replicas,
            assignments=[],
            configs=[topic.CreatableTopicConfig(name="min.insync.replicas", value="2")],
        )
        request = CreateTopicsRequest(topics=[made], timeout_ms=5_000)
        answer = await self._client("admin", 1).ask(request, 5)
        assert answer.topics[0].error_code == 0, answer
        await self._tasks.sleep(1_000)

    async def _produce(self, number: int) -> None:
        """An idempotent producer: a batch that was not answered is sent again, as it was."""
        client = f"producer-{number}"
        identify = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1_000)
        producer_id = (await self._client(client, 1).ask(identify, 4)).producer_id
        epoch, sequences = 0, [0] * PARTITIONS
        for serial in count():
            if self._is_over:
                return
            index = self._random.randrange(0, PARTITIONS)
            value = f"{number}-{serial}"
            now_ms = self._clock.now_ms()
            batch = _batch(value, now_ms, producer_id, sequences[index], epoch)
            offset = await self._send(client, index, batch)
            sequences[index] += 1
            if self._random.random() < TRICKS:
                gap = _batch("gap", now_ms, producer_id, sequences[index] + 1, epoch)
                await self._is_refused(client, index, gap)
            if epoch and self._random.random() < TRICKS:
                zombie = _batch("zombie", now_ms, producer_id, 0, epoch - 1)
                await self._is_refused(client, index, zombie)
            if self._random.random() < TRICKS:
                epoch, sequences = epoch + 1, [0] * PARTITIONS
            sent = Send(client, index, value, Outcome.OK, offset)
            self._result.history.sends.append(sent)
            self._note("acknowledged", value, index, offset)
            await self._tasks.sleep(REST_MS)

    async def _is_refused(self, client: str, index: int, batch: bytes) -> None:
        """What may not follow the producer's last batch, which is in every replica in sync."""
        answer = await self._ask_leader(client, index, _producing(index, batch), 9)
        if answer is not None:
            (answered,) = answer.responses[0].partition_responses
            if answered.error_code == 0:
                self._result.broken.append(f"{client} wrote {batch[-10:]!r} to partition {index}")

    async def _send(self, client: str, index: int, batch: bytes) -> int:
        request = _producing(index, batch)
        for _ in range(TRIES):
            answer = await self._ask_leader(client, index, request, 9)
            if answer is not None:
                (answered,) = answer.responses[0].partition_responses
                if answered.error_code == 0:
                    return int(answered.base_offset)
                assert ErrorCode.read(answered.error_code).retriable, answered
            await self._tasks.sleep(PAUSE_MS)
        raise AssertionError("the partition never came back")

    async def _follow(self) -> None:
        offsets = [0] * PARTITIONS
        while not self._is_over:
            for index in range(PARTITIONS):
                records = await self._fetch("reader", index, offsets[index])
                if records:
                    offsets[index] = records[-1][0] + 1
                    self._result.history.polls.append(Poll("reader", index, tuple(records)))
                    self._note("read", index, records[-1][0])
                await self._look_at_end(index, offsets[index])
            await self._tasks.sleep(PAUSE_MS)

    async def _ask_under_other_epochs(self) -> None:
        async def ask(node_id: int, request: FetchRequest, version: int) -> Any:
            return await self._client("stale reader", node_id).ask(request, version)

        random = SeededRandom(self._seed + 2)
        reader = StaleReader(self._cluster, TOPIC, ask, random)
        while not self._is_over:
            for index in range(PARTITIONS):
                reader.look(index)
            wrong = await reader.ask(random.randrange(0, PARTITIONS))
            if wrong is not None:
                self._result.broken.append(wrong)
            await self._tasks.sleep(WATCH_MS)

    async def _look_at_end(self, index: int, position: int) -> None:
        """The end that a consumer is shown never falls, whichever node leads (KIP-207)."""
        topic = ListOffsetsRequest.ListOffsetsTopic
        one = topic.ListOffsetsPartition(partition_index=index, timestamp=LATEST)
        request = ListOffsetsRequest(
            replica_id=-1, topics=[topic(name=TOPIC, partitions=[one])], isolation_level=0
        )
        answer = await self._ask_leader("reader", index, request, 7)
        if answer is None or answer.topics[0].partitions[0].error_code != 0:
            return
        end = answer.topics[0].partitions[0].offset
        if end < max(position, self._ends[index]):
            self._result.broken.append(f"partition {index} ends at {end}, and did at {self._ends}")
        self._ends[index] = max(end, self._ends[index])

    async def _fetch(self, client: str, index: int, offset: int) -> list[tuple[int, str]]:
        topic = FetchRequest.FetchTopic
        one = topic.FetchPartition(
            partition=index, fetch_offset=offset, partition_max_bytes=1 << 20
        )
        request = FetchRequest(
            max_wait_ms=50,
            min_bytes=1,
            session_epoch=-1,
            topics=[topic(topic=TOPIC, partitions=[one])],
        )
        answer = await self._ask_leader(client, index, request, LEADERS_ONLY)
        if answer is None or not answer.responses:
            return []
        answered = answer.responses[0].partitions[0]
        code = ErrorCode.read(answered.error_code)
        assert code is ErrorCode.NONE or code.retriable, answered
        return [one for one in _records(bytes(answered.records or b"")) if one[0] >= offset]

    # The end.

    async def _read_everything(self) -> None:
        for index in range(PARTITIONS):
            found: list[tuple[int, str]] = []
            while more := await self._fetch("last reader", index, len(found)):
                found += more
            self._result.history.final[index] = tuple(found)
            self._note("found", index, len(found))

    def _collect_logs(self) -> None:
        for index in range(PARTITIONS):
            state = self._cluster.state(TOPIC, index)
            machines = [self._cluster.machines[one] for one in state.replicas]
            self._result.logs.append({log_of(one.node, index) for one in machines})
            for machine in machines:
                self._result.broken += _wrong_epochs(machine.node, index)
        topics = [machine.image.topics for machine in self._cluster.machines.values()]
        if any(one != topics[0] for one in topics):
            self._result.broken.append("the nodes do not have the same metadata")


class Watch:
    """What must be true of the nodes at every moment."""

    def __init__(self, cluster: Cluster, broken: list[str]) -> None:
        self._cluster = cluster
        self._broken = broken
        self._marks: dict[tuple[int, int], tuple[Any, int]] = {}
        """Of a node and a partition: the replica, as long as it stays, and its high watermark."""
        self._leaders: dict[tuple[int, int], int] = {}
        """By partition and epoch."""

    def look(self) -> None:
        for node_id, machine in self._cluster.machines.items():
            for index in range(PARTITIONS if machine.is_up else 0):
                partition = machine.node.broker.replicas.find(TOPIC, index)
                if partition is not None:
                    self._look_at_mark(node_id, partition)
                    self._look_at_leader(node_id, partition)

    def _look_at_mark(self, node_id: int, partition: Any) -> None:
        place = node_id, partition.index
        replica, mark = self._marks.get(place, (partition, 0))
        if replica is partition and partition.high_watermark < mark:
            self._broken.append(f"the high watermark fell from {mark}: {partition} of {node_id}")
        self._marks[place] = partition, partition.high_watermark

    def _look_at_leader(self, node_id: int, partition: Any) -> None:
        if partition.is_leader:
            place = partition.index, partition.leader_epoch
            if self._leaders.setdefault(place, node_id) != node_id:
                self._broken.append(f"{node_id} and {self._leaders[place]} lead {place}")


def _is_settled(state: PartitionState, replicas: int) -> bool:
    """All replicas are in sync, and none is on its way."""
    is_moving = state.adding_replicas or state.removing_replicas
    return len(state.isr) == len(state.replicas) == replicas and not is_moving


def _wrong_epochs(node: Any, index: int) -> list[str]:
    """Batches that a replica has noted under another epoch than their own."""
    log = node.broker.replicas.partition(TOPIC, index).log
    return [
        f"{cell} of partition {index} is noted under another epoch"
        for cell in cells_of(log_of(node, index))
        if log.epochs.epoch_for_offset(cell.header.base_offset) != cell.header.leader_epoch
    ]


def log_of(node: Any, index: int) -> bytes:
    """All that a replica has."""
    partition = node.broker.replicas.partition(TOPIC, index)
    data, offset = b"", 0
    while offset < partition.log_end_offset:
        more = partition.read(offset, 1 << 20, Isolation.LOG_END).read()
        data += more
        offset = cells_of(more)[-1].header.next_offset
    return data


def _producing(index: int, batch: bytes) -> ProduceRequest:
    data = ProduceRequest.TopicProduceData
    one = data.PartitionProduceData(index=index, records=batch)
    return ProduceRequest(
        acks=-1, timeout_ms=3_000, topic_data=[data(name=TOPIC, partition_data=[one])]
    )


def _batch(value: str, timestamp: int, producer_id: int, sequence: int, epoch: int) -> bytes:
    fields = BatchFields(producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)
    builder = BatchBuilder(fields)
    builder.append(timestamp, None, value.encode())
    return bytes(builder.build())


def _records(data: bytes) -> Iterator[tuple[int, str]]:
    for batch in iterate_batches(data):
        for record in iterate_records(batch):
            yield record.offset, (record.value or b"").decode()
