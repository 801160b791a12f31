"""What is cut off a log lies beside it, under a name that says where it was."""

from __future__ import annotations

import pytest

from moldau.broker.log import cut_files
from moldau.broker.log.cut_files import (
    cut_name,
    keep_end,
    keep_segment,
    parse_cut_name,
    remove_oldest,
)
from moldau.errors import DiskFullError
from tests.broker.log.logs import DIRECTORY, Bench, fill

NAME = "00000000000000000120-0000018432.cut"


def test_a_name_says_segment_and_byte():
    assert cut_name(120, 18_432) == NAME
    assert parse_cut_name(NAME) == (120, 18_432)
    assert parse_cut_name(cut_name(120, 18_432, 3)) == (120, 18_432)
    for other in ("0.log", "notes.cut", "12-x.cut", "12-3.log"):
        assert parse_cut_name(other) is None


def test_the_end_of_a_segment_is_copied_and_a_second_time_under_another_name():
    bench = Bench()
    log = bench.open()
    fill(log, 2)
    segment = log.segments.active
    first = keep_end(bench.files, DIRECTORY, segment, 40)
    second = keep_end(bench.files, DIRECTORY, segment, 40)
    assert [first, second] == [f"{DIRECTORY}/{cut_name(0, 40, number)}" for number in (0, 1)]
    whole = bench.contents("00000000000000000000.log")
    assert {bench.contents(name) for name in bench.names(".cut")} == {whole[40:]}


def test_a_whole_segment_is_renamed():
    bench = Bench()
    log = bench.open()
    fill(log, 2)
    whole = bench.contents("00000000000000000000.log")
    assert keep_segment(bench.files, DIRECTORY, log.segments.active).endswith(cut_name(0, 0))
    assert bench.names(".log") == []
    assert bench.contents(cut_name(0, 0)) == whole


def test_a_full_disk_keeps_nothing_and_is_no_failure(monkeypatch):
    bench = Bench()
    log = bench.open()
    fill(log, 2)

    def refuse(*_):
        raise DiskFullError("x", "full")

    monkeypatch.setattr(cut_files, "_copy", refuse)
    assert keep_end(bench.files, DIRECTORY, log.segments.active, 40) is None
    assert bench.names(".cut") == []


@pytest.mark.parametrize(
    ("limits", "left"), [({"CUT_FILES_MAX": 2}, [3, 4]), ({"CUT_BYTES_MAX": 25}, [3, 4])]
)
def test_the_oldest_go_where_there_are_too_many(monkeypatch, limits, left):
    bench = Bench()
    bench.open()
    for number in range(5):
        bench.overwrite(cut_name(number, 0), b"x" * 10)
        bench.files.set_modified(f"{DIRECTORY}/{cut_name(number, 0)}", 1_000 + number)
    for name, limit in limits.items():
        monkeypatch.setattr(cut_files, name, limit)
    remove_oldest(bench.files, DIRECTORY)
    assert bench.names(".cut") == [cut_name(number, 0) for number in left]
