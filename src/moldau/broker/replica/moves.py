"""Moving a partition from one log directory of this broker to another (KIP-113).

    copy ──► caught up ──► switch: no other task on the log ──► the old one leaves
      └──── the log has grown meanwhile ◄────┘

The copy is a *future* log, in a directory whose name ends in `-future`; a restart goes on with it.
Batches are copied as they are, no faster than `replica.alter.log.dirs.io.max.bytes.per.second`.
Once nothing is missing the copy is closed, gets the partition's name, and is opened again in the
place of the old log, which leaves as a deleted one does. A crash between the two renames leaves
both under the name, with the same records.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

from moldau.broker.log.appending.plain import begins_within
from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.log.directory.names import (
    DirectoryState,
    TopicPartition,
    directory_name,
    pending_name,
)
from moldau.broker.log.directory.partition_metadata import (
    PartitionMetadata,
    write_partition_metadata,
)
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.world import World
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.throttle import Throttle
from moldau.errors import KafkaError, MoldauError, StorageError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass

log = logging.getLogger(__name__)

COPIED_BYTES = 1024 * 1024
"""Read and appended at once: enough for the disk, and little to hold in memory."""
LOOKS_MS = 1000
"""How often a copy that is throttled looks whether it still goes on."""


class Held(NamedTuple):
    """A log in a directory, for people."""

    name: TopicPartition
    size: int
    offset_lag: int
    """Of a future log: what is missing. Of the others: nothing, unless it lags behind."""
    is_future: bool


class Owner(Protocol):
    """Gives a partition's log to one piece of blocking work."""

    def is_current(self, partition: Partition) -> bool: ...

    async def in_turn(self, partition: Partition, work: Callable[[], object]) -> None: ...


@dataclass(slots=True)
class Move:
    """One copy on its way."""

    partition: Partition
    target: LogDirectory
    path: str
    future: PartitionLog | None = None
    is_given_up: bool = False

    @property
    def missing(self) -> int:
        end = 0 if self.future is None else self.future.log_end_offset
        return self.partition.log_end_offset - end


