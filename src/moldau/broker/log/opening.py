"""From a directory to a log.

After a clean stop hardly any records are read: segments are known from names and sizes, the end of
the log from the last batches (the last index entry is where to look), producers from their last
snapshot. Otherwise `recovery.py` checks what lies above the recovery point.

A directory that contradicts itself after a clean stop (an end that cannot be read, an epoch file
that makes no sense) is treated as after an unclean one, from its beginning if need be.

Of a log that only lies there no file is open: a node may have ten thousand of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from moldau.broker.log.appending.rolling import begin_segment, draw_jitter
from moldau.broker.log.directory.checkpoint_text import CorruptCheckpointError
from moldau.broker.log.epoch_checkpoint import FILE_NAME as EPOCH_FILE
from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.evidence import evidence_in, note_missing, note_rebuilt
from moldau.broker.log.findings import OpeningReport
from moldau.broker.log.leftovers import tidy_up
from moldau.broker.log.log_state import LogFiles, LogState
from moldau.broker.log.producers.replay import replay
from moldau.broker.log.producers.states import ProducerStates
from moldau.broker.log.recovery import Stop, end_log, ensure_reaches, recover
from moldau.broker.log.sanity import mend_transaction_indexes, sound_end
from moldau.broker.log.segment.file_names import LOG, kind_of, offset_in_name
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.segments import Segments
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.errors import CorruptRecordError, FileMissingError
from moldau.platform.ports.files import Files
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import NO_LEADER_EPOCH


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the checkpoints of the log directory have about this partition; zeros if nothing."""

    clean: bool = False
    """Whether the last stop was announced."""
    recovery_point: int = 0
    log_start_offset: int = 0
    high_watermark: int = 0
    reached_offset: int = 0
    """Up to where the log was once, by the checkpoints; after a clean stop, where it ended."""
    known_offset: int = 0
    """All below was on the disk, without a gap: a log that lacks of it is damaged, and left so."""


def open_log(
    world: World,
    directory: str,
    settings: LogSettings,
    remembered: Remembered,
    leader_epoch: int | None = None,
) -> LogState:
    """Open the partition in `directory`, or begin an empty one there.

    A `leader_epoch`, given by a leader, is noted on the way.
    """
    listed = _listed(world.files, directory)
    names = tidy_up(world.files, directory, settings, listed)
    segments = _load_segments(world, directory, settings, names)
    epochs, epochs_fault = _load_epochs(world.files, f"{directory}/{EPOCH_FILE}")
    producers = ProducerStates(
        world.files, directory, settings.producer_id_expiration_ms, names=names
    )
    files = LogFiles(segments, epochs, producers)
    state = _first_state(world, directory, settings, files, remembered)
    evidence = evidence_in(listed, epochs, producers.snapshots, remembered.reached_offset)
    for path in mend_transaction_indexes(state, names):
        note_rebuilt(state, path, "is damaged")
    clean = remembered.clean and _ends_cleanly(state, remembered.reached_offset)
    if not clean:
        recover(state, remembered.known_offset)
    ensure_reaches(state, remembered.known_offset)
    _settle_start(state, remembered.log_start_offset)
    note_missing(state, evidence)
    state.active.activate()
    draw_jitter(state)
    if epochs_fault is not None:
        note_rebuilt(state, f"{directory}/{EPOCH_FILE}", epochs_fault)
        _collect_epochs(state)
    if state.epochs.settle(state.log_start_offset, state.log_end_offset, leader_epoch):
        state.name_changes_synced = state.name_changes
    _settle_producers(state, clean)
    _note_refused(state)
    state.high_watermark = min(
        max(remembered.high_watermark, state.log_start_offset), state.log_end_offset
    )
    state.producers.on_high_watermark(state.high_watermark)
    if clean or not state.active.size:
        state.active.rest()
    return state


def _listed(files: Files, directory: str) -> list[str]:
    """What is in the directory; it is made where there is none."""
    try:
        return files.list(directory)
    except FileMissingError:
        files.make_directory(directory)
        files.sync_directory(directory.rpartition("/")[0] or ".")
        return []


