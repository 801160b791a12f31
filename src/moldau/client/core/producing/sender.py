"""Decides what becomes of the records of a producer, from the call to the outcome: a state machine.

    add(record, now_ms)     → whether a step is due
    step(event, now_ms)     → effects, and when to be stepped again at the latest

When a batch leaves is decided by its `requests`, what an answer means for it by `answers`. Nothing
that can pass by itself fails a record: its batch is sent again until `delivery.timeout.ms` is over.
Every record ends in one outcome.

With idempotence a producer has an id, an epoch, and sequences in each lane. When a broker has lost
what came before, the oldest batch goes again from 0 under the next epoch (KIP-360); and where it is
not known whether a batch that failed was appended, what comes after it does.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

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
    Answered,
    Broken,
    Effects,
    Event,
    Identified,
    PartitionsAdded,
    Refreshed,
    Send,
    Settled,
    Tick,
)
from moldau.client.core.producing.lane import Lane
from moldau.client.core.producing.partitioners import Partitioner
from moldau.client.core.producing.requests import Requests
from moldau.client.core.producing.transaction import Transaction
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
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["Sender"]

EPOCH_MAX: Final = 0x7FFE
"""Java's last; beyond it another producer id is asked for."""


class Sender:
    """Decides for one producer which batch is sent when."""

    def __init__(
        self,
        context: ClientContext,
        settings: ProducerSettings,
        partitioner: Partitioner | None = None,
    ) -> None:
        self._cluster: Cluster = context.cluster
        self._backoff: Backoff = context.backoff
        self._retries: int = settings.retries
        self._delivery_timeout_ms: int = settings.delivery_timeout_ms
        self._max_block_ms: int = settings.max_block_ms
        self._is_idempotent: bool = settings.is_idempotent
        self.accumulator = Accumulator(context, settings, partitioner)
        self.identity = Identity()
        self.transaction = (
            None if settings.transactional_id is None else Transaction(settings.transactional_id)
        )
        self.requests = Requests(context, settings, self.accumulator, self.transaction)
        self._refresh_cause: MoldauError | None = None
        self._settled: list[Pending] = []

    def __repr__(self) -> str:
        return f"<Sender: {self.accumulator!r}, {self.requests!r}>"

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
        self._settled = []
        self._take(event, now_ms)
        wakes = self._give_up_late_ones(now_ms)
        effects, wake_at_ms = self.requests.due(self.identity, now_ms)
        if wake_at_ms is not None:
            wakes.append(wake_at_ms)
        if self._settled:
            effects.append(Settled(tuple(self._settled)))
        return Effects(effects, min(wakes, default=None))

    def drop_unsent(self, error: ClientError) -> Effects:
        """Fail what has not left: its transaction is aborted, or the producer closed in a hurry."""
        self._settled = []
        for _, topic in self.accumulator.unplaced():
            self._fail_unplaced(topic, error)
        for lane in list(self.accumulator.lanes.values()):
            for batch in [*lane.unresolved, *lane.waiting]:
                if not batch.is_out:
                    self._fail(lane, batch, error)
        return Effects([Settled(tuple(self._settled))], None)

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
        self.requests.ended(send.node_id)
        if answer is None:
            for batch in send.batches:
                self._done(self.accumulator.lanes[batch.part], batch, Outcome())
            return
        self.requests.throttle(send.node_id, now_ms + answer.throttle_time_ms)
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
        self.requests.ended(send.node_id)
        cause = cause_of(error)
        for batch in send.batches:
            batch.is_out = False
            self._cluster.mark_stale(batch.part.topic)
            self._again(batch, cause, now_ms)

    def _refreshed(self, event: Refreshed, now_ms: int) -> None:
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
                    self._fail_unplaced(topic, refusal(f"topic {name}", code))
            elif code is not None:
                self._refresh_cause = RefusedError(f"topic {name}", code)
        self.requests.refreshed(now_ms, knows_all=self._refresh_cause is None)

    def _ensure_whole(self, placed: Iterable[Pending]) -> None:
        """A transaction would be committed without those that are refused."""
        if self.transaction is not None:
            for one in placed:
                if one.outcome is not None and one.outcome.error is not None:
                    self.transaction.fail(one.outcome.error)

    def _fail_unresolved(self, error: MoldauError | None) -> None:
        """Where no broker can ever be reached nothing is waited for."""
        if isinstance(error, UnresolvedError):
            for _, topic in self.accumulator.unplaced():
                self._fail_unplaced(topic, error)

    def _identified(self, event: Identified) -> None:
        self.requests.identified()
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

    def _fail_unplaced(self, topic: TopicLanes, error: ClientError) -> None:
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

    def _give_up_late_ones(self, now_ms: int) -> list[float]:
        """When the next ones are late."""
        wakes: list[float] = []
        for name, topic in list(self.accumulator.unplaced()):
            due_ms = topic.unplaced[0][0] + self._max_block_ms
            if due_ms <= now_ms:
                self._fail_unplaced(topic, self._unknown(name))
            else:
                wakes.append(due_ms)
        timeout_ms = self._delivery_timeout_ms
        for lane in list(self.accumulator.lanes.values()):
            while (batch := lane.oldest) is not None and not batch.is_out:
                due_ms = batch.created_ms + timeout_ms
                if due_ms > now_ms:
                    wakes.append(due_ms)
                    break
                self._give_up(lane, batch)
        return wakes

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
