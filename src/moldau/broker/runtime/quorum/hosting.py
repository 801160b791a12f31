"""Whether the active controller is here, and the requests that wait for it.

A leader of the quorum hosts it as soon as all that was written before its epoch is in the image,
and closes it when it leads no more. Requests that wait then are refused with NOT_CONTROLLER, and
with the id of the leader if that is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from moldau.broker.controller.decision import Call
from moldau.broker.metadata.activation import empty_log_records, takeover_records
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.roles import Leader
from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.broker.runtime.quorum.hosted_controller import (
    ASKS_MAX,
    Ask,
    HostedController,
    not_controller,
)
from moldau.broker.runtime.quorum.log_keeper import LogKeeper, read_bootstrap_records
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.broker.runtime.quorum.parts import QuorumParts
from moldau.broker.runtime.quorum.times import QuorumTimes
from moldau.errors import KafkaError
from moldau.platform.ports.tasks import Promise
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["Hosting"]


class Hosting:
    """The active controller, while this node leads."""

    def __init__(
        self, parts: QuorumParts, committed: CommittedMetadata, times: QuorumTimes
    ) -> None:
        self._parts = parts
        self._clock = parts.world.clock
        self._committed = committed
        self._times = times
        self._asks: deque[Ask] = deque()
        self._hosted: HostedController | None = None

    def __repr__(self) -> str:
        return f"Hosting({self._hosted!r}, {len(self._asks)} wait)"

    @property
    def is_active(self) -> bool:
        return self._hosted is not None

    @property
    def is_deciding(self) -> bool:
        """Whether a long decision goes on, between whose slices others have their turn."""
        return self._hosted is not None and self._hosted.is_deciding()

    def ask(self, request: Message, call: Call, leader_id: int | None) -> Promise[Message]:
        """What will be its answer; `KafkaError` where it is not here, or too many wait."""
        if self._hosted is None:
            raise not_controller(leader_id)
        if len(self._asks) >= ASKS_MAX:
            self._times.refused += 1
            raise KafkaError(
                ErrorCode.REQUEST_TIMED_OUT, f"{ASKS_MAX} requests wait for the controller already"
            )
        promise: Promise[Message] = self._parts.tasks.promise()
        self._asks.append(Ask(request, call, promise, self._times.now_ns()))
        return promise

    def end_session(self, broker_id: int, broker_epoch: int) -> None:
        """The process of a broker has ended."""
        if self._hosted is not None:
            self._hosted.controller.end_session(broker_id, broker_epoch)

    def silences_ms(self) -> Mapping[int, int]:
        """How long ago each live broker's last heartbeat came here; empty where it is elsewhere."""
        if self._hosted is None:
            return {}
        return self._hosted.controller.silences_ms(self._times.now_ms())

    def note_fetch(self, node_id: int) -> None:
        """A node has fetched the metadata, so it is there."""
        if self._hosted is not None:
            self._hosted.controller.note_fetch(node_id, self._times.now_ms())

    def skip_to(self, next_offset: int) -> None:
        """The quorum has written a record of its own."""
        if self._hosted is not None:
            self._hosted.controller.skip_to(next_offset)

    def committed(self, high_watermark: int) -> None:
        if self._hosted is not None:
            self._hosted.committed(high_watermark)

    def begin_if_due(self, node: QuorumNode, log: MetadataLog, keeper: LogKeeper) -> bool:
        """Begin once all that was written before is in the image; whether it has."""
        role, make = node.role, self._parts.make_controller
        if self._hosted is not None or make is None or not isinstance(role, Leader):
            return False
        if node.high_watermark <= role.start_offset:
            return False
        pending, image = self._committed.pending, self._committed.image
        self._hosted = HostedController(
            make(image), role.epoch, log, pending, deque(), keeper.raise_version, self._times
        )
        wall_ms, former = self._clock.now_ms(), node.leader_answered
        self._hosted.activate(self._first_records(), wall_ms, former)
        return True

    def _first_records(self) -> list[Message]:
        committed, parts = self._committed, self._parts
        if committed.image.features.metadata_version or committed.in_transaction:
            return takeover_records(in_transaction=committed.in_transaction)
        bootstrap = read_bootstrap_records(parts.world.files, parts.log_directory)
        return empty_log_records(bootstrap, parts.settings.min_insync_replicas)

    def serve(self, high_watermark: int, appended_ms: int) -> bool:
        """Let it decide what is asked and due; whether it wrote."""
        if self._hosted is None:
            return False
        idle_ms = self._parts.settings.max_idle_ms
        is_idle = bool(idle_ms) and self._times.now_ms() - appended_ms >= idle_ms
        wall_ms = self._clock.now_ms()
        return self._hosted.serve_all(self._asks, high_watermark, wall_ms, is_idle=is_idle)

    @property
    def has_work(self) -> bool:
        """Whether it has not served all that was asked."""
        return self._hosted is not None and (bool(self._asks) or self.is_deciding)

    def wake_times_ms(self, appended_ms: int) -> list[int]:
        """When it has something to do without being asked."""
        if self._hosted is None:
            return []
        wake_at_ms, idle_ms = self._hosted.controller.wake_at_ms(), self._parts.settings.max_idle_ms
        due = [] if wake_at_ms is None else [wake_at_ms]
        return [*due, appended_ms + idle_ms] if idle_ms else due

    def let_go(self, leader_id: int | None) -> None:
        """This node leads no more; requests that wait are refused with NOT_CONTROLLER."""
        hosted, self._hosted = self._hosted, None
        if hosted is not None:
            hosted.close(leader_id)
        while self._asks:
            self._asks.popleft().promise.fail(not_controller(leader_id))
