"""Lines about damaged logs, and not too many."""

from __future__ import annotations

import logging

import pytest

from moldau.broker.log.directory.names import TopicPartition
from moldau.broker.log.findings import Finding, FindingKind, OpeningReport
from moldau.broker.replica.opening_reports import PARTITIONS_SHOWN_MAX, OpeningReports

TORN = OpeningReport("t", False, 0, 5, (Finding(FindingKind.CUT, "t/0.log", "ends", 9, 5, 5, 4),))
LOST = OpeningReport("t", False, 0, 5, (Finding(FindingKind.CUT, "t/0.log", "ends", 9, 5, 8, 4),))


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO)
    return lambda: [(record.levelname, record.message) for record in caplog.records]


def name(number):
    return TopicPartition("topic", number)


def test_what_takes_offsets_along_is_a_warning_and_the_torn_end_of_a_write_is_not(lines):
    reports = OpeningReports()
    reports.add(name(0), TORN)
    reports.add(name(1), LOST)
    (info, first), (warning, second) = lines()
    assert (info, warning) == ("INFO", "WARNING")
    assert first.startswith("topic-0: t/0.log ends")
    assert second.startswith("topic-1: t/0.log ends")


def test_many_are_counted_and_shown_in_one_line(lines):
    reports = OpeningReports()
    more = 7
    for number in range(PARTITIONS_SHOWN_MAX + more):
        reports.add(name(number), LOST)
    assert len(lines()) == PARTITIONS_SHOWN_MAX
    reports.summarize()
    assert lines()[-1] == (
        "WARNING",
        "7 more partitions: 21 offsets are lost, 28 bytes are cut off, 0 files are rebuilt",
    )
    assert (reports.partitions, reports.lost_offsets) == (27, 81)
    reports.summarize()
    assert len(lines()) == PARTITIONS_SHOWN_MAX + 1
