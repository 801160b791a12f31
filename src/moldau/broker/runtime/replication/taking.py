"""Putting a leader's answers into logs: appending, and cutting what the leader does not have.

Between a question and its answer the partition may have got another leader, may lead, or may have
gone; between two waits, too. So whatever touches a log looks first whether the partition still
follows in the epoch that was asked with, with nothing between the look and the touch.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum, auto

from moldau.broker.log.appending.plain import UnexpectedOffsetError, begins_within
from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.following import (
    LeaderEnds,
    append_fetched,
    begin_at,
    begin_in_range,
    cut_for,
    truncate,
)
from moldau.broker.replica.partition import NO_EPOCH, Partition
from moldau.broker.runtime.replication.answers import PartitionAnswer
from moldau.broker.runtime.replication.followed import Followed
from moldau.broker.runtime.replication.ports import Followers, FollowerWorld
from moldau.errors import CorruptRecordError, KafkaError, MoldauError

__all__ = ["Taken", "Taking"]

log = logging.getLogger(__name__)


class Taken(Enum):
    """What became of it."""

    NOTHING = auto()
    """The leader had nothing, and knows where we are."""
    GROWN = auto()
    """There is something else to ask for."""
    WITHIN = auto()
    """The leader's log begins within the batch that came first, and this one has to begin anew."""
    LATER = auto()
    """It could not be taken just now."""
    FAILED = auto()
    """It cannot be taken in this epoch, or on this disk."""


class _WhileFollowing:
    """Gives a log to blocking work for as long as its partition follows in this epoch."""

    def __init__(self, replicas: Followers, followed: Followed) -> None:
        self._replicas = replicas
        self._followed = followed

    async def in_turn(self, partition: Partition, work: Callable[[], object]) -> None:
        await self._replicas.in_turn(partition, lambda: self._followed.is_valid and work())


class Taking:
    """Takes what leaders answer, for one broker."""

    def __init__(self, world: FollowerWorld) -> None:
        self._world = world
        self._replicas = world.replicas
        self.bytes_taken = 0
        """Appended here, since the start."""
        self.bytes_reassigned = 0
        """Of them, those of replicas that a reassignment adds here."""

    # Records.

    def append(self, followed: Followed, answer: PartitionAnswer) -> Taken:
        """Put the records at the end of the log, and the leader's word on its ends beside them."""
        # hot: for each partition of each answer.
        partition = followed.partition
        if not followed.is_valid:
            return Taken.FAILED
        if self._replicas.find(partition.topic, partition.index) is not partition:
            return Taken.LATER
        if partition.log_end_offset != followed.asked_offset:
            return Taken.GROWN
        start = partition.log_start_offset
        records = answer.records
        ends = LeaderEnds(answer.high_watermark, answer.log_start_offset)
        try:
            result = append_fetched(partition, records, ends)
        except (KafkaError, UnexpectedOffsetError) as error:
            return self._refuse(partition, records, error)
        except MoldauError as error:
            log.error("What the leader of %s sends is refused: %s", partition.name, error)
            return Taken.LATER
        followed.leader_high_watermark = answer.high_watermark
        followed.pauses.reset()
        if result is not None:
            self._count(partition, len(records))
            return Taken.GROWN
        if len(records):
            return Taken.LATER  # of a later epoch: the metadata here are old
        return Taken.NOTHING if partition.log_start_offset == start else Taken.GROWN

    def _refuse(self, partition: Partition, records: memoryview, error: MoldauError) -> Taken:
        if begins_within(partition.log.state, records) is not None:
            return Taken.WITHIN
        # Offsets that go back are on the leader's disk: it sends the same ones again.
        log.warning("%s is not fetched any more: %s", partition.name, error)
        return Taken.FAILED

    def _count(self, partition: Partition, size: int) -> None:
        self.bytes_taken += size
        if self._replicas.is_adding(partition, self._replicas.node_id):
            self.bytes_reassigned += size
        throttle = self._replicas.from_leaders
        if throttle.is_set and self._replicas.is_throttled_here(partition):
            throttle.record(size)

    # Cuts.

    async def cut(self, diverged: Sequence[tuple[Followed, Divergence]]) -> list[Followed]:
        """Cut each log to where it may agree with its leader's; those for which that went well."""
        cut = []
        for followed, divergence in diverged:
            if followed.is_valid:
                place = cut_for(followed.partition, divergence)
                if await self._truncate(followed, place.offset):
                    cut.append(followed)
        if cut:
            await self._world.checkpoint()
        return cut

    async def cut_unknown(self, followed: Followed) -> bool:
        """A log that knows no epochs cannot be compared: keep what is surely replicated."""
        partition = followed.partition
        is_unknown = followed.last_epoch == NO_EPOCH
        if not is_unknown or partition.log_end_offset <= partition.high_watermark:
            return True
        is_cut = await self._truncate(followed, partition.high_watermark)
        await self._world.checkpoint()
        return is_cut

    async def _truncate(self, followed: Followed, offset: int) -> bool:
        partition = followed.partition
        end = partition.log_end_offset
        is_cut = await self._in_turn(
            followed, lambda owner: truncate(owner, partition, offset, _later)
        )
        if is_cut:
            log.info(
                "%s is cut from %d to %d, as its leader of epoch %d has it",
                partition.name, end, partition.log_end_offset, followed.leader_epoch,
            )  # fmt: skip
        return is_cut

    async def begin_in_range(self, followed: Followed, leader: tuple[int, int]) -> bool:
        """Go on where the leader's log has something, between these two offsets."""
        partition = followed.partition
        before = partition.log_end_offset
        is_done = await self._in_turn(
            followed,
            lambda owner: begin_in_range(owner, partition, leader, self._world.checkpoint),
        )
        if is_done:
            log.warning(
                "%s goes on at %d instead of %d: its leader has offsets %d to %d",
                partition.name, partition.log_end_offset, before, *leader,
            )  # fmt: skip
        return is_done

    async def begin_within(self, followed: Followed, answer: PartitionAnswer) -> Taken:
        """Begin with the batch in which the leader's log begins, and take what has come."""
        partition = followed.partition
        offset = begins_within(partition.log.state, answer.records)
        if offset is None:
            return Taken.LATER
        is_done = await self._in_turn(
            followed, lambda owner: begin_at(owner, partition, offset, self._world.checkpoint)
        )
        if not is_done:
            return Taken.LATER
        followed.asked_offset = offset
        return self.append(followed, answer)

    async def _in_turn(
        self, followed: Followed, work: Callable[[_WhileFollowing], Awaitable[object]]
    ) -> bool:
        """Whether it was done, or there was no need any more."""
        try:
            await work(_WhileFollowing(self._replicas, followed))
        except KafkaError as error:
            log.warning("%s could not be cut: %s", followed.partition.name, error)
            return False
        except CorruptRecordError as error:
            log.error(
                "%s could not be cut, for its own log is damaged: %s; stop this broker, move the "
                "directory of the partition away and start it again: its leader sends it all anew",
                followed.partition.name, error,
            )  # fmt: skip
            return False
        return followed.is_valid


async def _later() -> None:
    """The recovery points of several cuts are written down together."""
