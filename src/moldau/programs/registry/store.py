"""The topic: read from its beginning, followed, and appended to by one registry at a time.

A write is fenced. A registry that appends has to be the owner of the transactional id: it asks for
it, by which the former owner can commit nothing more, then reads the topic to its end, and decides
on what it knows then. Where that end is, a leader may say that is none any more and does not know
it yet: so the first transaction of an owner is committed only when all before its first record has
been read, and nothing was among it that the decision did not know. As long as its transactions
commit, nothing was appended by another one in between, so it need not read again. Where a
transaction does not commit, or where its end is unknown, ownership is taken anew and the decision
is made anew: what had been written after all is found by then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import ClassVar, Final, Generic, Protocol, TypeVar

from moldau.client import AsyncAdmin, AsyncProducer, TopicPartition
from moldau.client.admin import NewTopic
from moldau.client.aio import AsyncConnection
from moldau.client.aio.producer import AsyncDelivery
from moldau.client.core.consuming.records import ConsumerRecord, records_of
from moldau.client.core.fetching.reading import ENDLESS
from moldau.client.errors import ClientError, RefusedError
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.programs.http.messages import HttpError
from moldau.programs.registry.clients import StoreClients
from moldau.programs.registry.highest_ids import apply_header, header_of, with_reminder
from moldau.programs.registry.records import StoreRecord, read_json
from moldau.programs.registry.refusals import Refusal, refuse
from moldau.programs.registry.state import RegistryState
from moldau.programs.registry.turns import Turns
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.schemas.levels import Level

__all__ = ["RegistryStore", "StoreSettings", "TopicStore"]

log = logging.getLogger(__name__)


class _Clearable(Protocol):
    """What a topic holds, in memory."""

    def clear(self) -> None: ...


Answer = TypeVar("Answer")
State = TypeVar("State", bound=_Clearable)
Header = tuple[str, bytes]
BACKOFF_MS: Final = 200
END_MS: Final = 2_000
"""How long a registry that ends waits for its last record."""
BACKOFF_MS_MIN: Final = 10
"""About what a write takes: two registries that write at once get out of step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """Where the topic is."""

    client: Mapping[str, str]
    """Settings of the clients, by Kafka's names."""
    topic: str = "_schemas"
    keys_topic: str = "_dek_registry_keys"
    """Where the keys are that fields are encrypted with; created with the first one."""
    replication_factor: int | None = None
    """Of the topic where it has to be created; None for what the cluster has by default."""
    group: str = "schema-registry"
    """Registries that serve one topic together have the same."""
    default_level: Level = Level.BACKWARD
    timeout_ms: int = 30_000
    configs: Mapping[str, str] = field(default_factory=lambda: {"cleanup.policy": "compact"})

    @property
    def transactional_id(self) -> str:
        return f"{self.group}-{self.topic}"