class Moves:
    """All copies on their way."""

    def __init__(
        self,
        world: World,
        tasks: Tasks,
        owner: Owner,
        moved: Callable[[Partition, LogDirectory, PartitionLog, str], None],
        *,
        throttle: Throttle,
    ) -> None:
        self._world = world
        self._tasks = tasks
        self._owner = owner
        self._moved = moved
        self._throttle = throttle
        self.under_way: dict[TopicPartition, Move] = {}

    def begin(self, partition: Partition, target: LogDirectory, name: str | None = None) -> None:
        """Copy to this directory, into what is there under `name`; a move elsewhere is given up."""
        known = self.under_way.get(partition.name)
        if known is not None and known.target is target:
            return
        if known is not None:
            known.is_given_up = True
            del self.under_way[partition.name]
        if partition.directory is target:
            return
        name = name or pending_name(partition.name, DirectoryState.FUTURE, self._world.random)
        move = Move(partition, target, f"{target.path}/{name}")
        self.under_way[partition.name] = move
        self._tasks.spawn(f"move of {partition.name}", self._run(move))

    def give_up(self) -> None:
        """The node stops; the next start goes on."""
        for move in self.under_way.values():
            move.is_given_up = True

    async def _run(self, move: Move) -> None:
        try:
            await self._move(move)
        except StorageError as error:
            move.target.take_offline(str(error))
        except KafkaError as error:
            log.warning("%s stays where it is: %s", move.partition.name, error)
        except MoldauError:
            log.exception("%s cannot be moved", move.partition.name)
        finally:
            if self.under_way.get(move.partition.name) is move:
                del self.under_way[move.partition.name]

    async def _move(self, move: Move) -> None:
        move.future = await self._tasks.offload(_open_future, self._world, move)
        while self._goes_on(move):
            wait_ms = self._throttle.wait_ms()
            if wait_ms and move.missing:
                await self._tasks.sleep(min(wait_ms, LOOKS_MS))
                continue
            await self._copy_some(move)
            if not move.missing and self._goes_on(move):
                await self._owner.in_turn(move.partition, lambda: self._switch(move))
                if move.partition.directory is move.target:
                    return
        await self._tasks.offload(move.future.close)
        is_superseded = self.under_way.get(move.partition.name) is not move
        if is_superseded or not self._owner.is_current(move.partition):
            await self._tasks.offload(self._world.files.remove_tree, move.path)

    def _goes_on(self, move: Move) -> bool:
        wanted = not move.is_given_up and move.target.is_online
        return wanted and self._owner.is_current(move.partition)

    async def _copy_some(self, move: Move) -> None:
        """The next batches, if any are missing."""
        partition, future = move.partition, move.future
        assert future is not None
        start, end = partition.log_start_offset, partition.log_end_offset
        if future.log_end_offset < start:
            await self._tasks.offload(future.truncate_fully_and_start_at, start)
        elif future.log_end_offset > end:
            await self._tasks.offload(future.truncate_to, end)
        size = max(min(COPIED_BYTES, self._throttle.bound), 1)
        found = partition.read(future.log_end_offset, size, Isolation.LOG_END)
        if found.slice is not None:
            batches = await self._tasks.offload(found.slice.read)
            before = future.size
            await self._tasks.offload(_append, future, batches, partition.leader_epoch)
            self._throttle.record(future.size - before)  # a batch that is cut short comes again

    def _switch(self, move: Move) -> None:
        """Put the copy in the place of the log, unless that has grown; blocks.

        The old log keeps its name until the new one serves: its readers may yet open its files.
        """
        partition, files = move.partition, self._world.files
        if move.missing:
            return
        old, source = partition.log, partition.directory
        try:
            with move.target.guard():
                moved = self._open_in_place(move)
        except StorageError as error:
            log.warning("%s stays in %s: %s", partition.name, source.path, error)
            return
        partition.log, partition.directory = moved, move.target
        path = f"{source.path}/{directory_name(partition.name)}"
        aside = pending_name(partition.name, DirectoryState.DELETED, self._world.random)
        with suppress(StorageError), source.guard():
            files.rename(path, f"{source.path}/{aside}")
            files.sync_directory(source.path)
        self._moved(partition, source, old, f"{source.path}/{aside}")

    def _open_in_place(self, move: Move) -> PartitionLog:
        """The copy under the name of the partition, with all that the old log knows."""
        old, future, files = move.partition.log, move.future, self._world.files
        assert future is not None
        for epoch in old.epochs.entries:
            future.epochs.assign(epoch.epoch, epoch.start_offset)
        remembered = Remembered(
            clean=True,
            recovery_point=old.log_end_offset,
            log_start_offset=old.log_start_offset,
            high_watermark=old.high_watermark,
        )
        future.close()
        path = f"{move.target.path}/{directory_name(move.partition.name)}"
        files.rename(move.path, path)
        files.sync_directory(move.target.path)
        opened = PartitionLog.open(self._world, path, old.settings, remembered)
        opened.producers.verify_transactions = old.producers.verify_transactions
        return opened


def _append(future: PartitionLog, batches: Buffer, leader_epoch: int) -> None:
    """A log that begins in the middle of a batch is copied with the whole batch."""
    offset = begins_within(future.state, batches)
    if offset is not None:
        future.truncate_fully_and_start_at(offset)
    future.append_as_follower(batches, leader_epoch)


def _open_future(world: World, move: Move) -> PartitionLog:
    """Open the copy, or begin one; an earlier one is recovered as after a crash."""
    partition = move.partition
    with move.target.guard():
        is_fresh = world.files.status(move.path) is None
        remembered = Remembered(clean=is_fresh, log_start_offset=partition.log_start_offset)
        future = PartitionLog.open(world, move.path, partition.log.settings, remembered)
        metadata = PartitionMetadata(partition.topic_id)
        write_partition_metadata(world.files, move.path, metadata)
    return future
