"""After an unclean stop: what is kept, what is cut, what is rebuilt."""

from __future__ import annotations

from dataclasses import replace
from struct import Struct
from zlib import crc32

import pytest

from moldau.broker.log.opening import Remembered
from moldau.broker.log.recovery import DamagedLogError
from moldau.broker.log.settings import COMPACT
from moldau.errors import InvalidRecordError
from tests.broker.log.batches import batch
from tests.broker.log.logs import SMALL, Bench, fill, offsets_of

UNCLEAN = Remembered()
PRODUCER = (5, 0, 0)


def killed(count: int = 30, bench: Bench | None = None) -> Bench:
    """A directory with `count` batches whose process was killed."""
    bench = bench or Bench()
    fill(bench.open(), count)
    return bench


def test_a_torn_tail_is_cut_at_the_first_bad_batch():
    for tail in (b"\0" * 200, b"x" * 30, b"x" * 300, bytes(batch(30, (b"v" * 40,)))[:-1]):
        bench = killed()
        name = bench.names(".log")[-1]
        sound = bench.contents(name)
        bench.overwrite(name, sound + tail)
        log = bench.open(UNCLEAN)
        assert log.log_end_offset == 30
        assert bench.contents(name) == sound
        fill(log, 1)
        assert offsets_of(log) == list(range(31))


