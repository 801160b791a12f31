"""The controller while this node leads: asked, ticked, its records in the log, its replies held.

What it decides is applied to its own state at once, so that the next decision sees it; the reply
waits until the records are committed. If this node stops leading before that, it is not known what
became of them, and the client gets NOT_CONTROLLER and asks the next one.

A decision about a long list goes on in slices, between which this node serves others; nothing else
is decided meanwhile, and what it decides is applied as one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple, Protocol

from moldau.broker.controller.decision import Call, Deciding, Decision, RaisedVersion
from moldau.broker.metadata.activation import feature_levels
from moldau.broker.metadata.features import METADATA_VERSION
from moldau.broker.metadata.image import Image
from moldau.broker.runtime.quorum.batches import RECORDS_MAX, metadata_batch
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.broker.runtime.quorum.pending import Pending
from moldau.broker.runtime.quorum.times import QuorumTimes
from moldau.errors import KafkaError
from moldau.platform.ports.tasks import Promise
from moldau.platform.quick_dataclass import dataclass
from moldau.platform.slices import at_once, run_slice
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

ASKS_MAX = 10_000
"""Waiting requests; more than that would wait longer than clients do."""

ROUND_ASKS_MAX = 1000
"""Decisions that share a sync at most, so that the first of them need not wait for ever."""


class Controller(Protocol):
    """`controller.controller.Controller`, as much of it as is used here."""

    image: Image

    def activate(self, now_ms: int, former_leader: tuple[int, int] | None = None) -> None: ...

    def skip_to(self, next_offset: int) -> None: ...

    def set_kraft_version(self, level: int) -> None: ...

    def decide(
        self, request: Message, call: Call, now_ms: int, wall_ms: int
    ) -> Decision | Deciding: ...

    def apply(
        self, records: Sequence[Message], last_offset: int, epoch: int, now_ms: int
    ) -> None: ...

    def tick(self, now_ms: int, wall_ms: int) -> Decision: ...

    def wake_at_ms(self) -> int | None: ...

    def end_session(self, broker_id: int, broker_epoch: int) -> None: ...

    def note_fetch(self, node_id: int, now_ms: int) -> None: ...

    def silences_ms(self, now_ms: int) -> Mapping[int, int]: ...


MakeController = Callable[[Image], Controller]


class Ask(NamedTuple):
    """A request to the controller that waits for its turn."""

    request: Message
    call: Call
    promise: Promise[Message]
    asked_ns: int = 0


class UnderWay(NamedTuple):
    """A request that is being decided."""

    ask: Ask
    work: Generator[None, None, tuple[Decision, int]]
    begun_ns: int


class HeldReply(NamedTuple):
    """A reply that waits until this offset is committed."""

    offset: int
    promise: Promise[Message]
    reply: Message


@dataclass(slots=True)
class HostedController:
    """An active controller and its place in the log."""

    controller: Controller
    epoch: int
    log: MetadataLog
    pending: Pending
    held: deque[HeldReply]
    raise_version: Callable[[RaisedVersion], None]
    """Writes the quorum's own level, or refuses with `KafkaError`."""
    times: QuorumTimes
    under_way: UnderWay | None = None

    def is_deciding(self) -> bool:
        """Whether a decision is not made yet, and others wait for it."""
        return self.under_way is not None

    def activate(
        self,
        records: Sequence[Message],
        wall_ms: int,
        former_leader: tuple[int, int] | None = None,
    ) -> None:
        """It begins; `records` are what it has to write first."""
        self.controller.skip_to(self.log.end.offset)
        self.controller.activate(self.times.now_ms(), former_leader)
        if records:
            self.append(records, wall_ms)

    def serve_all(
        self, asks: deque[Ask], high_watermark: int, wall_ms: int, *, is_idle: bool
    ) -> bool:
        """Do what is asked and due, or a slice of what takes long; returns whether it wrote."""
        if self.is_deciding():
            return self._go_on(high_watermark)
        wrote = False
        for _ in range(min(len(asks), ROUND_ASKS_MAX)):
            wrote |= self._serve(asks.popleft(), high_watermark, wall_ms)
            if self.is_deciding():
                return wrote
        wrote |= self._tick(wall_ms)
        if is_idle and not wrote:
            self.append([NoOpRecord()], wall_ms)
            return True
        return wrote

    def _serve(self, ask: Ask, high_watermark: int, wall_ms: int) -> bool:
        """Decide one request, or begin to; returns whether anything was written."""
        self.under_way = UnderWay(ask, self._deciding(ask, wall_ms), self.times.now_ns())
        return self._go_on(high_watermark)

    def _go_on(self, high_watermark: int) -> bool:
        """A slice of the decision that is under way; returns whether anything was written."""
        assert self.under_way is not None, "nothing is being decided"
        ask, work, _ = self.under_way
        try:
            done, found = run_slice(self.times.clock, work)
        except KafkaError as error:
            self._decided()
            ask.promise.fail(error)
            return False
        if not done or found is None:
            return False
        self._decided()
        decision, offset = found
        self._reply(ask, decision, offset, high_watermark)
        return bool(decision.records)

    def _tick(self, wall_ms: int) -> bool:
        """Let it do what is due; returns whether anything was written."""
        wake_at_ms = self.controller.wake_at_ms()
        if wake_at_ms is None or wake_at_ms > self.times.now_ms():
            return False
        decision = self.controller.tick(self.times.now_ms(), wall_ms)
        at_once(self._writing(decision, wall_ms))
        return bool(decision.records)

    def append(self, records: Sequence[Message], wall_ms: int) -> int:
        """Write these in one batch, and let the controller know; the offset of the last one."""
        return at_once(self._appending(records, wall_ms))

    def _appending(self, records: Sequence[Message], wall_ms: int) -> Generator[None, None, int]:
        version = self._version_of(records)
        batch = yield from metadata_batch(records, version, self.epoch, wall_ms)
        start_offset = self.log.end.offset
        last_offset = self.log.append(batch, self.epoch)
        if all(type(record) is NoOpRecord for record in records):
            self.log.note_idle(start_offset)
        self.pending.add_records(records, last_offset, self.epoch, wall_ms, len(batch))
        self.controller.apply(records, last_offset, self.epoch, self.times.now_ms())
        self.times.appended(last_offset, len(records))
        return last_offset

    def committed(self, high_watermark: int) -> None:
        """Let go of the replies that waited for this."""
        self.times.committed(high_watermark)
        while self.held and self.held[0].offset < high_watermark:
            held = self.held.popleft()
            held.promise.keep(held.reply)

    def close(self, leader_id: int | None) -> None:
        """This node leads no more."""
        if self.under_way is not None:
            self.under_way.work.close()
            self.under_way.ask.promise.fail(not_controller(leader_id))
            self.under_way = None
        while self.held:
            self.held.popleft().promise.fail(not_controller(leader_id))

    def _deciding(self, ask: Ask, wall_ms: int) -> Generator[None, None, tuple[Decision, int]]:
        """The decision, and the offset of the last record that it could have seen."""
        found = self.controller.decide(ask.request, ask.call, self.times.now_ms(), wall_ms)
        decision = found if isinstance(found, Decision) else (yield from found)
        return decision, (yield from self._writing(decision, wall_ms))

    def _decided(self) -> None:
        assert self.under_way is not None
        self.times.decided(self.under_way.ask.asked_ns, self.under_way.begun_ns)
        self.under_way = None

    def _writing(self, decision: Decision, wall_ms: int) -> Generator[None, None, int]:
        raised = decision.kraft_version
        if raised is not None:
            self.raise_version(raised)
            if not raised.only_checks:
                self.controller.set_kraft_version(raised.level)
                self.controller.skip_to(self.log.end.offset)
        records, size = decision.records, len(decision.records)
        if decision.is_atomic and size:
            return (yield from self._appending(records, wall_ms))
        for start in range(0, size, RECORDS_MAX):
            yield from self._appending(records[start : start + RECORDS_MAX], wall_ms)
        return self.log.end.offset - 1

    def _reply(self, ask: Ask, decision: Decision, offset: int, high_watermark: int) -> None:
        reply = decision.reply
        if decision.reply_at_offset is not None:
            reply = decision.reply_at_offset(offset)
        assert reply is not None, f"no reply to {ask.request!r}"
        if offset < high_watermark:
            ask.promise.keep(reply)
        else:
            self.held.append(HeldReply(offset, ask.promise, reply))

    def _version_of(self, records: Sequence[Message]) -> int:
        """The metadata.version these are written in: of now, or the one they bring."""
        now = self.controller.image.features.metadata_version
        return now or feature_levels(records)[METADATA_VERSION]


def not_controller(leader_id: int | None) -> KafkaError:
    """The refusal of a request that reached the wrong node."""
    where = "there is no leader at the moment" if leader_id is None else f"node {leader_id} leads"
    return KafkaError(ErrorCode.NOT_CONTROLLER, f"this node is not the active controller: {where}")
