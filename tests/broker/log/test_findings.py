"""What was found, as values and as sentences."""

from __future__ import annotations

from moldau.broker.log.findings import Finding, FindingKind, OpeningReport

TORN = Finding(
    FindingKind.CUT, "t-0/0.log", "ends within a batch", 80, 7, 7, 30, kept=("t-0/a.cut",)
)
LOST = Finding(FindingKind.CUT, "t-0/0.log", "fails", 80, 7, 12, 300, 2, ("t-0/a.cut", "t-0/b.cut"))
GONE = Finding(FindingKind.MISSING, "t-0/0.log", "is missing")
MADE = Finding(FindingKind.REBUILT, "t-0/0.index", "is damaged", offset=7, end_offset=7)


def report(*findings, clean=False):
    return OpeningReport("t-0", clean, 2, 7, findings)


def test_only_the_torn_end_of_a_killed_process_is_ordinary():
    assert report(TORN, MADE).is_ordinary
    assert not report(TORN, clean=True).is_ordinary
    assert not report(LOST).is_ordinary
    assert not report(GONE).is_ordinary


def test_what_goes_is_summed_up():
    found = report(TORN, LOST, GONE, MADE)
    assert (found.lost_offsets, found.cut_bytes, found.rebuilt_files) == (5, 330, 1)


def test_a_line_names_the_file_what_goes_where_it_is_kept_and_what_stays():
    assert report(LOST).lines() == [
        "t-0/0.log fails: offsets 7 to 11 (5 offsets) are lost, and 300 bytes are cut off, of them "
        "2 whole segments; they are kept in t-0/a.cut and 1 more, which `moldau dump-log` prints; "
        "offsets 2 to 6 stay"
    ]
    torn, gone, made = report(TORN, GONE, MADE).lines()
    assert "no acknowledged record is known to be lost" in torn
    assert gone == (
        "t-0/0.log is missing: no file shows how many offsets are lost; offsets 2 to 6 stay"
    )
    assert made == "t-0/0.index is damaged: rebuilt from the log; offsets 2 to 6 stay"
