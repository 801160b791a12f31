"""A share partition on the broker that leads its partition: the pure one, its log and its state.

    load      what is stored, and the leader epoch is made known to the share coordinator
    acquire   read from the log, hand out
    store     what members acknowledge, then it counts

Acquisition locks expire by a timer. A fetch that waits for records watches this: it wakes when the
log grows and when records come back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from moldau.broker.coordinator.group.share.settings import ShareGroupSettings
from moldau.broker.coordinator.share.partition.acknowledging import Acknowledgement, acknowledge
from moldau.broker.coordinator.share.partition.share_partition import (
    SharePartition,
    Transition,
    Write,
)
from moldau.broker.coordinator.share.state import ShareKey, batches_as, state_batches_of
from moldau.broker.log.reading import Isolation
from moldau.broker.replica.partition import Partition, Watcher
from moldau.broker.runtime.share_figures import PartitionFigures
from moldau.broker.runtime.share_start import first_offset
from moldau.broker.runtime.share_states import ShareStates
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.protocol.messages.share.read_share_group_state import ReadShareGroupStateRequest
from moldau.protocol.messages.share.write_share_group_state import WriteShareGroupStateRequest
from moldau.protocol.wire.error_codes import ErrorCode

log = logging.getLogger(__name__)

StateWrite = WriteShareGroupStateRequest.WriteStateData
StateRead = ReadShareGroupStateRequest.ReadStateData
ENDS_IT = frozenset(
    {
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.FENCED_STATE_EPOCH,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.INVALID_REQUEST,
    }
)
"""After such an error of the share coordinator everything has to be loaded anew."""
MEANINGS = {
    ErrorCode.NOT_COORDINATOR: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.COORDINATOR_NOT_AVAILABLE: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.GROUP_ID_NOT_FOUND: ErrorCode.GROUP_ID_NOT_FOUND,
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ErrorCode.FENCED_LEADER_EPOCH: ErrorCode.NOT_LEADER_OR_FOLLOWER,
    ErrorCode.FENCED_STATE_EPOCH: ErrorCode.NOT_LEADER_OR_FOLLOWER,
}
"""What a share coordinator's error means to a member, which asked for records; any other is
UNKNOWN_SERVER_ERROR."""


def refusal_of(code: int, message: str | None) -> KafkaError:
    """What a member is refused with, where the share coordinator answers this."""
    meaning = MEANINGS.get(ErrorCode.read(code), ErrorCode.UNKNOWN_SERVER_ERROR)
    return KafkaError(meaning, message)


class RunningSharePartition:
    """A share partition that is loaded, with its timers and its state's requests."""

    def __init__(
        self,
        key: ShareKey,
        partition: Partition,
        states: ShareStates,
        settings: Callable[[], ShareGroupSettings],
        clock: Clock,
        tasks: Tasks,
    ) -> None:
        self.key = key
        self.partition = partition
        self.leader_epoch = partition.leader_epoch
        self.settings = settings
        self.figures = PartitionFigures(clock.monotonic_ns())
        self.is_over = False
        """It has to be loaded anew."""
        self.share: SharePartition
        self._states = states
        self._clock = clock
        self._tasks = tasks
        self._state_epoch = 0
        self._timer: Timer | None = None
        self._timer_at_ms = 0
        self._watchers: dict[Watcher, None] = {}

    def __repr__(self) -> str:
        return f"RunningSharePartition({self.key.text}, {self.share!r})"

    @property
    def is_current(self) -> bool:
        """Whether it may still be used."""
        partition = self.partition
        return (
            not self.is_over and partition.is_leader and partition.leader_epoch == self.leader_epoch
        )

    @property
    def isolation(self) -> Isolation:
        """How far this group sees."""
        committed = self.settings().reads_committed
        return Isolation.COMMITTED if committed else Isolation.HIGH_WATERMARK

    # Loading.

    async def load(self) -> None:
        """Take over; or a `KafkaError` with the reason."""
        asked = StateRead.PartitionData(
            partition=self.key.partition, leader_epoch=self.leader_epoch
        )
        topic = StateRead(topic_id=self.key.topic_id, partitions=[asked])
        request = ReadShareGroupStateRequest(group_id=self.key.group_id, topics=[topic])
        answer = (await self._states.ask_with_retries(request)).results[0].partitions[0]
        if answer.error_code:
            raise refusal_of(answer.error_code, answer.error_message)
        self._state_epoch = answer.state_epoch
        reset = self.settings().auto_offset_reset
        start_offset = answer.start_offset
        if start_offset < 0:
            start_offset = first_offset(self.partition, reset, self._clock.now_ms())
        state_batches = state_batches_of(answer.state_batches)
        self.share = SharePartition(start_offset, lambda: self.settings().limits(), state_batches)
        self.follow_log()

    def follow_log(self) -> None:
        """Records that the log has dropped are gone here too."""
        self.share.start_from(self.partition.log_start_offset)

    # Acknowledgements.

    async def acknowledge(
        self, member_id: str, acknowledgements: Sequence[Acknowledgement]
    ) -> None:
        """Returns when it counts; a `KafkaError` where it does not."""
        await self._store(
            acknowledge(self.share, member_id, acknowledgements, self._clock.now_ms())
        )

    async def release(self, member_id: str) -> None:
        """The member gives back all that it has."""
        await self._store(self.share.release(member_id))

    async def _store(self, transition: Transition) -> None:
        self.arm()
        if not transition.changes:
            return
        try:
            await self._write(self.share.write_of(transition.state_batches))
        except KafkaError:
            self.share.settle(transition, is_stored=False)
            self.arm()
            raise
        self.share.settle(transition, is_stored=True)
        self.wake()

    async def _write(self, write: Write) -> None:
        form = StateWrite.PartitionData
        data = form(
            partition=self.key.partition,
            state_epoch=self._state_epoch,
            leader_epoch=self.leader_epoch,
            start_offset=write.start_offset,
            delivery_complete_count=write.delivery_complete_count,
            state_batches=batches_as(form.StateBatch, write.state_batches),
        )
        topic = StateWrite(topic_id=self.key.topic_id, partitions=[data])
        request = WriteShareGroupStateRequest(group_id=self.key.group_id, topics=[topic])
        answer = (await self._states.ask_with_retries(request)).results[0].partitions[0]
        if answer.error_code:
            self.is_over = self.is_over or answer.error_code in ENDS_IT
            raise refusal_of(answer.error_code, answer.error_message)

    # Time.

    def arm(self) -> None:
        """Have a timer set that comes no later than the next lock ends."""
        wake_at_ms = self.share.wake_at_ms()
        if wake_at_ms is None or (self._timer is not None and self._timer_at_ms <= wake_at_ms):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at_ms = wake_at_ms
        self._timer = self._tasks.after(max(0, wake_at_ms - self._clock.now_ms()), self._expire)

    def _expire(self) -> None:
        self._timer = None
        if not self.is_current:
            return
        write = self.share.expire(self._clock.now_ms())
        if write is not None:
            self._tasks.spawn(f"expired locks of {self.key.text}", self._note(write))
            self.wake()
        self.arm()

    async def _note(self, write: Write) -> None:
        """Store it; it counts whatever becomes of that."""
        try:
            await self._write(write)
        except KafkaError as error:
            log.info("Ended locks of %s are not stored: %s", self.key.text, error)

    def close(self) -> None:
        """It is not used any more."""
        self.is_over = True
        if self._timer is not None:
            self._timer.cancel()
        self.wake()

    # Waiting for records.

    def watch(self, watcher: Watcher) -> None:
        self._watchers[watcher] = None
        self.partition.watch(watcher)

    def unwatch(self, watcher: Watcher) -> None:
        self._watchers.pop(watcher, None)
        self.partition.unwatch(watcher)

    def wake(self) -> None:
        for watcher in tuple(self._watchers):
            watcher(self.partition)
