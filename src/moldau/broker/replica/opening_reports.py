"""What was wrong with logs when they were opened: lines for the node's log, and counts.

After a clean stop nothing should be found, so every finding is a warning. After another stop the
beginning of a write that never ended is ordinary, and at INFO; whatever takes offsets along is a
warning too. A disk that has lost much would fill the log with lines: of each level the first
`PARTITIONS_SHOWN_MAX` partitions are shown one by one, the others in one line at the end.
"""

from __future__ import annotations

import logging
from collections import defaultdict

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.findings import OpeningReport

_logger = logging.getLogger(__name__)

PARTITIONS_SHOWN_MAX = 20


class OpeningReports:
    """Everything that was found since the start."""

    def __init__(self) -> None:
        self.partitions = 0
        self.lost_offsets = 0
        self.cut_bytes = 0
        self.rebuilt_files = 0
        self._shown: dict[int, int] = defaultdict(int)
        self._not_shown: dict[int, list[OpeningReport]] = defaultdict(list)

    def __repr__(self) -> str:
        return f"OpeningReports({self.partitions} partitions, {self.lost_offsets} offsets lost)"

    def add(self, name: TopicPartition, report: OpeningReport) -> None:
        """Count it, and show it unless there were many."""
        self.partitions += 1
        self.lost_offsets += report.lost_offsets
        self.cut_bytes += report.cut_bytes
        self.rebuilt_files += report.rebuilt_files
        level = level_of(report)
        if self._shown[level] >= PARTITIONS_SHOWN_MAX:
            self._not_shown[level].append(report)
            return
        self._shown[level] += 1
        show(str(name), report)

    def summarize(self) -> None:
        """Show the rest in a line for each level; from now on single ones are shown again."""
        for level, reports in self._not_shown.items():
            _logger.log(
                level,
                "%d more partitions: %d offsets are lost, %d bytes are cut off, "
                "%d files are rebuilt",
                len(reports),
                sum(report.lost_offsets for report in reports),
                sum(report.cut_bytes for report in reports),
                sum(report.rebuilt_files for report in reports),
            )
        self._not_shown.clear()
        self._shown.clear()


def level_of(report: OpeningReport) -> int:
    return logging.INFO if report.is_ordinary else logging.WARNING


def show(name: str, report: OpeningReport) -> None:
    """A line for each finding."""
    for line in report.lines():
        _logger.log(level_of(report), "%s: %s", name, line)
