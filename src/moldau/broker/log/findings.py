"""What the opening of a log found that a stop in order does not leave, as values.

    cut        bytes at the end that are no sound batches, and the segments behind them, are gone
    missing    offsets that were in the log are in no file any more; nothing was there to cut
    rebuilt    a file that repeats the log was wrong or gone, and is made anew

This package writes no log lines: the list lies in `LogState.findings`; the caller shows it.

A process that is killed in the middle of a write may leave the beginning of a batch. None was
acknowledged for it, so such a finding loses nothing: `offset` and `end_offset` are equal. Offsets
are lost where the bytes that go hold a whole header of a batch that would continue the log, or
where a checkpoint, an index or a later segment shows that the log once reached further.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum

from moldau.platform.quick_dataclass import dataclass


class FindingKind(StrEnum):
    """What was done about it."""

    CUT = "cut"
    MISSING = "missing"
    REBUILT = "rebuilt"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was wrong with a partition's files."""

    kind: FindingKind
    path: str
    reason: str
    """What is wrong there, as the end of a sentence about the file."""
    position: int = 0
    """The byte from which on."""
    offset: int = 0
    """The first offset that is gone."""
    end_offset: int = 0
    """One more than the last one."""
    size: int = 0
    """Bytes that were cut, of all segments together."""
    segments: int = 0
    """Whole segments among them."""
    kept: tuple[str, ...] = field(default_factory=tuple)
    """The files that hold these bytes now; see `cut_files`."""

    @property
    def lost_offsets(self) -> int:
        return max(self.end_offset - self.offset, 0)

    @property
    def loses(self) -> bool:
        """Whether records that the log had are gone, though it may be unknown how many."""
        return self.lost_offsets > 0 or self.kind is FindingKind.MISSING


@dataclass(frozen=True, slots=True)
class OpeningReport:
    """All findings of one opening, and what is there now."""

    directory: str
    clean: bool
    """Whether the last stop was announced: then nothing should have been found."""
    log_start_offset: int
    log_end_offset: int
    findings: tuple[Finding, ...]

    @property
    def lost_offsets(self) -> int:
        return sum(finding.lost_offsets for finding in self.findings)

    @property
    def cut_bytes(self) -> int:
        return sum(finding.size for finding in self.findings)

    @property
    def rebuilt_files(self) -> int:
        return sum(finding.kind is FindingKind.REBUILT for finding in self.findings)

    @property
    def is_ordinary(self) -> bool:
        """Whether a process that was killed leaves such things; no acknowledged record is lost."""
        return not (self.clean or any(finding.loses for finding in self.findings))

    def lines(self) -> list[str]:
        """A sentence for each finding, and for what stays."""
        stays = _span(self.log_start_offset, self.log_end_offset)
        return [f"{_sentence(finding)}; {stays}" for finding in self.findings]


_UNKNOWN = "no file shows how many offsets are lost"


def _sentence(finding: Finding) -> str:
    place = f"{finding.path} {finding.reason}"
    match finding.kind:
        case FindingKind.CUT:
            return f"{place}: {_cut(finding)}{_kept(finding.kept)}"
        case FindingKind.MISSING:
            return f"{place}: {_lost(finding) if finding.lost_offsets else _UNKNOWN}"
        case FindingKind.REBUILT:
            return f"{place}: rebuilt from the log"


def _cut(finding: Finding) -> str:
    with_segments = f", of them {finding.segments} whole segments" if finding.segments else ""
    return f"{_lost(finding)}, and {finding.size} bytes are cut off{with_segments}"


def _lost(finding: Finding) -> str:
    if not finding.lost_offsets:
        return "no acknowledged record is known to be lost"
    if finding.lost_offsets == 1:
        return f"offset {finding.offset} is lost"
    return (
        f"offsets {finding.offset} to {finding.end_offset - 1} "
        f"({finding.lost_offsets} offsets) are lost"
    )


def _kept(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"; they are kept in {paths[0]}{more}, which `moldau dump-log` prints"


def _span(start: int, end: int) -> str:
    return f"offsets {start} to {end - 1} stay" if end > start else f"the log is empty, at {end}"
