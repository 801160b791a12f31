"""One shard on the partition that is its memory.

    decide ─► append ─► apply ─► wait for commit ─► replies and effects leave

Everything up to the wait happens in one go on the loop, so a shard never sees a state that another
decision is about to change. Replies of a decision that writes nothing wait as well, for what was
written before them: no reply shows a state that could still be lost.

Decisions of requests that are `join`ed share batches (`joining`): each is made at once, and all go
the rest of the way together, before anything else is decided. A client that sends one request at a
time and sent the last one, too, is taken to be alone: nothing is gained by waiting.

A caller waits as a task for a promise (`ask`), or is called back (`join`), which costs no task.

Where an append is refused nothing is applied, and the caller gets the coordinator's way of saying
it: a leader that is gone is NOT_COORDINATOR, a lack of replicas is COORDINATOR_NOT_AVAILABLE.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from moldau.broker.coordinator.encoded_decision import EncodedDecision
from moldau.broker.coordinator.shard import (
    Decision,
    JoiningShard,
    MetadataShard,
    Reply,
    RequestContext,
    Shard,
    StoredRecord,
    TransactionalShard,
)
from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.replica.refusals import code_of
from moldau.broker.runtime.joining import ONE_TURN_MS, Joining, cut_to_size
from moldau.broker.runtime.pending_replies import Answered, PendingReplies
from moldau.broker.runtime.refused_writes import TOO_LARGE, meaning_of, when_committed
from moldau.broker.runtime.shard_batches import WriteSettings, batch_fields, batches_of
from moldau.broker.runtime.shard_loading import ShardPartition
from moldau.broker.runtime.wake_timer import WakeTimer
from moldau.errors import KafkaError, MoldauError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.records.control import EndMarker, build_marker_batch
from moldau.protocol.records.moment import MomentBatches
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

Written = Counter[tuple[type[Message], bool]]
"""How many records were written, by the class of their key and whether they are tombstones."""
OnEffect = Callable[[int, object], None]
"""Called with the partition and an effect of a decision whose records are committed."""

UNKNOWN_CLIENT: Final = -1
"""The client, where it is not known to send one request at a time."""
DUE_AT_ONCE_MAX: Final = 64
"""Due decisions that are carried out in one go; then others get their turn."""


class RunningShard:
    """A loaded shard, its partition, and the requests that wait for its answers."""

    def __init__(
        self,
        index: int,
        shard: Shard,
        partition: ShardPartition,
        clock: Clock,
        tasks: Tasks,
        *,
        on_effect: OnEffect,
        writing: WriteSettings,
        written: Written | None = None,
    ) -> None:
        self.index = index
        self.shard = shard
        self._partition = partition
        self._clock = clock
        self._tasks = tasks
        self._on_effect = on_effect
        self._writing = writing
        self._write_timeout_ms = writing.timeout_ms
        self._batches = MomentBatches(batch_fields(writing))
        self._joining_shard = shard if isinstance(shard, JoiningShard) else None
        self._joining = Joining(tasks, writing.linger_ms, self._write_joined)
        self._may_be_alone = writing.linger_ms == ONE_TURN_MS
        self._last_caller = UNKNOWN_CLIENT
        self._written: Written = Counter() if written is None else written
        self._pending = PendingReplies(tasks)
        self._end_offset = partition.log_end_offset
        self._wake_timer = WakeTimer(clock, tasks, shard.wake_at_ms, self._wake)
        self._is_over = False

    def __repr__(self) -> str:
        return f"RunningShard({self.index}, {self.shard!r}, {len(self._pending)} waiting)"

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
        promise: Promise[Message] = self._tasks.promise()
        ticket = self._pending.add(promise)
        try:
            asking = RequestContext(ticket, version, client_id, client_host, correlation)
            self._joining.flush()
            self.carry_out(self.shard.decide(request, asking, self._clock.now_ms()), guard)
            return await promise.wait()
        finally:
            self._pending.forget(ticket)

    # hot: once for each commit of a group.
    def join(self, request: object, caller: int, answered: Answered) -> Message | None:
        """The answer to what may share a batch with others; None if it will be called back.

        Raises the refusal of the shard, or of the log if it is asked at once.
        """
        assert self._joining_shard is not None, f"{self.shard!r} joins nothing"
        now_ms = self._clock.now_ms()
        decision = self._joining_shard.decide_joined(request, now_ms)
        is_alone = caller == self._last_caller and caller != UNKNOWN_CLIENT and self._may_be_alone
        self._last_caller = caller
        if not is_alone or self._joining.has_some:
            decision.ticket = self._pending.add(answered)
            self._joining.add(decision)
            return None
        try:
            self._append_joined((decision,), now_ms)
        except MoldauError as error:
            raise meaning_of(error) from error
        self._wake_timer.set()
        if self._partition.high_watermark >= self._end_offset:
            return decision.response
        decision.ticket = self._pending.add(answered)
        self._release_when_committed((decision,))
        return None

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
        """Have the shard decide about it, if it follows the metadata."""
        if isinstance(self.shard, MetadataShard):
            self._joining.flush()
            self.carry_out(self.shard.metadata_changed(delta, image, self._clock.now_ms()))

    # Decisions.

    def carry_out(self, decision: Decision, guard: VerificationGuard | None = None) -> None:
        """Append, apply, and let the replies leave when that is committed."""
        if self._is_over:
            return
        if decision.records and not self._write(decision, guard):
            self._wake_timer.set()
            return
        if decision.replies or decision.effects:
            self._when_committed(
                lambda error: self._refuse(decision, error),
                lambda: self._release(decision),
            )
        self._wake_timer.set()

    def _write(self, decision: Decision, guard: VerificationGuard | None) -> bool:
        now_ms = self._clock.now_ms()
        try:
            for records, batch in batches_of(decision, now_ms, self._writing):
                result = self._append(batch, guard=guard)
                self._apply(records, result.first_offset, decision.producer, now_ms)
                self._count(records)
        except MoldauError as error:
            self._append_failed(decision, error)
            return False
        return True

    def _write_joined(self, decisions: Sequence[EncodedDecision], is_own_turn: bool) -> None:
        now_ms, groups = self._clock.now_ms(), cut_to_size(decisions)
        is_own_turn = is_own_turn and len(groups) == 1  # no request between two of them
        for group in groups:
            self._carry_out_joined(group, now_ms, is_own_turn)
        self._wake_timer.set()

    def _carry_out_joined(
        self, decisions: Sequence[EncodedDecision], now_ms: int, is_own_turn: bool
    ) -> None:
        """As `carry_out`, for all that goes into one batch."""
        try:
            self._append_joined(decisions, now_ms)
        except MoldauError as error:
            self._joined_failed(decisions, error)
            return
        if self._partition.high_watermark >= self._end_offset:
            self._release_joined(decisions, is_own_turn)
        else:
            self._release_when_committed(decisions)

    def _append_joined(self, decisions: Sequence[EncodedDecision], now_ms: int) -> None:
        pairs = decisions[0].pairs
        if len(decisions) > 1:
            pairs = [pair for decision in decisions for pair in decision.pairs]
        if not pairs:
            return
        offset = self._append(self._batches.build(now_ms, pairs)).first_offset
        for decision in decisions:
            decision.apply(offset, now_ms)
            offset += len(decision.pairs)
        self._written[decisions[0].kind, False] += len(pairs)

    def _joined_failed(self, decisions: Sequence[EncodedDecision], error: MoldauError) -> None:
        """Nothing is written: what is too large together may be written one by one."""
        if len(decisions) > 1 and code_of(error) in TOO_LARGE:
            for decision in decisions:
                self._write_joined((decision,), False)
        else:
            self._refuse_joined(decisions, meaning_of(error))

    def _release_when_committed(self, decisions: Sequence[EncodedDecision]) -> None:
        self._when_committed(
            lambda error: self._refuse_joined(decisions, error),
            lambda: self._release_joined(decisions, False),
        )

    def _release_joined(self, decisions: Sequence[EncodedDecision], is_own_turn: bool) -> None:
        for decision in decisions:
            self._pending.answer_one(decision.ticket, decision.response, is_own_turn)

    def _refuse_joined(self, decisions: Sequence[EncodedDecision], error: KafkaError) -> None:
        replies = [Reply(decision.ticket, decision.response) for decision in decisions]
        self._pending.refuse(replies, error)

    def _count(self, records: Sequence[StoredRecord]) -> None:
        written = self._written
        for key, value, _ in records:
            written[type(key), value is None] += 1

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
        self._end_offset = max(self._end_offset, result.last_offset + 1)
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
        meaning = meaning_of(error)
        if decision.failed is not None:
            self._pending.answer(decision.failed(ErrorCode.read(meaning.code)))
        self._pending.refuse(decision.replies, meaning)

    # Commit.

    def _when_committed(
        self, refuse: Callable[[KafkaError], None], release: Callable[[], None]
    ) -> None:
        """Call one of the two when all that is written so far is committed, or when it is late."""
        when_committed(
            self._partition,
            self._end_offset,
            refuse,
            release,
            self._tasks,
            self._write_timeout_ms,
        )

    def _release(self, decision: Decision) -> None:
        self._pending.answer(decision.replies)
        for effect in decision.effects:
            self._on_effect(self.index, effect)

    def _refuse(self, decision: Decision, error: KafkaError) -> None:
        self._pending.refuse(decision.replies, error)

    # Time.

    def _wake(self) -> None:
        self._joining.flush()
        for _ in range(DUE_AT_ONCE_MAX):
            wake_at_ms = self.shard.wake_at_ms()
            now_ms = self._clock.now_ms()
            if self._is_over or wake_at_ms is None or wake_at_ms > now_ms:
                break
            self.carry_out(self.shard.tick(now_ms))
        if not self._is_over:
            self._wake_timer.set()

    # The end.

    def end(self, error: KafkaError) -> None:
        """The partition is led elsewhere: last replies, and no more decisions."""
        self._pending.answer(self.shard.unloaded())
        self._is_over = True
        self._joining.drop()
        self._wake_timer.cancel()
        self._pending.refuse_all(error)
