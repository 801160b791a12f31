"""Consumers with sessions, and all that may happen to what they read: drawn, and played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from hypothesis import strategies as st

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.replica.following import LeaderEnds, append_fetched, truncate
from moldau.broker.server.fetch.sessions import FetchSessions
from moldau.broker.server.partition.delete_records import delete_records
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.wire.compile import decode, encode_parts
from tests.broker.log.batches import batch
from tests.broker.server.asking import frame_of
from tests.broker.server.data_broker import NOT_YET, Asked, DataBroker, result_of, topic_id
from tests.broker.server.frame_sender import FrameSender

TWO: dict[str, Any] = {"replicas": [1, 2], "isr": [1, 2], "directories": [bytes(16), bytes(16)]}
PARTITIONS = 4
"""The first two are led and alone, the third waits for a follower, the fourth is followed."""
VERSION = 13
HEAD_BYTES = 9
"""Size, correlation id and tags."""
FOR_EVER, NEVER = 1e12, 0
CLIENTS = 2
PRODUCER_ID = 9


class Asking(Protocol):
    """A request that was sent."""

    def body(self) -> bytes | None:
        """Its answer's, when it is there."""
        ...


class AskedHandler:
    """Answered by the handler, with a message."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def body(self) -> bytes | None:
        if self._asked.answer is NOT_YET:
            return None
        parts: list[Any] = list(encode_parts(self._asked.answer, VERSION))
        body = b"".join(part.read() if isinstance(part, FileSlice) else part for part in parts)
        assert self._asked.encoded in (None, body), "what is written flat is what the codec writes"
        return body


class AskedDispatcher:
    """Answered with a frame."""

    def __init__(self, sender: FrameSender, request: FetchRequest) -> None:
        self._line = sender.open(frame_of(request, VERSION))

    def body(self) -> bytes | None:
        received = b"".join(self._line.sent)
        return received[HEAD_BYTES:] if received else None


@dataclass
class Client:
    """One consumer with a session; it asks for what it has not seen."""

    session: tuple[int, int] = (0, 0)
    offsets: dict[int, int] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    asked: Asking | None = None

    def request(
        self,
        wanted: tuple[int, ...],
        *,
        partition_max_bytes: int = 1 << 20,
        leader_epoch: int = -1,
        **limits: Any,
    ) -> FetchRequest:
        gone = [index for index in self.offsets if index not in wanted]
        for index in wanted:
            if index not in self.offsets:
                self.offsets[index] = 0
                self.changed.add(index)
        for index in gone:
            del self.offsets[index]
        named = self.changed if self.session[1] else set(self.offsets)
        listed = [
            FetchRequest.FetchTopic.FetchPartition(
                partition=index,
                fetch_offset=self.offsets[index],
                partition_max_bytes=partition_max_bytes,
                current_leader_epoch=leader_epoch,
            )
            for index in sorted(named & set(wanted))
        ]
        self.changed = set()
        identity = topic_id("topic")
        topic = FetchRequest.FetchTopic(topic_id=identity, partitions=listed)
        forgotten = FetchRequest.ForgottenTopic(topic_id=identity, partitions=gone)
        return FetchRequest(
            topics=[topic] if listed else [],
            forgotten_topics_data=[forgotten] if gone else [],
            replica_state=FetchRequest.ReplicaState(),
            session_id=self.session[0],
            session_epoch=self.session[1],
            **{"max_wait_ms": 0, "min_bytes": 1, **limits},
        )

    def take(self, body: bytes) -> None:
        """Go on from there."""
        self.asked = None
        answer = decode(FetchResponse, VERSION, body)
        if answer.error_code:
            self.session, self.offsets = (0, 0), {}
        else:
            self.session = answer.session_id, self.session[1] + 1
        for topic in answer.responses:
            for data in topic.partitions:
                if data.error_code or data.records:
                    self.changed.add(data.partition_index)
                if data.records and data.partition_index in self.offsets:
                    self.offsets[data.partition_index] += 1


class World:
    """A broker, its clients, and what they were answered, when."""

    def __init__(self, broker: DataBroker, check_all_ms: float, *, by_frame: bool = False) -> None:
        """Sessions trust that they are woken so long; clients ask handlers, or a dispatcher."""
        self.broker = broker
        self.clients = [Client() for _ in range(CLIENTS)]
        self.epochs = dict.fromkeys(range(PARTITIONS), 0)
        self.leaders = {0: 1, 1: 1, 2: 1, 3: 2}
        self.open: set[int] = set()
        self.sequences = [0] * PARTITIONS
        self.answers: list[Any] = []
        clock = broker.broker.clock
        broker.broker.fetch_sessions = FetchSessions(
            clock, SeededRandom(2), check_all_ms=check_all_ms
        )
        self.sender = FrameSender(broker.broker, reads_fast=True) if by_frame else None

    def found(self, index: int) -> Any:
        return self.broker.replicas.find("topic", index)

    async def lead(self, index: int, leader: int = 1) -> None:
        self.leaders[index] = leader
        self.epochs[index] += 1
        one: dict[str, Any] = {"replicas": [1], "isr": [1], "directories": [bytes(16)]}
        self.broker.write(
            [
                PartitionRecord(
                    partition_id=index, topic_id=topic_id("topic"), leader=leader,
                    leader_epoch=self.epochs[index], partition_epoch=self.epochs[index],
                    removing_replicas=[], adding_replicas=[], **(one if index < 2 else TWO),
                )
            ]
        )  # fmt: skip
        await self.broker.tasks.sleep(3)

    async def append(self, index: int, size: int = 1) -> None:
        partition = self.found(index)
        if partition.is_leader:
            partition.append(batch(0, (b"v" * size,)))
            return
        end, epoch = partition.log_end_offset, partition.leader_epoch
        records = batch(end, (b"v" * size,), leader_epoch=epoch)
        append_fetched(partition, records, LeaderEnds(end + size % 2, 0))

    async def transact(self, index: int, _: int = 0) -> None:
        """Begin a transaction where none is open, or end it."""
        partition = self.found(index)
        if not partition.is_leader:
            return
        if index in self.open:
            self.open.remove(index)
            marker = EndMarker(is_commit=False, coordinator_epoch=0)
            ending = build_marker_batch(
                marker, producer_id=PRODUCER_ID + index, producer_epoch=0, timestamp=1000
            )
            partition.append(ending, origin=AppendOrigin.COORDINATOR)
        else:
            partition.log.producers.verify_transactions = False
            producer = PRODUCER_ID + index, 0, self.sequences[index]
            partition.append(batch(0, (b"t",), attributes=0x10, producer=producer))
            self.sequences[index] += 1
            self.open.add(index)

    async def replicate(self, index: int, _: int = 0) -> None:
        """The other replica has everything, as its fetch says."""
        partition = self.found(index)
        if partition.is_leader and index >= 2:
            listed = FetchRequest.FetchTopic.FetchPartition(
                partition=index, fetch_offset=partition.log_end_offset, partition_max_bytes=1
            )
            request = FetchRequest(
                max_wait_ms=0, min_bytes=0, forgotten_topics_data=[],
                topics=[FetchRequest.FetchTopic(topic_id=topic_id("topic"), partitions=[listed])],
                replica_state=FetchRequest.ReplicaState(replica_id=2),
            )  # fmt: skip
            await self.broker.ask(request, 18)

    async def delete(self, index: int, _: int = 0) -> None:
        partition = self.found(index)
        if partition.is_leader:
            await delete_records(self.broker.broker, partition, -1)

    async def cut(self, index: int, _: int = 0) -> None:
        """A follower drops its last batch."""
        partition = self.found(index)
        if not partition.is_leader and partition.log_end_offset > partition.log_start_offset:

            async def nothing() -> None:
                """Its checkpoint."""

            last = partition.log_end_offset - 1
            await truncate(self.broker.replicas, partition, last, nothing)

    async def change(self, index: int, _: int = 0) -> None:
        if index:
            await self.lead(index, 3 - self.leaders[index])

    async def fail(self, index: int, chance: int = 0) -> None:
        if chance == 5:
            self.found(index).directory.take_offline("it is broken")

    async def other(self, _index: int, _: int = 0) -> None:
        """Some other topic comes or goes."""
        if "other" in self.broker.metadata.image.topics.by_name:
            self.broker.delete("other")
        else:
            await self.broker.topic("other")

    async def fetch(self, client: int, wanted: tuple[int, ...], **limits: Any) -> None:
        one = self.clients[client]
        if one.asked is None:
            request = one.request(wanted, **limits)
            if self.sender is None:
                one.asked = AskedHandler(self.broker.begin(request, VERSION))
            else:
                one.asked = AskedDispatcher(self.sender, request)

    async def settle(self, duration_ms: int) -> None:
        for _ in range(duration_ms):
            await self.broker.tasks.sleep(1)
            for number, one in enumerate(self.clients):
                body = None if one.asked is None else one.asked.body()
                if body is not None:
                    one.take(body)
                    self.answers.append((self.broker.broker.clock.now_ms(), number, body))


INDEX = st.integers(0, PARTITIONS - 1)
EVENTS = ("append", "append", "append", "transact", "replicate", "delete", "cut", "change", "other",
          "fail")  # fmt: skip
SIZE = st.integers(1, 400)
CHANGES = st.one_of(
    st.tuples(st.sampled_from(EVENTS), INDEX, SIZE),
    st.tuples(st.sampled_from(["append", "transact", "replicate", "delete"]), st.just(2), SIZE),
    st.tuples(st.sampled_from(["append", "append", "cut"]), st.just(3), SIZE),
)
LIMITS = st.fixed_dictionaries(
    {
        "max_wait_ms": st.sampled_from([0, 5, 50]),
        "min_bytes": st.sampled_from([1, 1, 1, 0, 500]),
        "max_bytes": st.sampled_from([1 << 20, 1 << 20, 300]),
        "isolation_level": st.sampled_from([0, 0, 0, 1]),
        "partition_max_bytes": st.sampled_from([1 << 20, 1 << 20, 60]),
        "leader_epoch": st.sampled_from([-1, -1, -1, 1, 2]),
    }
)
WANTED = st.sampled_from([(0, 1, 2, 3), (0, 1, 2, 3), (0, 1), (2, 3), (1,)])
FETCHES = st.tuples(st.just("fetch"), st.integers(0, CLIENTS - 1), st.tuples(WANTED, LIMITS))
PAUSES = st.tuples(st.just("pause"), st.just(0), st.sampled_from([0, 1, 3, 60]))
HISTORIES = st.lists(st.one_of(CHANGES, FETCHES, FETCHES, PAUSES), max_size=40)


def answers_in(history: list[Any], check_all_ms: float, *, by_frame: bool = False) -> list[Any]:
    """When who was answered what."""

    async def scenario(broker: DataBroker) -> list[Any]:
        await broker.topic("topic", PARTITIONS)
        world = World(broker, check_all_ms, by_frame=by_frame)
        for index, leader in world.leaders.items():
            await world.lead(index, leader)
        for what, number, more in history:
            if what == "fetch":
                wanted, limits = more
                await world.fetch(number, wanted, **limits)
            elif what == "pause":
                await world.settle(more)
            else:
                try:
                    await getattr(world, what)(number, more)
                except Exception as error:  # noqa: BLE001  # refused alike, or the test fails
                    world.answers.append(repr(error))
        await world.settle(100)
        return world.answers

    return result_of(scenario)
