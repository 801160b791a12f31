"""Ending a log before damage: what lies behind is kept beside it, reported, and cut off.

Segments go from the last one backwards, each durably, then the file is cut: a crash in between
leaves a log that the next recovery ends at the same place. Most starts find no damage, so recovery
imports this module when it does.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.log.cut_files import keep_end, keep_segment, remove_oldest
from moldau.broker.log.findings import Finding, FindingKind
from moldau.broker.log.log_state import LogState
from moldau.broker.log.recovery import Stop
from moldau.broker.log.segment.file_names import LOG
from moldau.broker.log.segment.salvage import end_offset_of
from moldau.broker.log.segment.segment import Segment
from moldau.errors import MoldauError


def end_log(state: LogState, stop: Stop, later: Sequence[Segment]) -> None:
    """Cut the segment at this byte, or take it out where it is among the later ones, which go."""
    cuts = stop.segment not in later
    size = (stop.segment.size - stop.position if cuts else 0) + sum(one.size for one in later)
    end_offset = _lost_end(stop, later)
    kept = [*_keep_segments(state, later), *(_cut(state, stop) if cuts else ())]
    if kept:
        remove_oldest(state.files, state.directory)
    state.findings.append(
        Finding(
            FindingKind.CUT,
            stop.segment.path(LOG),
            f"at byte {stop.position}, where offset {stop.offset} should be, {stop.reason}",
            position=stop.position,
            offset=stop.offset,
            end_offset=end_offset,
            size=size,
            segments=sum(one.size > 0 for one in later),
            kept=tuple(path for path in sorted(kept) if state.files.status(path) is not None),
        )
    )


def _lost_end(stop: Stop, later: Sequence[Segment]) -> int:
    """One more than the last offset that is known to go."""
    segment, known = stop.segment, stop.offset
    if segment not in later:
        known = end_offset_of(segment.log, stop.position, segment.size, stop.offset)
    return max(known, _end_of(later[-1])) if later else known


def _end_of(segment: Segment) -> int:
    try:
        return segment.next_offset()
    except MoldauError:
        return end_offset_of(segment.log, 0, segment.size, segment.base_offset)


def _keep_segments(state: LogState, segments: Sequence[Segment]) -> list[str]:
    """Take segments at the end out of the log; the files that hold their batches now."""
    kept = []
    for segment in reversed(segments):
        state.segments.remove(segment)
        if segment.size:
            kept.append(keep_segment(state.files, state.directory, segment))
        segment.delete()
        state.files.sync_directory(state.directory)
    return kept


def _cut(state: LogState, stop: Stop) -> list[str]:
    kept = keep_end(state.files, state.directory, stop.segment, stop.position)
    stop.segment.cut_at(stop.position)
    stop.segment.log.sync()
    return [] if kept is None else [kept]