def test_a_damaged_batch_ends_the_log_and_later_segments_go():
    bench = killed()
    name = bench.names(".log")[1]
    damaged = bytearray(bench.contents(name))
    damaged[len(damaged) // 2] ^= 4
    bench.overwrite(name, bytes(damaged))
    log = bench.open(UNCLEAN)
    assert offsets_of(log) == list(range(log.log_end_offset))
    assert 0 < log.log_end_offset < 15
    assert len(bench.names(".log")) == 2
    assert bench.names(".deleted") == []


@pytest.mark.parametrize(
    ("tail", "lost"),
    [(b"\0" * 200, 0), (b"x" * 30, 0), (bytes(batch(30, (b"v" * 40, b"w")))[:-1], 2)],
)
def test_what_is_cut_is_reported_and_kept(tail, lost):
    bench = killed()
    name = bench.names(".log")[-1]
    sound = bench.contents(name)
    bench.overwrite(name, sound + tail)
    report = bench.open(UNCLEAN).report
    assert report is not None
    (found,) = report.findings
    assert (found.position, found.offset, found.size) == (len(sound), 30, len(tail))
    assert (found.lost_offsets, report.is_ordinary) == (lost, not lost)
    assert bench.contents(found.kept[0].rpartition("/")[2]) == tail


@pytest.mark.parametrize("recovery_point", [0, 30])
def test_a_damaged_tail_is_found_after_a_clean_stop_too(recovery_point):
    bench = killed()
    bench.open().close()
    name = bench.names(".log")[-1]
    damaged = bytearray(bench.contents(name))
    damaged[-1] ^= 4
    bench.overwrite(name, bytes(damaged))
    log = bench.open(Remembered(clean=True, reached_offset=recovery_point))
    assert log.log_end_offset == 29
    assert log.report is not None
    assert (log.report.lost_offsets, log.report.is_ordinary) == (1, False)


def test_after_a_clean_stop_a_log_that_ends_elsewhere_than_it_did_is_checked():
    bench = killed()
    bench.open().close()
    name = bench.names(".log")[-1]
    damaged = bytearray(bench.contents(name))
    last = len(damaged) - len(batch(29, (b"value",)))
    damaged[last + 24] ^= 4  # the last offset delta, where the batches are too many to check all
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("moldau.broker.log.sanity.TAIL_BYTES_MAX", 0)
        bench.overwrite(name, bytes(damaged))
        log = bench.open(Remembered(clean=True, recovery_point=30, reached_offset=30))
    assert log.log_end_offset == 29


@pytest.mark.parametrize("clean", [True, False])
def test_a_log_that_ends_before_what_it_had_is_refused_and_nothing_is_cut(clean):
    bench = killed()
    name = bench.names(".log")[-1]
    damaged = bytearray(bench.contents(name))
    damaged[-1] ^= 4
    bench.overwrite(name, bytes(damaged))
    with pytest.raises(DamagedLogError, match=f"{name}: it is damaged at byte"):
        bench.open(Remembered(clean=False, known_offset=30))
    bench.overwrite(name, b"")
    with pytest.raises(DamagedLogError, match="though all below offset 30 was on the disk"):
        bench.open(Remembered(clean=clean, known_offset=30))
    assert bench.contents(bench.names(".log")[0])


def test_a_log_that_has_all_that_it_had_is_opened():
    assert killed().open(Remembered(known_offset=30)).log_end_offset == 30


def test_what_lies_below_the_recovery_point_is_not_read():
    bench = killed()
    name = bench.names(".log")[0]
    damaged = bytearray(bench.contents(name))
    damaged[-1] ^= 4
    bench.overwrite(name, bytes(damaged))
    log = bench.open(Remembered(recovery_point=15))
    assert log.log_end_offset == 30
    assert bench.contents(name) == damaged


def test_a_lost_segment_ends_the_log_unless_it_is_compacted():
    for policy, end in ((SMALL.cleanup_policy, 6), (frozenset({COMPACT}), 30)):
        bench = killed(bench=Bench(replace(SMALL, cleanup_policy=policy)))
        bases = bench.open(UNCLEAN).segments.base_offsets
        bench.files.remove(f"data/topic-0/{bench.names('.log')[1]}")
        log = bench.open(UNCLEAN)
        assert bases[:2] == (0, 6)
        assert log.log_end_offset == end


def test_old_bytes_behind_a_truncation_end_the_log():
    bench = Bench()
    log = bench.open()
    log.append_as_leader(batch(0, (b"a",)), 3)
    name = bench.names(".log")[0]
    stale = batch(1, (b"b",), leader_epoch=2)
    bench.overwrite(name, bench.contents(name) + stale)
    assert bench.open(UNCLEAN).log_end_offset == 1


def test_indexes_are_as_they_were_and_lost_ones_are_made_anew():
    bench = killed()
    bench.open(UNCLEAN).close()
    kinds = (".index", ".timeindex")
    names = [name for kind in kinds for name in bench.names(kind)]
    before = {name: bench.contents(name) for name in names}
    for number, name in enumerate(names):
        if number % 2:
            bench.files.remove(f"data/topic-0/{name}")
        else:
            bench.overwrite(name, b"\1" * 24)
    bench.open(UNCLEAN).close()
    assert {name: bench.contents(name) for name in names} == before


def test_epochs_and_producers_come_back_from_the_batches():
    bench = Bench()
    log = bench.open()
    for epoch in range(3):
        for number in range(4):
            log.append_as_leader(batch(0, (b"v",), producer=(5, epoch, number)), epoch)
    for name in (*bench.names(".snapshot"), "leader-epoch-checkpoint"):
        bench.files.remove(f"data/topic-0/{name}")
    again = bench.open(UNCLEAN)
    assert [tuple(entry) for entry in again.epochs.entries] == [(0, 0), (1, 4), (2, 8)]
    entry = again.producers.entry(5)
    assert entry is not None
    assert (entry.epoch, entry.last_sequence, entry.last_offset) == (2, 3, 11)


def test_a_log_of_an_old_format_is_refused_and_not_cut():
    bench = killed(0)
    body = b"\1\0" + b"\0" * 8 + b"\xff" * 4 + b"\0\0\0\1v"
    message = Struct(">qiI").pack(0, len(body) + 4, crc32(body)) + body
    bench.overwrite(bench.names(".log")[0], message)
    for remembered in (UNCLEAN, Remembered(clean=True)):
        with pytest.raises(InvalidRecordError, match="format v1"):
            bench.open(remembered)
    assert bench.contents(bench.names(".log")[0]) == message


def test_a_second_recovery_finds_nothing_to_do():
    bench = killed()
    bench.open(UNCLEAN)
    names = bench.files.list("data/topic-0")
    before = {name: bench.contents(name) for name in names}
    assert bench.open(UNCLEAN).log_end_offset == 30
    assert {name: bench.contents(name) for name in names} == before
