"""A broker with partitions on a simulated disk, asked as a client asks it: call by call."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeVar

from moldau.broker.log.segment.file_slice import FileSlice
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.partition import Partition
from moldau.broker.server.apis import BROKER, handler_of
from moldau.broker.server.broker import Broker, BrokerWorld, ClusterParts
from moldau.broker.server.call import ANONYMOUS, LATER, Call, EncodedParts, Slices
from moldau.broker.server.fetch.sessions import FetchSessions
from moldau.broker.server.slices import in_slices, run_slice
from moldau.errors import NetworkError
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.simulated.tasks import SimulatedTasks
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.messages.stored.metadata_brokers import RegisterBrokerRecord
from moldau.protocol.messages.stored.metadata_topics import (
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message
from tests.broker.replica.broker_world import NODE
from tests.broker.replica.broker_world import Broker as Disk

Value = TypeVar("Value")
Scenario = Callable[["DataBroker"], Coroutine[Any, Any, Value]]
NOT_YET = "no answer yet"


def topic_id(name: str) -> bytes:
    return name.encode().ljust(16, b"-")[:16]


@dataclass
class KnownMetadata:
    """An image that changes by records, without a quorum."""

    image: Image = EMPTY_IMAGE
    leader_id: int = NODE


@dataclass
class DataBroker:
    """One broker; topics come and go by metadata records."""

    broker: Any
    """A `Broker`, in which plays put parts of their own."""
    replicas: ReplicaManager
    tasks: SimulatedTasks
    disk: Disk
    metadata: KnownMetadata = field(default_factory=KnownMetadata)

    def write(self, records: Iterable[Any]) -> None:
        """Metadata records, committed."""
        delta = Delta(self.metadata.image)
        for record in records:
            delta.apply(record)
        self.metadata.image = self.disk.image = delta.build()  # type: ignore[assignment]
        self.replicas.apply(delta, self.metadata.image)

    async def topic(self, name: str, partitions: int = 1, **fields: Any) -> bytes:
        """A topic that is open."""
        given = {
            "replicas": [NODE], "isr": [NODE], "leader": NODE, "leader_epoch": 0,
            "partition_epoch": 0, "removing_replicas": [], "adding_replicas": [], **fields,
        }  # fmt: skip
        records = [
            PartitionRecord(partition_id=index, topic_id=topic_id(name), **given)
            for index in range(partitions)
        ]
        self.write([TopicRecord(name=name, topic_id=topic_id(name)), *records])
        await self.replicas.settled()
        return topic_id(name)

    def add_broker(self, broker_id: int) -> None:
        """Another living broker, as far as the metadata knows."""
        self.write([registration(broker_id)])

    def delete(self, name: str) -> None:
        self.write([RemoveTopicRecord(topic_id=topic_id(name))])

    def partition(self, name: str, index: int = 0) -> Partition:
        return self.replicas.leader(name, index)

    def begin(
        self, request: Any, version: int, client_id: str = "a client", read: Any = None
    ) -> Asked:
        """Ask, and go on before the answer is there; `read` is what a fast reader made of it."""
        asked = Asked(request.KEY, version)
        call = Call(
            request.KEY, version, 1, client_id, request if read is None else None, ANONYMOUS,
            "PLAINTEXT", Address("client", 4711), 1, 0, read=read,
        )  # fmt: skip
        call.divert(asked.take)
        handler = handler_of(request.KEY, BROKER[request.KEY])
        answer = handler(call, self.broker)
        if isinstance(answer, Slices):
            done, answer = run_slice(self.broker.clock, rest := answer)
            answer = answer if done else in_slices(self.broker, rest)
        if isinstance(answer, Coroutine):
            self.tasks.spawn("handler", asked.wait_for(answer))
        elif answer is not LATER:
            asked.take(answer)
        return asked

    async def ask(self, request: Any, version: int, client_id: str = "a client") -> Any:
        """The answer, however long it takes."""
        asked = self.begin(request, version, client_id)
        while asked.answer is NOT_YET:
            await self.tasks.sleep(1)
        return asked.answer


@dataclass
class Asked:
    """A request that was sent, and its answer when it is there."""

    api_key: int
    version: int
    answer: Any = NOT_YET
    encoded: bytes | None = None
    """The same, where it came as bytes."""
    slices: list[Any] = field(default_factory=list)
    """What of it lies in files still."""

    def take(self, answer: Any) -> None:
        assert self.answer is NOT_YET, "answered twice"
        if isinstance(answer, EncodedParts):
            parts: list[Any] = list(answer.parts)
            self.slices = [part for part in parts if isinstance(part, FileSlice)]
            whole = [part.read() if isinstance(part, FileSlice) else part for part in parts]
            answer = b"".join(whole)
        if isinstance(answer, bytes):
            self.encoded = answer
            answer = decode(BY_KEY[self.api_key].response, self.version, answer)
        self.answer = answer

    async def wait_for(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        answer = await coroutine
        if answer is not LATER:
            self.take(answer)


class NoOthers:
    """The ways to brokers that cannot be reached."""

    async def ask(self, broker_id: int, request: Message, timeout_ms: float) -> Message:
        raise NetworkError(f"broker {broker_id}", "connection refused")


def result_of(scenario: Scenario[Value], disk: Disk | None = None, **settings: Any) -> Value:
    """Run a scenario with a broker on a fresh disk, or on one that was used before."""
    disk = disk or Disk()
    begun: object = disk.image
    if not isinstance(begun, Image):
        delta = Delta(EMPTY_IMAGE)
        delta.apply(registration(NODE))
        disk.image = delta.build()  # type: ignore[assignment]

    async def main(replicas: ReplicaManager, tasks: SimulatedTasks) -> Value:
        metadata = KnownMetadata(disk.image)  # type: ignore[arg-type]
        known: dict[str, Any] = {
            "node_id": NODE,
            "controller_listener_names": ("CONTROLLER",),
            "request_timeout_ms": 30_000,
            "cordoned_log_dirs": None,
            "fetch_max_bytes": 57_671_680,
            "replica_selector_class": None,
            "transaction_partition_verification_enable": True,
            "log_dirs": tuple(disk.paths),
            **settings,
        }
        given: Any = SimpleNamespace(**known)
        absent: Any = None
        others: Any = NoOthers()
        broker = Broker(
            given,
            "c",
            BrokerWorld(disk.clock, SeededRandom(1), tasks),
            ClusterParts(metadata, absent, others),  # type: ignore[arg-type]
            replicas,
            FetchSessions(disk.clock, SeededRandom(2)),
        )
        return await scenario(DataBroker(broker, replicas, tasks, disk, metadata))

    return disk.run(main)


def registration(broker_id: int) -> RegisterBrokerRecord:
    """Of a broker that lives."""
    endpoint = RegisterBrokerRecord.BrokerEndpoint(
        name="PLAINTEXT", host="here", port=9092, security_protocol=0
    )
    return RegisterBrokerRecord(
        broker_id=broker_id, incarnation_id=bytes(16), broker_epoch=0, features=[],
        end_points=[endpoint], fenced=False, rack="r",
    )  # fmt: skip