class TopicStore(Generic[State]):
    """See the head of the file."""

    LAST_KEY: ClassVar[bytes | None] = None
    """Of a record that means nothing and stands behind the last transaction."""

    def __init__(
        self,
        settings: StoreSettings,
        state: State,
        tasks: Tasks,
        random: Random,
        clients: StoreClients | None = None,
    ) -> None:
        self.settings = settings
        self._clients = clients or StoreClients(settings.client)
        self.state = state
        self._tasks = tasks
        self._random = random
        self._part = TopicPartition(settings.topic, 0)
        self._turns = Turns(tasks)
        self._position = 0
        self._record_count = 0
        """So many were read, and applied."""
        self._knows_all = False
        """Whether a transaction of the producer has committed, since it is the owner."""
        self._has_written = False
        self._waiting: list[tuple[int, Promise[None]]] = []
        self._connection: AsyncConnection
        self._producer: AsyncProducer | None = None
        self._is_closing = False
        self.cluster_id = ""
        """Known from the start on."""

    async def start(self) -> None:
        """Return when all that is in the topic is known."""
        await self._ensure_topic()
        self._connection = self._clients.connection()
        await self._connection.__aenter__()
        self._tasks.spawn("reader of schemas", self._follow())
        await self.read_to_end()

    async def close(self) -> None:
        self._is_closing = True
        await self._let_go()
        if self.LAST_KEY is not None and self._has_written:
            await self._end_with(self.LAST_KEY)
        await self._connection.__aexit__(None, None, None)

    async def read_to_end(self) -> None:
        """Return when all is known that had been committed when this was called."""
        ends = await self._connection.latest([self._part], "read_committed")
        await self._read_up_to(ends[self._part])

    async def write(
        self, decide: Callable[[State], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer:
        """Append the records of `decide`, and return its answer.

        It may be called several times. An answer without records is returned at once.
        """
        try:
            answer, records = decide(self.state)
            if not records:
                return answer
        except HttpError:
            pass  # there may be more in the topic than is known here
        async with self._turns.turn():
            try:
                async with self._tasks.deadline(self.settings.timeout_ms):
                    return await self._write(decide)
            except TimeoutError:
                text = f"the topic {self.settings.topic} could not be written in time"
                raise refuse(Refusal.TIMED_OUT, text) from None

    async def _write(
        self, decide: Callable[[State], tuple[Answer, Sequence[StoreRecord]]]
    ) -> Answer:
        backoff_ms = BACKOFF_MS_MIN
        while True:
            try:
                producer = await self._own()
                return await self._write_once(producer, decide)
            except HttpError:
                was_owner = self._knows_all
                await self._let_go()
                if not was_owner:  # who has written before need not have read since
                    raise
            except ClientError as error:
                log.info("A write of schemas is tried again: %s", error)
                await self._let_go()
                await self._tasks.sleep(self._random.randrange(backoff_ms, 3 * backoff_ms))
                backoff_ms = min(2 * backoff_ms, BACKOFF_MS)

    async def _own(self) -> AsyncProducer:
        """A producer inside a transaction; what was committed before it is known."""
        if self._producer is not None:
            await self._producer.begin_transaction()
            return self._producer
        producer = self._clients.producer(self.settings.transactional_id)
        self._producer, self._knows_all = producer, False
        await producer.begin_transaction()
        await self.read_to_end()
        return producer

    async def _write_once(
        self,
        producer: AsyncProducer,
        decide: Callable[[State], tuple[Answer, Sequence[StoreRecord]]],
    ) -> Answer:
        while True:
            known_count = self._record_count
            answer, decided = decide(self.state)
            if not decided:
                await producer.abort_transaction()
                return answer
            deliveries = await self._send(producer, decided)
            if self._knows_all or await self._knew_all(deliveries[0], known_count):
                break
            await producer.abort_transaction()
            await producer.begin_transaction()
        await producer.commit_transaction()
        self._knows_all = self._has_written = True
        last = await deliveries[-1]
        await self._read_up_to(last.offset + 1)
        return answer

    async def _send(
        self, producer: AsyncProducer, decided: Sequence[StoreRecord]
    ) -> list[AsyncDelivery]:
        records, headers = self._completed(decided)
        topic, partition = self._part
        deliveries: list[AsyncDelivery] = []
        for record in records:
            key, value = record.encoded()
            deliveries.append(
                await producer.send(topic, value, key=key, partition=partition, headers=headers)
            )
        return deliveries

    async def _knew_all(self, first: AsyncDelivery, known_count: int) -> bool:
        """Whether no record stands before this one that was not known: it is read to there."""
        await self._read_up_to((await first).offset)
        return self._record_count == known_count

    async def _let_go(self) -> None:
        producer, self._producer = self._producer, None
        if producer is not None:
            try:
                await producer.close(0)
            except ClientError as error:
                log.debug("The producer of schemas was closed with: %s", error)

    async def _end_with(self, key: bytes) -> None:
        """No reader is shown the marker of a transaction, and Karapace waits for the last record.

        It is for others alone: where the cluster is gone, or slow, nothing is missing here.
        """
        producer = self._clients.plain_producer()
        topic, partition = self._part
        try:
            async with self._tasks.deadline(END_MS):
                await producer.send(topic, None, key=key, partition=partition)
                await producer.flush()
        except (ClientError, TimeoutError) as error:
            log.info("The topic %s has no last record behind its transactions: %s", topic, error)
        finally:
            await producer.close(0)

    # Reading.

    async def _read_up_to(self, offset: int) -> None:
        if self._position >= offset:
            return
        promise: Promise[None] = self._tasks.promise()
        self._waiting.append((offset, promise))
        await promise.wait()

    async def _follow(self) -> None:
        while not self._is_closing:
            try:
                await self._follow_until_it_fails()
            except ClientError as error:
                if self._has_ended():
                    return
                log.warning("The topic %s cannot be read: %s", self.settings.topic, error)
                await self._tasks.sleep(BACKOFF_MS)

    async def _follow_until_it_fails(self) -> None:
        starts = await self._connection.earliest([self._part])
        ends = await self._connection.latest([self._part])
        if ends[self._part] < self._position:
            self._begin_anew()
        start = max(self._position, starts[self._part])
        reading = self._connection.read(self._part, start, ENDLESS, "read_committed")
        try:
            async for chunk in reading:
                for records in records_of(chunk, check_checksums=True):
                    for record in records:
                        self._record_count += 1
                        self._apply(record)
                self._moved_to(chunk.end)
        finally:
            reading.close()

    def _has_ended(self) -> bool:
        return self._is_closing

    def _begin_anew(self) -> None:
        log.warning(
            "The topic %s was deleted, and is read from its new beginning", self._part.topic
        )
        self.state.clear()
        self._position = 0

    def _apply(self, record: ConsumerRecord) -> None:
        raise NotImplementedError

    def _completed(
        self, decided: Sequence[StoreRecord]
    ) -> tuple[Sequence[StoreRecord], Sequence[Header]]:
        """What is appended, and the headers of each."""
        return decided, ()

    def _moved_to(self, position: int) -> None:
        self._position = position
        due = [promise for offset, promise in self._waiting if offset <= position]
        self._waiting = [one for one in self._waiting if one[0] > position]
        for promise in due:
            promise.keep(None)

    # The topic itself.

    async def _ensure_topic(self) -> None:
        settings = self.settings
        async with self._clients.admin() as admin:
            self.cluster_id = (await admin.describe_cluster()).cluster_id or ""
            topics = await admin.list_topics(internal=True)
            if settings.topic in topics:
                await self._check_topic(admin)
                return
            wanted = NewTopic(
                settings.topic,
                partitions=1,
                replication_factor=settings.replication_factor,
                configs=settings.configs,
            )
            try:
                (await admin.create_topics([wanted]))[settings.topic]
            except RefusedError as error:
                if error.error is not ErrorCode.TOPIC_ALREADY_EXISTS:
                    raise

    async def _check_topic(self, admin: AsyncAdmin) -> None:
        view = (await admin.describe_topics([self.settings.topic]))[self.settings.topic]
        if len(view.partitions) != 1:
            raise refuse(
                Refusal.STORE,
                f"the topic {self.settings.topic} has {len(view.partitions)} partitions, and the "
                "order of schemas needs a single one: name another topic, or delete this one",
            )


class RegistryStore(TopicStore[RegistryState]):
    """The topic of schemas."""

    LAST_KEY = b'{"keytype":"NOOP","magic":0}'

    def _apply(self, record: ConsumerRecord) -> None:
        key = read_json(record.key)
        if key is not None:
            apply_header(self.state, record.headers)
            self.state.apply(key, read_json(record.value), record.timestamp)

    def _completed(
        self, decided: Sequence[StoreRecord]
    ) -> tuple[Sequence[StoreRecord], Sequence[Header]]:
        records = with_reminder(self.state, decided, self.settings.default_level)
        return records, [header_of(self.state, records)]
