"""Decides when which batch goes to which broker, and what its answer means: a state machine.

    add(record, now_ms)     → whether a step is due
    step(event, now_ms)     → effects, and when to be stepped again at the latest

A batch leaves when it is full, when it has waited for `linger.ms`, or when there is no more room.
A broker gets one request for all its partitions that are ready, at most
`max.in.flight.requests.per.connection` at a time. Nothing that can pass by itself fails a record:
its batch is sent again until `delivery.timeout.ms` is over. Every record ends in one outcome.

With idempotence a producer has an id, an epoch, and sequences in each lane. When a broker has lost
what came before, the oldest batch goes again from 0 under the next epoch (KIP-360); and where it is
not known whether a batch that failed was appended, what comes after it does.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias, assert_never

from moldau.client.core.cluster import Cluster
from moldau.client.core.context import ClientContext
from moldau.client.core.producing.accumulator import Accumulator, TopicLanes
from moldau.client.core.producing.answers import Next, Verdict, cause_of, judge_row
from moldau.client.core.producing.batch import (
    Delivery,
    Identity,
    Outcome,
    Pending,
    ProducerBatch,
)
from moldau.client.core.producing.events import (
    AddPartitions,
    Answered,
    Broken,
    Effect,
    Event,
    Identified,
    Identify,
    PartitionsAdded,
    Refresh,
    Refreshed,
    Send,
    Settled,
    Tick,
)
from moldau.client.core.producing.lane import Lane
from moldau.client.core.producing.partitioners import Partitioner
from moldau.client.core.producing.transaction import Stage, Transaction
from moldau.client.errors import (
    ClientError,
    RefusedError,
    TimedOutError,
    UnknownTopicError,
    UnresolvedError,
    refusal,
)
from moldau.client.settings.producer import ProducerSettings
from moldau.errors import MoldauError
from moldau.network.outgoing.backoff import Backoff
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Effects", "Sender"]

EPOCH_MAX: Final = 0x7FFE
"""Java's last; beyond it another producer id is asked for."""
CLASSIC_TRANSACTIONS: Final = 11
"""The last version of Produce before brokers add partitions to transactions themselves."""
REQUEST_OVERHEAD: Final = 512
TopicData: TypeAlias = ProduceRequest.TopicProduceData
PartitionData: TypeAlias = ProduceRequest.TopicProduceData.PartitionProduceData


class Effects(NamedTuple):
    """The effects of a step, in order, and when the next is due."""

    effects: list[Effect]
    wake_at_ms: float | None


