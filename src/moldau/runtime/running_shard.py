"""One shard on the partition that is its memory.

    decide ─► append ─► apply ─► wait for commit ─► replies and effects leave

Everything up to the wait happens in one go on the loop, so a shard never sees a state that another
decision is about to change. Replies of a decision that writes nothing wait as well, for what was
written before them: nobody is told of a state that could still be lost.

Decisions of requests that the shard declares as `joined` share batches (`joining`): each is made at
once, and all go the rest of the way together, before anything else is decided.

Where an append is refused nothing is applied, and the asker gets the coordinator's way of saying
it: a leader that is gone is NOT_COORDINATOR, a lack of replicas is COORDINATOR_NOT_AVAILABLE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from moldau.buffers import Buffer
from moldau.coordinator.shard import (
    Asking,
    Decision,
    JoiningShard,
    MetadataShard,
    Reply,
    Shard,
    StoredRecord,
    Ticket,
    TransactionalShard,
)
from moldau.errors import KafkaError, MoldauError
from moldau.log.append_origin import AppendOrigin
from moldau.log.appending.result import AppendResult
from moldau.log.producers.transaction_verification import VerificationGuard
from moldau.metadata.delta import Delta
from moldau.metadata.image import Image
from moldau.ports.clock import Clock
from moldau.ports.tasks import Promise, Tasks, Timer
from moldau.records.compression import Codec
from moldau.records.control import EndMarker, build_marker_batch
from moldau.replica.refusals import code_of
from moldau.runtime.joining import ONE_TURN_MS, JoinedBatch, Joining, joined_batches
from moldau.runtime.shard_batches import FIRST_SEQUENCE, batch_fields, batches_of
from moldau.runtime.shard_loading import ReadablePartition
from moldau.wire.error_codes import ErrorCode
from moldau.wire.schema import Message

Written = Counter[tuple[type[Message], bool]]
"""How many records were written, by the class of their key and whether they are tombstones."""
OnEffect = Callable[[int, object], None]
"""Told the partition and an effect of a decision whose records are committed."""

DUE_AT_ONCE_MAX = 64
"""Due decisions that are carried out in one go; then others get their turn."""

MEANINGS = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
}
"""What a refused append means to somebody who asks a coordinator; others mean what they say."""

TOO_LARGE = (ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.RECORD_LIST_TOO_LARGE)
"""May be true of joined decisions and of none of them."""


class ShardPartition(ReadablePartition, Protocol):
    """What a shard needs of its partition; `replica.partition.Partition` has it."""

    def append(
        self,
        records: Buffer,
        *,
        origin: AppendOrigin,
        guard: VerificationGuard | None = None,
        transaction_version: int = 0,
    ) -> AppendResult: ...

    def when_committed(
        self, offset: int, committed: Callable[[KafkaError | None], None]
    ) -> None: ...


class RunningShard:
    """A loaded shard, its partition, and those who wait for its answers."""

    def __init__(
        self,
        index: int,
        shard: Shard,
        partition: ShardPartition,
        clock: Clock,
        tasks: Tasks,
        *,
        on_effect: OnEffect,
        codec: Codec = Codec.NONE,
        write_timeout_ms: int,
        base_sequence: int = FIRST_SEQUENCE,
        linger_ms: int = ONE_TURN_MS,
        written: Written | None = None,
    ) -> None:
        self.index = index
        self.shard = shard
        self._partition = partition
        self._clock = clock
        self._tasks = tasks
        self._on_effect = on_effect
        self._codec = codec
        self._base_sequence = base_sequence
        self._fields = batch_fields(codec, base_sequence)
        self._joined = shard.joined if isinstance(shard, JoiningShard) else frozenset()
        self._joining = Joining(tasks, linger_ms, self._write_joined)
        self._written: Written = Counter() if written is None else written
        self._write_timeout_ms = write_timeout_ms
        self._waiting: dict[Ticket, Promise[Message]] = {}
        self._last_ticket = 0
        self._end_offset = partition.log_end_offset
        self._timer: Timer | None = None
        self._timer_at_ms = 0
        self._is_over = False

    def __repr__(self) -> str:
        return f"RunningShard({self.index}, {self.shard!r}, {len(self._waiting)} waiting)"

    # Requests.

    async def ask(
        self,
        request: Message,
        *,
        version: int,
        client_id: str = "",
        client_host: str = "",
        guard: VerificationGuard | None = None,
        correlation: object = None,
    ) -> Message:
        """The shard's answer, once all it rests on is committed."""
        self._last_ticket += 1
        ticket = self._last_ticket
        promise = self._waiting[ticket] = self._tasks.promise()
        try:
            asking = Asking(ticket, version, client_id, client_host, correlation)
            if type(request) in self._joined:
                self._joining.add(self.shard.decide(request, asking, self._clock.now_ms()))
            else:
                self._joining.flush()
                self.carry_out(self.shard.decide(request, asking, self._clock.now_ms()), guard)
            answer: Message = await promise.wait()
            return answer
        finally:
            self._waiting.pop(ticket, None)

    async def complete_transaction(
        self, producer_id: int, producer_epoch: int, marker: EndMarker, transaction_version: int
    ) -> None:
        """Append the marker and settle what was pending; returns once that is committed."""
        self._joining.flush()
        batch = build_marker_batch(
            marker,
            producer_id=producer_id,
            producer_epoch=producer_epoch,
            timestamp=self._clock.now_ms(),
        )
        self._append(batch, transaction_version=transaction_version)
        assert isinstance(self.shard, TransactionalShard)
        self.shard.apply_marker(producer_id, marker.is_commit)
        promise: Promise[None] = self._tasks.promise()
        self._when_committed(promise.fail, lambda: promise.keep(None))
        await promise.wait()

    def metadata_changed(self, delta: Delta, image: Image) -> None:
        """Tell the shard, if it wants to know."""
        if isinstance(self.shard, MetadataShard):
            self._joining.flush()
            self.carry_out(self.shard.metadata_changed(delta, image, self._clock.now_ms()))

    # Decisions.

    def carry_out(self, decision: Decision, guard: VerificationGuard | None = None) -> None:
        """Append, apply, and let the replies leave when that is committed."""
        if self._is_over:
            return
        if decision.records and not self._write(decision, guard):
            self._arm()
            return
        if decision.replies or decision.effects:
            self._when_committed(
                lambda error: self._refuse(decision.replies, error),
                lambda: self._release(decision),
            )
        self._arm()

    def _write(self, decision: Decision, guard: VerificationGuard | None) -> bool:
        now_ms = self._clock.now_ms()
        try:
            for records, batch in batches_of(decision, now_ms, self._codec, self._base_sequence):
                result = self._append(batch, guard=guard)
                self._apply(records, result.first_offset, decision.producer, now_ms)
                self._written.update((type(one.key), one.value is None) for one in records)
        except MoldauError as error:
            self._append_failed(decision, error)
            return False
        return True

    def _write_joined(self, decisions: Sequence[Decision]) -> None:
        now_ms = self._clock.now_ms()
        for joined in joined_batches(decisions, now_ms, self._fields):
            self._carry_out_joined(joined, now_ms)
        self._arm()

    def _carry_out_joined(self, joined: JoinedBatch, now_ms: int) -> None:
        """As `carry_out`, for all that is in one batch."""
        decisions, records, batch = joined
        try:
            if records:
                result = self._append(batch)
                self._apply(records, result.first_offset, None, now_ms)
                self._written.update((type(one.key), one.value is None) for one in records)
        except MoldauError as error:
            self._joined_failed(decisions, error)
            return

        def refuse(error: KafkaError) -> None:
            for decision in decisions:
                self._refuse(decision.replies, error)

        def release() -> None:
            for decision in decisions:
                self._release(decision)

        self._when_committed(refuse, release)

    def _joined_failed(self, decisions: Sequence[Decision], error: MoldauError) -> None:
        """Nothing is written: what is too large together may be written one by one."""
        if len(decisions) > 1 and code_of(error) in TOO_LARGE:
            for decision in decisions:
                self.carry_out(decision)
            return
        for decision in decisions:
            self._append_failed(decision, error)

    def _append(
        self,
        batch: bytearray,
        *,
        guard: VerificationGuard | None = None,
        transaction_version: int = 0,
    ) -> AppendResult:
        result = self._partition.append(
            batch,
            origin=AppendOrigin.COORDINATOR,
            guard=guard,
            transaction_version=transaction_version,
        )
        self._end_offset = result.last_offset + 1
        return result

    def _apply(
        self,
        records: Sequence[StoredRecord],
        first_offset: int,
        producer: tuple[int, int] | None,
        now_ms: int,
    ) -> None:
        if producer is None:
            for offset, record in enumerate(records, first_offset):
                self.shard.apply(record, offset, now_ms)
            return
        assert isinstance(self.shard, TransactionalShard)
        for offset, record in enumerate(records, first_offset):
            self.shard.apply_pending(record, producer[0], offset, now_ms)

    def _append_failed(self, decision: Decision, error: MoldauError) -> None:
        code = ErrorCode.read(code_of(error))
        meaning = KafkaError(MEANINGS.get(code, code), str(error))
        if decision.failed is not None:
            self._answer(decision.failed(ErrorCode.read(meaning.code)))
        self._refuse(decision.replies, meaning)

    # Commit.

    def _when_committed(
        self, refuse: Callable[[KafkaError], None], release: Callable[[], None]
    ) -> None:
        """Call one of the two when all that is written so far is committed, or when it is late."""
        timers: list[Timer] = []
        is_called = False

        def settle(error: KafkaError | None) -> None:
            nonlocal is_called
            if is_called:
                return
            is_called = True
            for timer in timers:
                timer.cancel()
            if error is None:
                release()
            else:
                code = ErrorCode.read(error.code)
                refuse(KafkaError(MEANINGS.get(code, code), error.message))

        self._partition.when_committed(self._end_offset, settle)
        if not is_called:
            late = KafkaError(ErrorCode.REQUEST_TIMED_OUT, "the write was not replicated in time")
            timers.append(self._tasks.after(self._write_timeout_ms, lambda: settle(late)))

    def _release(self, decision: Decision) -> None:
        self._answer(decision.replies)
        for effect in decision.effects:
            self._on_effect(self.index, effect)

    def _answer(self, replies: Sequence[Reply]) -> None:
        for ticket, response in replies:
            promise = self._waiting.pop(ticket, None)
            if promise is not None:
                promise.keep(response)

    def _refuse(self, replies: Sequence[Reply], error: KafkaError) -> None:
        for ticket, _ in replies:
            promise = self._waiting.pop(ticket, None)
            if promise is not None:
                promise.fail(error)

    # Time.

    def _arm(self) -> None:
        """Have a timer set that comes no later than the shard wants to be woken."""
        wake_at_ms = self.shard.wake_at_ms()
        if wake_at_ms is None or (self._timer is not None and self._timer_at_ms <= wake_at_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at_ms = wake_at_ms
        self._timer = self._tasks.after(max(0, wake_at_ms - self._clock.now_ms()), self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._joining.flush()
        for _ in range(DUE_AT_ONCE_MAX):
            wake_at_ms = self.shard.wake_at_ms()
            now_ms = self._clock.now_ms()
            if self._is_over or wake_at_ms is None or wake_at_ms > now_ms:
                break
            self.carry_out(self.shard.tick(now_ms))
        if not self._is_over:
            self._arm()

    # The end.

    def end(self, error: KafkaError) -> None:
        """The partition is led elsewhere: the last words, and no more decisions."""
        self._answer(self.shard.unloaded())
        self._is_over = True
        self._joining.drop()
        if self._timer is not None:
            self._timer.cancel()
        waiting: dict[Ticket, Promise[Any]] = self._waiting
        self._waiting = {}
        for promise in waiting.values():
            promise.fail(error)
