"""Segments that are gone are missed, though nothing of them is left to read."""

from __future__ import annotations

import pytest

from moldau.broker.log.findings import FindingKind
from moldau.broker.log.opening import Remembered
from tests.broker.log.logs import CLEAN, DIRECTORY, Bench, fill

UNCLEAN = Remembered()


def closed(count=30):
    bench = Bench()
    log = bench.open()
    fill(log, count)
    log.close()
    return bench


def found(bench, remembered):
    report = bench.open(remembered).report
    return [] if report is None else list(report.findings)


def spans(findings):
    return [(one.kind, one.offset, one.end_offset) for one in findings]


@pytest.mark.parametrize(
    "remembered", [CLEAN, UNCLEAN, Remembered(clean=True, recovery_point=30, reached_offset=30)]
)
def test_in_a_whole_log_nothing_is_found(remembered):
    assert found(closed(), remembered) == []


@pytest.mark.parametrize("remembered", [CLEAN, UNCLEAN])
def test_the_first_segment_is_missed(remembered):
    bench = closed()
    first, second = bench.names(".log")[:2]
    bench.files.remove(f"{DIRECTORY}/{first}")
    (finding,) = found(bench, remembered)
    assert finding.path == f"{DIRECTORY}/{first}"
    assert spans([finding]) == [(FindingKind.MISSING, 0, int(second[:20]))]


def test_a_segment_in_the_middle_is_missed_after_a_clean_stop():
    bench = closed()
    _, second, third = bench.names(".log")[:3]
    bench.files.remove(f"{DIRECTORY}/{second}")
    assert spans(found(bench, CLEAN)) == [(FindingKind.MISSING, int(second[:20]), int(third[:20]))]


def test_an_empty_segment_in_the_middle_is_missed():
    bench = closed()
    _, second, third = bench.names(".log")[:3]
    bench.overwrite(second, b"")
    assert spans(found(bench, CLEAN)) == [(FindingKind.MISSING, int(second[:20]), int(third[:20]))]


def test_segments_that_were_leaving_are_not_missed():
    bench = closed()
    first = bench.names(".log")[0]
    bench.files.rename(f"{DIRECTORY}/{first}", f"{DIRECTORY}/{first}.deleted")
    assert found(bench, UNCLEAN) == []


def test_a_log_without_any_segment_is_missed_as_far_as_something_knows_it():
    for remembered, end in (
        (UNCLEAN, 0),
        (Remembered(high_watermark=29, reached_offset=29), 29),
        (CLEAN, 30),
    ):
        bench = closed()
        for name in bench.names(".log"):
            bench.files.remove(f"{DIRECTORY}/{name}")
        if end < 30:
            for name in bench.names(".snapshot"):
                bench.files.remove(f"{DIRECTORY}/{name}")
        assert spans(found(bench, remembered)) == [(FindingKind.MISSING, 0, end)]


def test_a_log_that_ends_before_its_recovery_point_is_reported():
    bench = closed()
    name = bench.names(".log")[-1]
    for snapshot in bench.names(".snapshot"):
        bench.files.remove(f"{DIRECTORY}/{snapshot}")
    bench.overwrite(name, b"")
    findings = found(bench, Remembered(clean=True, recovery_point=30, reached_offset=30))
    assert spans(findings)[0] == (FindingKind.MISSING, int(name[:20]), 30)
    assert "other files show that the log reached 30" in findings[0].reason