class Sender:
    """Decides for one producer which batch is sent when."""

    def __init__(
        self,
        context: ClientContext,
        settings: ProducerSettings,
        partitioner: Partitioner | None = None,
    ) -> None:
        self._context = context
        self._cluster: Cluster = context.cluster
        self._settings = settings
        self._linger_ms: int = settings.linger_ms
        self._batch_size: int = settings.batch_size
        self._retries: int = settings.retries
        self._delivery_timeout_ms: int = settings.delivery_timeout_ms
        self._max_block_ms: int = settings.max_block_ms
        self._most_in_flight: int = settings.max_in_flight_requests_per_connection
        self._request_room: int = settings.max_request_size - REQUEST_OVERHEAD
        self._is_idempotent: bool = settings.is_idempotent
        self._acks: int = settings.acks_number
        self._request_timeout_ms: int = settings.request_timeout_ms
        """All found once: they are asked for with each request."""
        self._backoff: Backoff = context.backoff
        self.accumulator = Accumulator(context, settings, partitioner)
        self.identity = Identity()
        self.transaction = (
            None if settings.transactional_id is None else Transaction(settings.transactional_id)
        )
        self.flushers = 0
        """While a caller waits for all, nothing lingers."""
        self._in_flight: dict[int, int] = {}
        self._muted_until_ms: dict[int, float] = {}
        self._is_identifying = False
        self._is_refreshing = False
        self._refresh_not_before_ms = 0.0
        self._refresh_tries = 0
        self._refresh_cause: MoldauError | None = None
        self._effects: list[Effect] = []
        self._settled: list[Pending] = []
        self._wakes: list[float] = []

    def __repr__(self) -> str:
        return f"<Sender: {self.accumulator!r}, {sum(self._in_flight.values())} requests out>"

    # what comes in

    def add(self, delivery: Delivery, now_ms: int) -> bool:
        """Take a record; whether a step is due. Refused records are a `ClientError`."""
        if self.transaction is None:
            return self.accumulator.add(delivery, now_ms)
        self.transaction.ensure_open()
        try:
            return self.accumulator.add(delivery, now_ms)
        except ClientError as error:
            self.transaction.fail(error)
            raise

    def add_all(
        self, deliveries: list[Delivery], now_ms: int
    ) -> tuple[bool, list[tuple[Delivery, ClientError]]]:
        """Take records; whether a step is due, and which of them are refused."""
        try:
            if self.transaction is not None:
                self.transaction.ensure_open()
        except ClientError as error:
            return False, [(delivery, error) for delivery in deliveries]
        is_due, refused = self.accumulator.add_all(deliveries, now_ms)
        if self.transaction is not None and refused:
            self.transaction.fail(refused[0][1])  # it would be committed without them
        return is_due, refused

    def add_packed(self, batches: Iterable[ProducerBatch], now_ms: int) -> None:
        """Take whole batches."""
        if self.transaction is not None:
            self.transaction.ensure_open()
        for batch in batches:
            self.accumulator.add_packed(batch, now_ms)

    def undone(self) -> Iterator[Pending | Delivery]:
        """Everything that has neither arrived nor failed."""
        for _, topic in self.accumulator.unplaced():
            for _, _, waiting in topic.unplaced:
                yield waiting
        for lane in self.accumulator.lanes.values():
            yield from lane.unresolved
            yield from lane.waiting

    def step(self, event: Event, now_ms: int) -> Effects:
        self._effects, self._settled, self._wakes = [], [], []
        self._take(event, now_ms)
        self._give_up_late_ones(now_ms)
        self._go_on(now_ms)
        if self._settled:
            self._effects.append(Settled(tuple(self._settled)))
        return Effects(self._effects, min(self._wakes, default=None))

    def drop_unsent(self, error: ClientError, now_ms: int) -> Effects:
        """Fail what has not left: its transaction is aborted, or the producer closed in a hurry."""
        self._effects, self._settled, self._wakes = [], [], []
        for name, topic in list(self.accumulator.unplaced()):
            self._fail_unplaced(name, topic, error)
        for lane in list(self.accumulator.lanes.values()):
            for batch in [*lane.unresolved, *lane.waiting]:
                if not batch.is_out:
                    self._fail(lane, batch, error)
        self._effects.append(Settled(tuple(self._settled)))
        return Effects(self._effects, None)

    def _take(self, event: Event, now_ms: int) -> None:
        match event:
            case Answered():
                self._answered(event.send, event.answer, now_ms)
            case Broken():
                self._broken(event.send, event.error, now_ms)
            case Refreshed():
                self._refreshed(event, now_ms)
            case Identified():
                self._identified(event)
            case PartitionsAdded():
                self._partitions_added(event)
            case Tick():
                pass
            case _:
                assert_never(event)

    # what happens

    def _answered(self, send: Send, answer: ProduceResponse | None, now_ms: int) -> None:
        self._in_flight[send.node_id] -= 1
        if answer is None:
            for batch in send.batches:
                self._done(self.accumulator.lanes[batch.part], batch, Outcome())
            return
        self._muted_until_ms[send.node_id] = now_ms + answer.throttle_time_ms
        rows = {
            (topic.name or topic.topic_id, row.index): row
            for topic in answer.responses
            for row in topic.partition_responses
        }
        ids = {topic.name: topic.topic_id for topic in send.request.topic_data}
        for batch in send.batches:
            name, number = batch.part
            row = rows.get((name, number)) or rows.get((ids[name], number))
            lane = self.accumulator.lanes[batch.part]
            batch.is_out = False
            if row is None:
                error = refusal(str(batch.part), ErrorCode.UNKNOWN_SERVER_ERROR)
                self._again(batch, error, now_ms)
            else:
                verdict = judge_row(self._cluster, batch, row, answer)
                self._obey(lane, batch, verdict, now_ms)

    def _obey(self, lane: Lane, batch: ProducerBatch, verdict: Verdict, now_ms: int) -> None:
        match verdict.next:
            case Next.DONE:
                self._done(lane, batch, verdict.outcome)
            case Next.FAIL:
                assert verdict.error is not None, "a failure has a reason"
                self._fail(lane, batch, verdict.error)
            case Next.SPLIT:
                self._split(lane, batch)
            case Next.AGAIN:
                assert verdict.error is not None, "a repetition has a reason"
                self._again(batch, verdict.error, now_ms)
            case Next.ANEW:
                assert verdict.error is not None, "a repetition has a reason"
                self._anew(lane, batch, verdict.error, now_ms)
            case _:
                assert_never(verdict.next)

    def _broken(self, send: Send, error: MoldauError, now_ms: int) -> None:
        self._in_flight[send.node_id] -= 1
        cause = cause_of(error)
        for batch in send.batches:
            batch.is_out = False
            self._cluster.mark_stale(batch.part.topic)
            self._again(batch, cause, now_ms)

    def _refreshed(self, event: Refreshed, now_ms: int) -> None:
        self._is_refreshing = False
        cluster = self._cluster
        self._refresh_cause = event.error
        self._fail_unresolved(event.error)
        for name in event.topics:
            code = cluster.refused.get(name)
            if event.error is None and code is None:
                placed = self.accumulator.know(name)
                self._settled += placed
                self._ensure_whole(placed)
            elif code is not None and not code.retriable:
                topic = self.accumulator.topics.get(name)
                if topic is not None:
                    self._fail_unplaced(name, topic, refusal(f"topic {name}", code))
            elif code is not None:
                self._refresh_cause = RefusedError(f"topic {name}", code)
        if self._refresh_cause is None:
            self._refresh_tries = 0
        self._refresh_not_before_ms = now_ms + self._backoff.wait_ms(self._refresh_tries)
        self._refresh_tries += 1

    def _ensure_whole(self, placed: Iterable[Pending]) -> None:
        """A transaction would be committed without those that are refused."""
        if self.transaction is not None:
            for one in placed:
                if one.outcome is not None and one.outcome.error is not None:
                    self.transaction.fail(one.outcome.error)

    def _fail_unresolved(self, error: MoldauError | None) -> None:
        """Where no broker can ever be reached nothing is waited for."""
        if isinstance(error, UnresolvedError):
            for name, topic in self.accumulator.unplaced():
                self._fail_unplaced(name, topic, error)

    def _identified(self, event: Identified) -> None:
        self._is_identifying = False
        if event.error is None:
            self.identity = event.identity
            return
        for lane in list(self.accumulator.lanes.values()):
            for batch in [*lane.unresolved, *lane.waiting]:
                if not batch.is_out:
                    self._fail(lane, batch, event.error)

    def _partitions_added(self, event: PartitionsAdded) -> None:
        assert self.transaction is not None, "only a transaction has partitions"
        self.transaction.is_adding = False
        if event.error is None:
            self.transaction.partitions |= set(event.parts)
            return
        self.transaction.fail(event.error)
        for part in event.parts:
            lane = self.accumulator.lanes[part]
            for batch in list(lane.waiting):
                self._fail(lane, batch, event.error)

    # what becomes of batches

    def _done(self, lane: Lane, batch: ProducerBatch, outcome: Outcome) -> None:
        lane.resolve(batch)
        self._settle(lane, batch, outcome)

    def _fail(self, lane: Lane, batch: ProducerBatch, error: ClientError) -> None:
        lane.fail(batch)
        if self.transaction is not None:
            self.transaction.fail(error)
            self.transaction.is_in_doubt |= batch.is_in_doubt
        elif batch.is_in_doubt and batch.identity == self.identity:
            self._next_epoch()
        self._settle(lane, batch, Outcome(error=error))

    def _settle(self, lane: Lane, batch: ProducerBatch, outcome: Outcome) -> None:
        batch.outcome = outcome
        batch.records = bytearray()
        self.accumulator.released(batch.size)
        self._settled.append(batch)
        if lane.is_empty:
            self.accumulator.lanes.pop(lane.part, None)

    def _again(self, batch: ProducerBatch, cause: ClientError, now_ms: int) -> None:
        batch.cause = cause
        batch.not_before_ms = now_ms + self._backoff.wait_ms(batch.attempts - 1)
        if batch.attempts > self._retries:
            self._fail(self.accumulator.lanes[batch.part], batch, cause)

    def _split(self, lane: Lane, batch: ProducerBatch) -> None:
        halves = batch.halves(self.accumulator.fields)
        lane.split(batch, halves)
        self.accumulator.used_bytes += sum(half.size for half in halves) - batch.size
        self._settled.append(batch)

    def _anew(self, lane: Lane, batch: ProducerBatch, error: ClientError, now_ms: int) -> None:
        """A gap before one that is not the oldest closes by itself."""
        if not self._is_idempotent:
            self._fail(lane, batch, error)
            return
        if batch is not lane.unresolved[0]:
            self._again(batch, error, now_ms)
        elif self.transaction is not None:
            self._fail(lane, batch, error)
        else:
            lane.is_lost = True
            if batch.identity == self.identity:
                self._next_epoch()
            self._again(batch, error, now_ms)

    def _next_epoch(self) -> None:
        if self.identity.epoch >= EPOCH_MAX:
            self.identity = Identity()
        else:
            self.identity = Identity(self.identity.producer_id, self.identity.epoch + 1)

    def _fail_unplaced(self, name: str, topic: TopicLanes, error: ClientError) -> None:
        if self.transaction is not None:
            self.transaction.fail(error)
        while topic.unplaced:
            _, pending, waiting = topic.unplaced.popleft()
            pending.outcome = Outcome(error=error)
            if isinstance(waiting, Delivery) and waiting.on_delivery is not None:
                pending.deliveries.append(waiting)
            self.accumulator.released(waiting.size)
            self._settled.append(pending)

    # time

    def _give_up_late_ones(self, now_ms: int) -> None:
        for name, topic in list(self.accumulator.unplaced()):
            due_ms = topic.unplaced[0][0] + self._max_block_ms
            if due_ms <= now_ms:
                self._fail_unplaced(name, topic, self._unknown(name))
            else:
                self._wakes.append(due_ms)
        timeout_ms = self._delivery_timeout_ms
        for lane in list(self.accumulator.lanes.values()):
            while (batch := lane.oldest) is not None and not batch.is_out:
                due_ms = batch.created_ms + timeout_ms
                if due_ms > now_ms:
                    self._wakes.append(due_ms)
                    break
                self._give_up(lane, batch)

    def _give_up(self, lane: Lane, batch: ProducerBatch) -> None:
        cause = batch.cause or RefusedError(str(lane.part), ErrorCode.LEADER_NOT_AVAILABLE)
        what = f"sending {batch.count} records to {lane.part}"
        timeout_ms = self._delivery_timeout_ms
        self._fail(lane, batch, TimedOutError(what, timeout_ms, cause, "delivery.timeout.ms"))

    def _unknown(self, name: str) -> ClientError:
        cause = self._refresh_cause
        block_ms = self._max_block_ms
        if isinstance(cause, RefusedError) and cause.error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            return UnknownTopicError(
                name, f"was not there for {block_ms} ms (max.block.ms): create it first"
            )
        cause = cause or refusal(f"topic {name}", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return TimedOutError(f"asking for topic {name}", block_ms, cause, "max.block.ms")

    # what is done about it

    def _go_on(self, now_ms: int) -> None:
        stale: dict[str, None] = {name: None for name, _ in self.accumulator.unplaced()}
        ready = self._ready(now_ms, stale)
        if stale:
            self._refresh(stale, now_ms)
        if ready and self._has_identity():
            for node_id, lanes in self._in_transaction(ready).items():
                self._send_all(node_id, lanes, now_ms)

    def _ready(self, now_ms: int, stale: dict[str, None]) -> dict[int, list[Lane]]:
        """What could leave now, by the broker that leads it."""
        cluster = self._cluster
        ready: dict[int, list[Lane]] = {}
        for lane in self.accumulator.lanes.values():
            batch = lane.next()
            if batch is None:
                continue
            due_ms = self._due_ms(lane, batch)
            if due_ms > now_ms:
                self._wakes.append(due_ms)
                continue
            leader = cluster.leader(lane.part)
            if leader is None or not cluster.is_fresh(lane.part.topic, now_ms):
                stale[lane.part.topic] = None
                cluster.mark_stale(lane.part.topic)
            else:
                ready.setdefault(leader.node_id, []).append(lane)
        return ready

    def _due_ms(self, lane: Lane, batch: ProducerBatch) -> float:
        if batch.attempts:
            return batch.not_before_ms
        if batch.is_closed or self.flushers or len(lane.waiting) > 1:
            return 0
        if batch.size >= self._batch_size:
            return 0
        if not self.accumulator.has_room(self._batch_size):
            return 0
        return batch.created_ms + self._linger_ms

    def _refresh(self, stale: dict[str, None], now_ms: int) -> None:
        if self._is_refreshing:
            return
        if self._refresh_tries and self._refresh_not_before_ms > now_ms:
            self._wakes.append(self._refresh_not_before_ms)
            return
        self._is_refreshing = True
        self._effects.append(Refresh(tuple(stale)))

    def _has_identity(self) -> bool:
        if not self._is_idempotent or self.identity.producer_id >= 0:
            return True
        if not self._is_identifying and self.transaction is None:
            self._is_identifying = True
            self._effects.append(Identify())
        return False

    def _in_transaction(self, ready: dict[int, list[Lane]]) -> dict[int, list[Lane]]:
        """Those that may leave: in a transaction, only partitions that are part of it."""
        transaction = self.transaction
        if transaction is None:
            return ready
        if transaction.stage not in (Stage.OPEN, Stage.ENDING):
            return {}
        inside = transaction.partitions
        lanes = [lane for lanes in ready.values() for lane in lanes]
        missing = tuple(lane.part for lane in lanes if lane.part not in inside)
        if missing and not transaction.is_adding:
            transaction.is_adding = True
            self._effects.append(AddPartitions(missing))
        return {
            node_id: [lane for lane in lanes if lane.part in inside]
            for node_id, lanes in ready.items()
        }

    def _send_all(self, node_id: int, lanes: list[Lane], now_ms: int) -> None:
        """As many requests as the broker may have, each with a batch of every lane in turn."""
        muted_until_ms = self._muted_until_ms.get(node_id, 0)
        if muted_until_ms > now_ms:
            self._wakes.append(muted_until_ms)
            return
        most = self._most_in_flight
        while lanes and self._in_flight.get(node_id, 0) < most:
            batches: list[ProducerBatch] = []
            room = self._request_room
            left: list[Lane] = []
            for lane in lanes:
                batch = self._next_of(lane, now_ms)
                if batch is None:
                    continue
                batch.close(self.accumulator.fields)
                if batches and len(batch.records) > room:
                    left.append(lane)
                    continue
                room -= len(batch.records)
                self._leave(lane, batch)
                batches.append(batch)
                left.append(lane)
            if not batches:
                return
            lanes = left[1:] + left[:1]
            self._send(node_id, tuple(batches))

    def _next_of(self, lane: Lane, now_ms: int) -> ProducerBatch | None:
        batch = lane.next()
        if batch is None:
            return None
        due_ms = self._due_ms(lane, batch)
        if due_ms > now_ms:
            self._wakes.append(due_ms)
            return None
        return batch

    def _leave(self, lane: Lane, batch: ProducerBatch) -> None:
        """Under its number; counted anew only where the broker has lost what came before, since
        what merely was not answered may be there under the old one."""
        if lane.is_lost:
            lane.begin_anew(self.identity)
        lane.send(batch, self.identity, is_transactional=self.transaction is not None)

    def _send(self, node_id: int, batches: tuple[ProducerBatch, ...]) -> None:
        self._in_flight[node_id] = self._in_flight.get(node_id, 0) + 1
        by_topic: dict[str, list[PartitionData]] = {}
        for batch in batches:
            data = PartitionData(index=batch.part.partition, records=batch.records)
            by_topic.setdefault(batch.part.topic, []).append(data)
        topics = self._cluster.topics
        request = ProduceRequest(
            transactional_id=self._settings.transactional_id,
            acks=self._acks,
            timeout_ms=self._request_timeout_ms,
            topic_data=[
                TopicData(name=name, topic_id=topics[name].topic_id, partition_data=rows)
                for name, rows in by_topic.items()
            ],
        )
        newest = None if self.transaction is None else CLASSIC_TRANSACTIONS
        self._effects.append(Send(node_id, request, batches, newest))
