"""What a dump found wrong."""

from __future__ import annotations

from moldau.broker.log.dump.report import Report


def test_nothing_wrong_says_nothing():
    assert list(Report().lines()) == []


def test_findings_come_by_kind_and_file_in_kafkas_words():
    report = Report()
    report.check_consecutive("a.log", -1, 0)
    report.check_consecutive("a.log", 4, 7)
    report.missing_offsets.add("a.timeindex", 5, -1)
    report.disordered_timestamps.add("a.timeindex", 10, 20)
    report.timestamp_mismatches.add("a.timeindex", 10, 11)
    report.index_mismatches.add("a.index", 3, 4)
    assert list(report.lines()) == [
        "Mismatches in :a.index",
        "  Index offset: 3, log offset: 4",
        "Found timestamp mismatch in :a.timeindex",
        "  Index timestamp: 10, log timestamp: 11",
        "Found out of order timestamp in :a.timeindex",
        "  Index timestamp: 10, Previously indexed timestamp: 20",
        "The following indexed offsets are not found in :a.timeindex",
        "Indexed offset: 5, found log offset: -1",
        "Non-consecutive offsets in a.log",
        "  4 is followed by 7",
    ]


def test_of_findings_with_one_number_the_last_stays_in_map_order():
    report = Report()
    for offset, follower in ((17, 20), (1, 5), (16, 19), (1, 6)):
        report.gaps.add("a.log", offset, follower)
    assert [line.split()[0] for line in report.lines()][1:] == ["16", "17", "1"]
