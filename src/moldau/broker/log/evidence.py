"""What shows that a log once held more than its segments do now.

A whole `.log` that is gone leaves no bytes to look at, but other files show that it was there:

    a `.log` without bytes              the batches of the segment are gone, unless it is compacted
    an index without its `.log`         the segment at that offset is gone, unless it was leaving
    a snapshot within the log           a segment began there, unless compaction has joined it
    the first leader epoch              the log began there, unless retention was under way
    the last epoch, the last snapshot   the log reached there
    recovery point, high watermark      the log reached there: it was on the disk, or replicated

The file names are those that lay in the directory before anything in it was tidied up. On its way
out a segment's `.log` is renamed to `.deleted` first, so where one of these lies, a segment that
seems to be missing was leaving.
"""

from __future__ import annotations

from collections.abc import Sequence

from moldau.broker.log.epoch_checkpoint import EpochCache
from moldau.broker.log.findings import Finding, FindingKind
from moldau.broker.log.leftovers import orphans_among
from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.snapshot_files import SnapshotFiles
from moldau.broker.log.segment.file_names import DELETED, LOG, file_name, offset_in_name
from moldau.platform.quick_dataclass import dataclass

_LEAVING = LOG + DELETED


def note_rebuilt(state: LogState, path: str, reason: str) -> None:
    """A file that repeats the log was not usable."""
    state.findings.append(
        Finding(
            FindingKind.REBUILT,
            path,
            reason,
            offset=state.log_end_offset,
            end_offset=state.log_end_offset,
        )
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the files of a partition show of its log before any of them is changed."""

    start: int | None
    """Where the log began; None where no file has it."""
    end: int
    """Up to where it once reached, at least."""
    bases: frozenset[int]
    """Segments whose `.log` is not there."""
    has_log: bool
    """Whether any `.log` is."""
    snapshots: tuple[int, ...]
    """At which offsets the state of producers was written."""


def evidence_in(
    names: Sequence[str], epochs: EpochCache, snapshots: SnapshotFiles, known_end: int
) -> Evidence:
    """`names` are those in the directory, `known_end` is what the checkpoints have."""
    leaving = {offset_in_name(name) for name in names if name.endswith(_LEAVING)}
    orphans = {offset_in_name(name) for name in orphans_among(list(names))} - leaving
    earliest = None if leaving else epochs.earliest
    return Evidence(
        None if earliest is None else earliest.start_offset,
        max(known_end, epochs.latest_start_offset, snapshots.newest or 0),
        frozenset(base for base in orphans if base is not None),
        any(name.endswith(LOG) for name in names),
        snapshots.offsets,
    )


def note_missing(state: LogState, evidence: Evidence) -> None:
    """Report what no segment holds any more, and no other finding covers."""
    _note_missing_segments(state, evidence)
    _note_missing_end(state, evidence)


def _note_missing_segments(state: LogState, evidence: Evidence) -> None:
    first, start = state.segments.first.base_offset, evidence.start
    gone = dict.fromkeys(evidence.bases, "is missing") | dict.fromkeys(_empty(state), "is empty")
    gone |= dict.fromkeys(_without_segment(state, evidence), "is missing")
    if start is not None and start < first:
        gone[start] = "is missing"
    end = max((one.end_offset for one in state.findings), default=0)
    for base, reason in sorted(gone.items()):
        following = state.segments.based_above(base)
        if following and base >= end:
            end = following[0].base_offset
            _note(state, f"{state.directory}/{file_name(base, LOG)}", reason, base, end)


def _without_segment(state: LogState, evidence: Evidence) -> list[int]:
    """Snapshots are written under the base offset of the segment that begins there."""
    if state.settings.compacts:
        return []
    bases = state.segments.base_offsets
    return [one for one in evidence.snapshots if bases[0] < one < bases[-1] and one not in bases]


def _empty(state: LogState) -> list[int]:
    """Sealed segments without a batch; compaction can leave one."""
    if state.settings.compacts:
        return []
    active = state.segments.active
    return [one.base_offset for one in state.segments if not one.size and one is not active]


def _note_missing_end(state: LogState, evidence: Evidence) -> None:
    """The log ends before an offset that it had."""
    reached = max([state.log_end_offset, *(one.end_offset for one in state.findings)])
    active = state.segments.active
    if not evidence.has_log and (evidence.bases or reached < evidence.end):
        path = f"{state.directory}/{file_name(min(evidence.bases, default=0), LOG)}"
        _note(state, path, "is missing", reached, max(reached, evidence.end))
    elif reached <= max(evidence.bases, default=-1):
        path = f"{state.directory}/{file_name(max(evidence.bases), LOG)}"
        _note(state, path, "is missing", reached, max(reached, evidence.end))
    elif reached < evidence.end:
        reason = (
            f"ends at byte {active.size} with offset {state.log_end_offset}, and other files show "
            f"that the log reached {evidence.end}"
        )
        _note(state, active.path(LOG), reason, reached, evidence.end)


def _note(state: LogState, path: str, reason: str, offset: int, end_offset: int) -> None:
    finding = Finding(FindingKind.MISSING, path, reason, offset=offset, end_offset=end_offset)
    state.findings.append(finding)