def _load_segments(
    world: World, directory: str, settings: LogSettings, names: Iterable[str]
) -> Segments:
    segments, now_ms = Segments(), world.clock.now_ms()
    for name in names:
        if not name.endswith(LOG):
            continue
        base_offset = offset_in_name(name)
        if base_offset is None or kind_of(name) != LOG:
            continue
        status = world.files.status(f"{directory}/{name}")
        size = 0 if status is None else status.size
        segment = Segment(world.files, directory, base_offset, settings, size=size, now_ms=now_ms)
        segments.add(segment)
    return segments


def _load_epochs(files: Files, path: str) -> tuple[EpochCache, str | None]:
    """The leader epochs, and what is wrong with their file."""
    try:
        return EpochCache(files, path), None
    except CorruptCheckpointError as error:
        files.remove(path)
        return EpochCache(files, path), f"is damaged ({error.reason})"


def _first_state(
    world: World, directory: str, settings: LogSettings, files: LogFiles, remembered: Remembered
) -> LogState:
    """The state before anything is known of the end; an empty log gets its first segment."""
    segments, start_offset = files.segments, remembered.log_start_offset
    fresh = not len(segments)
    if fresh:
        now_ms = world.clock.now_ms()
        segments.add(Segment.create(world.files, directory, start_offset, settings, now_ms=now_ms))
    state = LogState(
        world,
        directory,
        settings,
        files,
        log_start_offset=max(segments.first.base_offset, start_offset),
        recovery_point=remembered.recovery_point,
    )
    state.name_changes = int(fresh)
    return state


def _ends_cleanly(state: LogState, known_end: int) -> bool:
    """Find the end of the log, if the last segment is as a clean stop leaves it.

    A clean stop writes the log's end down as the recovery point; 0 where it is not known.
    """
    active = state.active
    try:
        end_offset = sound_end(active) if active.size else active.base_offset
    except CorruptRecordError:
        return False
    if known_end and end_offset != known_end:
        return False
    state.log_end_offset = state.recovery_point = end_offset
    return True


def _settle_start(state: LogState, remembered_start: int) -> None:
    """A log that ends before it starts has lost all that counted; it begins anew."""
    state.active = state.segments.active
    if state.log_end_offset >= remembered_start:
        state.log_start_offset = max(remembered_start, state.segments.first.base_offset)
        return
    first = state.segments.first
    reason = f"the log ends below its start, which was offset {remembered_start}"
    end_log(state, Stop(first, 0, state.log_end_offset, reason), list(state.segments))
    begin_segment(state, remembered_start, state.clock.now_ms())
    state.log_start_offset = state.log_end_offset = remembered_start
    state.recovery_point = remembered_start


def _collect_epochs(state: LogState) -> None:
    """Read the leader epochs of all batches: their checkpoint was unreadable."""
    state.epochs.clear()
    latest = NO_LEADER_EPOCH
    for segment in state.segments:
        for _position, header in segment.batches():
            if header.leader_epoch > latest:
                latest = header.leader_epoch
                state.epochs.assign(latest, header.base_offset)


def _settle_producers(state: LogState, clean: bool) -> None:
    producers, end_offset = state.producers, state.log_end_offset
    producers.remove_stray_snapshots(state.segments.base_offsets)
    if clean and producers.snapshots.newest is None:
        producers.map_end_offset = end_offset
        return
    start_offset, now_ms = state.log_start_offset, state.clock.now_ms()
    producers.truncate_and_reload(start_offset, end_offset, now_ms)
    replay(producers, state.segments, end_offset)
    producers.take_snapshot()


def _note_refused(state: LogState) -> None:
    """Indexes of the last segment, and snapshots, that could not be used as they were."""
    for path, reason in (*state.active.indexes.refused, *state.producers.snapshots.refused):
        note_rebuilt(state, path, reason)
    state.active.indexes.refused.clear()


def report_of(state: LogState, *, clean: bool) -> OpeningReport | None:
    """What the opening found; None where all was well."""
    if not state.findings:
        return None
    return OpeningReport(
        state.directory, clean, state.log_start_offset, state.log_end_offset, tuple(state.findings)
    )
