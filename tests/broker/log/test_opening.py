"""Opening a directory, clean or not, and odd in every way."""

from __future__ import annotations

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.platform.simulated.disk_faults import Fault
from moldau.protocol.records.batch import TRANSACTIONAL_BIT
from moldau.protocol.records.control import EndMarker, build_marker_batch
from tests.broker.log.batches import batch
from tests.broker.log.logs import CLEAN, DIRECTORY, Bench, fill, offsets_of


def append_transaction(log: PartitionLog) -> None:
    log.append_as_leader(batch(0, (b"v",), attributes=TRANSACTIONAL_BIT, producer=(7, 0, 0)), 0)
    marker = build_marker_batch(
        EndMarker(True, 0), producer_id=7, producer_epoch=0, timestamp=1_000
    )
    log.append_as_leader(marker, 0, AppendOrigin.COORDINATOR)


def closed(count: int = 40) -> Bench:
    bench = Bench()
    log = bench.open()
    fill(log, count)
    log.close()
    return bench


def test_a_clean_log_opens_without_a_look_into_any_but_the_last_segment():
    bench = closed()
    for name in bench.names(".log")[:-1] + bench.names("index")[:-2]:
        bench.files.faults.add(Fault("open", f"*/{name}", times=None))
    log = bench.open(CLEAN)
    assert log.log_end_offset == 40
    assert len(log.segments) > 4


def test_an_empty_directory_becomes_an_empty_log_at_its_start():
    log = Bench().open(Remembered(clean=True, log_start_offset=17))
    assert (log.log_start_offset, log.log_end_offset) == (17, 17)
    fill(log, 1)
    assert offsets_of(log) == [17]


def test_a_log_that_ends_before_its_start_begins_anew():
    bench = closed()
    log = bench.open(Remembered(clean=True, log_start_offset=55))
    assert (log.log_start_offset, log.log_end_offset) == (55, 55)
    assert len(bench.names(".log")) == 1


def test_an_end_that_cannot_be_read_is_recovered_though_the_stop_was_clean():
    bench = closed()
    name = bench.names(".log")[-1]
    bench.overwrite(name, bench.contents(name) + b"?" * 90)
    assert bench.open(CLEAN).log_end_offset == 40


def test_an_epoch_file_without_sense_is_rebuilt_from_the_batches():
    bench = Bench()
    log = bench.open()
    for epoch in (0, 0, 4, 4, 6):
        log.append_as_leader(batch(0, (b"v",)), epoch)
    log.close()
    bench.overwrite("leader-epoch-checkpoint", b"0\n1\nnonsense\n")
    epochs = bench.open(CLEAN).epochs.entries
    assert [tuple(entry) for entry in epochs] == [(0, 0), (4, 2), (6, 4)]


def test_the_high_watermark_is_kept_within_the_log():
    bench = closed()
    for remembered, expected in ((-1, 0), (12, 12), (99, 40)):
        opened = bench.open(Remembered(clean=True, high_watermark=remembered))
        assert opened.high_watermark == expected


def test_zero_length_and_foreign_files_do_no_harm():
    bench = closed()
    for name in ("00000000000000000040.log", "README", "0.log", "00000000000000000003.index"):
        if name not in bench.names():
            bench.overwrite(name, b"")
    log = bench.open(CLEAN)
    assert offsets_of(log) == list(range(40))
    assert "README" in bench.names()
    assert "00000000000000000003.index" not in bench.names()


def test_a_corrupt_snapshot_falls_back_to_what_the_batches_say():
    bench = closed_by_a_producer()
    for name in bench.names(".snapshot"):
        bench.overwrite(name, bench.contents(name)[:-1] + b"?")
    assert last_sequence_of(bench.open(CLEAN)) == 19


def test_an_open_lists_the_directory_once_and_finds_the_snapshots_by_that():
    bench = closed_by_a_producer()
    bench.files.faults.add(Fault("list", DIRECTORY, skip=1, times=None))
    assert last_sequence_of(bench.open(CLEAN)) == 19


def closed_by_a_producer() -> Bench:
    bench = Bench()
    log = bench.open()
    for number in range(20):
        log.append_as_leader(batch(0, (b"v",), bench.clock.now_ms(), producer=(9, 0, number)), 0)
    log.close()
    return bench


def last_sequence_of(log: PartitionLog) -> int | None:
    entry = log.producers.entry(9)
    return None if entry is None else entry.last_sequence


def test_an_epoch_without_a_record_is_forgotten():
    bench = Bench()
    log = bench.open()
    fill(log, 5, epoch=2)
    log.assign_epoch(7)
    log.close()
    assert bench.open(CLEAN).epochs.latest_epoch == 2


def test_an_empty_log_is_opened_without_a_write_though_its_epoch_is_forgotten():
    bench = Bench()
    log = bench.open()
    log.assign_epoch(7)
    log.close()
    bench.files.faults.read_only = True
    assert bench.open().epochs.latest_epoch is None


def test_a_log_that_lies_still_is_opened_and_closed_without_its_indexes():
    bench = Bench()
    bench.open().close()
    for name in bench.names("index"):
        bench.files.remove(f"{DIRECTORY}/{name}")
    log = bench.open()
    log.close()
    assert bench.names("index") == []
    log = bench.open()
    fill(log, 9)
    log.close()
    assert offsets_of(bench.open()) == list(range(9))


@pytest.mark.parametrize("clean", [True, False])
def test_transactions_that_have_ended_are_stable_when_a_start_has_replayed_them(clean):
    bench = Bench()
    log = bench.open()
    append_transaction(log)
    log.high_watermark = log.log_end_offset
    log.close()
    for name in bench.names(".snapshot"):
        bench.overwrite(name, b"torn")
    end = log.log_end_offset
    again = bench.open(Remembered(clean=clean, high_watermark=end))
    assert (again.high_watermark, again.last_stable_offset) == (end, end)
