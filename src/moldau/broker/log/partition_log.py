"""One partition's log: the interface of this package.

Methods are called one at a time, by the task that owns the partition, and block as long as the
disk does. A failed write or sync makes the log fail: the call raises, and every later call raises
the same failure, so that nothing whose fate on disk is unknown is ever acknowledged. What refuses
records (`MoldauError`s other than `StorageError`) changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from moldau.broker.log import opening, reading, retention, timestamps, truncation
from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending import flushing, plain, rolling
from moldau.broker.log.appending.flushing import Flush
from moldau.broker.log.appending.hot import append_ordinary_batch
from moldau.broker.log.appending.own import append_own_batch
from moldau.broker.log.appending.plain import LeaderAppend
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.findings import OpeningReport
from moldau.broker.log.log_state import LogState
from moldau.broker.log.opening import Remembered
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.log.retention import Expired
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.segments import Segments
from moldau.broker.log.segment.transaction_index import AbortedTransaction
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.timestamps import FoundOffset
from moldau.broker.log.truncation import Removal
from moldau.broker.log.world import World
from moldau.errors import StorageError
from moldau.platform.buffers import Buffer

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Method = Callable[Concatenate["PartitionLog", _Parameters], _Result]


def _guarded(
    method: _Method[_Parameters, _Result],
) -> _Method[_Parameters, _Result]:
    """Refuse when the log has failed, and note when it fails."""

    @wraps(method)
    def call(
        self: PartitionLog, /, *arguments: _Parameters.args, **named: _Parameters.kwargs
    ) -> _Result:
        state = self.state
        if state.failure is not None:
            raise state.failure
        try:
            return method(self, *arguments, **named)
        except StorageError as error:
            state.failure = error
            raise

    return call


class PartitionLog:
    """Append, read, roll, flush, truncate; see the modules of the same names."""

    def __init__(self, state: LogState, report: OpeningReport | None = None) -> None:
        self.state = state
        self.report = report
        """What was wrong when it was opened; None where all was well."""

    @classmethod
    def open(
        cls,
        world: World,
        directory: str,
        settings: LogSettings,
        remembered: Remembered,
        leader_epoch: int | None = None,
    ) -> PartitionLog:
        """Open the log in `directory`, recovering it where it was not closed; begin one if none."""
        state = opening.open_log(world, directory, settings, remembered, leader_epoch)
        return cls(state, opening.report_of(state, clean=remembered.clean))

    def __repr__(self) -> str:
        state = self.state
        return (
            f"PartitionLog({state.directory}, offsets {state.log_start_offset} to "
            f"{state.log_end_offset}, {len(state.segments)} segments)"
        )

    # What it is.

    @property
    def directory(self) -> str:
        return self.state.directory

    @property
    def settings(self) -> LogSettings:
        return self.state.settings

    @settings.setter
    def settings(self, settings: LogSettings) -> None:
        """New settings hold from the next append on; sizes of indexes from the next segment on."""
        self.state.obey(settings)
        self.state.producers.expiration_ms = settings.producer_id_expiration_ms

    @property
    def segments(self) -> Segments:
        return self.state.segments

    @property
    def producers(self) -> ProducerStates:
        return self.state.producers

    @property
    def epochs(self) -> EpochCache:
        return self.state.epochs

    @property
    def size(self) -> int:
        return self.state.segments.size

    @property
    def failure(self) -> StorageError | None:
        """Why the log refuses everything, if it does."""
        return self.state.failure

    def take_notes(self) -> list[str]:
        """What was found wrong since the last time, as ends of sentences; for the node's log."""
        state, notes = self.state, []
        for segment in state.segments:
            notes += [f"{path} {reason}: rebuilt" for path, reason in segment.indexes.refused]
            segment.indexes.refused.clear()
        if not state.settings.compacts:
            notes += [
                f"no segment has offsets {offset} to {base - 1}, which a reader asked for"
                for offset, base in state.gaps.items()
            ]
        state.gaps.clear()
        return notes

    # Where it stands.

    @property
    def log_start_offset(self) -> int:
        return self.state.log_start_offset

    @property
    def log_end_offset(self) -> int:
        return self.state.log_end_offset

    @property
    def recovery_point(self) -> int:
        return self.state.recovery_point

    @property
    def first_unstable_offset(self) -> int | None:
        return self.state.first_unstable_offset

    @property
    def last_stable_offset(self) -> int:
        return self.state.last_stable_offset

    @property
    def high_watermark(self) -> int:
        return self.state.high_watermark

    @high_watermark.setter
    def high_watermark(self, offset: int) -> None:
        """Everything below is replicated; kept within the log."""
        state = self.state
        # hot: once for each append; `min` and `max` are calls.
        if offset < state.log_start_offset:
            offset = state.log_start_offset
        if offset > state.log_end_offset:
            offset = state.log_end_offset
        state.high_watermark = offset
        state.producers.on_high_watermark(offset)

    # Records.

    def append_as_leader(
        self,
        records: Buffer,
        leader_epoch: int,
        origin: AppendOrigin = AppendOrigin.CLIENT,
        *,
        guard: VerificationGuard | None = None,
        transaction_version: int = 0,
    ) -> AppendResult:
        """Give the batches the next offsets and write them; a repeat gets its old offsets."""
        # hot: guarded by hand, for a wrapper with its arguments costs half a microsecond.
        state = self.state
        if state.failure is not None:
            raise state.failure
        try:
            if origin is AppendOrigin.CLIENT and state.validates_headers_only:
                result = append_ordinary_batch(state, records, leader_epoch, guard)
                if result is not None:
                    return result
            elif origin is AppendOrigin.COORDINATOR and not state.encrypts:
                result = append_own_batch(state, records, leader_epoch, guard)
                if result is not None:
                    return result
            append = LeaderAppend(leader_epoch, origin, guard, transaction_version)
            return plain.append_as_leader(state, records, append)
        except StorageError as error:
            state.failure = error
            raise

    @_guarded
    def append_as_follower(self, records: Buffer, leader_epoch: int) -> AppendResult | None:
        """Write batches that a leader of at most this epoch sent; None if none was whole."""
        return plain.append_as_follower(self.state, records, leader_epoch)

    def read(
        self,
        offset: int,
        max_bytes: int,
        isolation: Isolation = Isolation.LOG_END,
        *,
        min_one: bool = True,
    ) -> FetchResult:
        """What may be sent from `offset` on."""
        # hot: guarded by hand, as above.
        state = self.state
        if state.failure is not None:
            raise state.failure
        try:
            return reading.read(state, offset, max_bytes, isolation, min_one)
        except StorageError as error:
            state.failure = error
            raise

    @_guarded
    def aborted_transactions(self, offset: int, upper_bound: int) -> list[AbortedTransaction]:
        """The aborted transactions that overlap [offset, upper bound)."""
        return reading.aborted_transactions(self.state, offset, upper_bound)

    @_guarded
    def offset_for_timestamp(self, timestamp: int) -> FoundOffset | None:
        """The first record that is as young as this; None where all are older."""
        return timestamps.offset_for_timestamp(self.state, timestamp)

    @_guarded
    def offset_of_max_timestamp(self) -> FoundOffset | None:
        """The first record with the largest timestamp; None in a log without one."""
        return timestamps.offset_of_max_timestamp(self.state)

    @_guarded
    def assign_epoch(self, leader_epoch: int) -> None:
        """Note that this leader epoch begins at the log's end."""
        self.state.epochs.assign(leader_epoch, self.state.log_end_offset)

    # Segments and the disk.

    @_guarded
    def roll(self) -> None:
        """Begin a new segment now, unless the active one is empty."""
        if self.state.active.size:
            rolling.roll(self.state, self.state.clock.now_ms())

    @property
    def flush_due(self) -> bool:
        """Whether a segment has rolled that is not synced; `flush(up_to=active base)` does it."""
        return flushing.has_sealed_unflushed(self.state)

    @_guarded
    def flush(self, up_to: int | None = None) -> None:
        """Make everything below `up_to`, or all, survive a power loss."""
        flushing.flush(self.state, up_to)

    def begin_flush(self, up_to: int | None = None) -> Flush:
        """The same in three steps, for a loop that must not wait: `sync` it in a thread."""
        if self.state.failure is not None:
            raise self.state.failure
        return flushing.begin_flush(self.state, up_to)

    def finish_flush(self, work: Flush) -> None:
        """Move the recovery point; a sync that failed makes the log fail."""
        self.state.flushes_under_way -= 1
        self._take_over_flush(work)

    @_guarded
    def _take_over_flush(self, work: Flush) -> None:
        flushing.finish_flush(self.state, work)

    @_guarded
    def flush_if_due(self) -> None:
        """Flush if `flush.ms` has passed since the last time."""
        flushing.flush_if_due(self.state)

    @_guarded
    def truncate_to(self, offset: int) -> bool:
        """Drop what lies at and after `offset`; true if anything did."""
        return truncation.truncate_to(self.state, offset)

    @_guarded
    def truncate_fully_and_start_at(self, offset: int, log_start_offset: int | None = None) -> None:
        """Drop everything; the next record gets this offset."""
        truncation.truncate_fully_and_start_at(self.state, offset, log_start_offset)

    @_guarded
    def advance_start_offset(self, offset: int) -> bool:
        """Raise the log's start to `offset`; true if that changed it."""
        return truncation.advance_start_offset(self.state, offset)

    @_guarded
    def delete_segments(self, segments: Sequence[Segment]) -> Removal:
        """Take the first segments out; the caller removes the files after a while."""
        return truncation.delete_segments(self.state, segments)

    @_guarded
    def delete_expired(self) -> Expired | None:
        """Take out what retention no longer keeps; the caller removes the files after a while."""
        return retention.delete_expired(self.state)

    def close(self) -> None:
        """Flush, write the state down and close; a failed log only lets go of its files."""
        assert not self.state.flushes_under_way, f"{self.directory}: finish the flush first"
        try:
            if self.state.failure is None:
                self._settle()
        finally:
            for segment in self.state.segments:
                segment.close()

    @_guarded
    def _settle(self) -> None:
        """Leave everything as a clean start expects it."""
        state = self.state
        state.active.seal()
        flushing.flush(state)
        state.active.sync_indexes()
        state.producers.take_snapshot()
        state.sync_names()
