"""A transaction index that makes no sense is made anew, whatever the last stop was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.reading import Isolation
from moldau.broker.log.sanity import mend_transaction_indexes, sound_end
from moldau.broker.log.segment.transaction_index import ENTRY_SIZE
from tests.broker.log.batches import batch, marker
from tests.broker.log.logs import CLEAN, SMALL, Bench, fill

TRANSACTIONAL = 0x10
COORDINATOR = AppendOrigin.COORDINATOR


def abort_across_segments(log: PartitionLog, producer_id: int) -> None:
    """The transaction begins in one segment and is aborted in a later one."""
    begun = batch(0, (b"a",), attributes=TRANSACTIONAL, producer=(producer_id, 0, 0))
    log.append_as_leader(begun, 0)
    fill(log, 12)
    log.append_as_leader(marker(producer_id, commit=False), 0, COORDINATOR)


def stopped() -> tuple[Bench, list[str], dict[str, bytes]]:
    bench = Bench(replace(SMALL))
    log = bench.open()
    abort_across_segments(log, 7)
    fill(log, 12)
    abort_across_segments(log, 8)
    log.close()
    names = bench.names(".txnindex")
    return bench, names, {name: bench.contents(name) for name in names}


def spoiled(contents: bytes, how: str) -> bytes:
    match how:
        case "version":
            return b"\x00\x09" + contents[2:]
        case "torn":
            return contents[:-5]
        case "zeros":
            return bytes(len(contents))
        case _:
            return contents + contents[:ENTRY_SIZE]


@pytest.mark.parametrize("how", ["version", "torn", "zeros", "goes back"])
@pytest.mark.parametrize("remembered", [CLEAN, Remembered(recovery_point=10_000)])
def test_a_wrong_index_is_made_anew_byte_for_byte(how, remembered):
    bench, names, right = stopped()
    assert len(names) == 2
    for name in names:
        bench.overwrite(name, spoiled(right[name], how))
    log = bench.open(remembered)
    assert {name: bench.contents(name) for name in names} == right
    log.high_watermark = log.log_end_offset
    aborted = log.read(0, 10, Isolation.COMMITTED).aborted_transactions
    assert aborted is not None
    assert [entry.producer_id for entry in aborted] == [7]


def test_without_snapshots_the_log_is_read_from_its_start():
    bench, names, right = stopped()
    for name in bench.names(".snapshot"):
        bench.overwrite(name, b"torn")
    bench.overwrite(names[-1], b"torn")
    bench.open()
    assert bench.contents(names[-1]) == right[names[-1]]


def test_sound_indexes_are_left_alone():
    bench, names, right = stopped()
    log = bench.open()
    assert mend_transaction_indexes(log.state, names) == []
    assert {name: bench.contents(name) for name in names} == right


@pytest.mark.parametrize("kind", [".index", ".timeindex"])
def test_a_wrong_offset_or_time_index_is_made_anew_by_its_first_reader(kind):
    bench, _, _ = stopped()
    right = {name: bench.contents(name) for name in bench.names(kind)[:-1]}
    for name in right:
        bench.overwrite(name, b"\xff" * 13)
    log = bench.open()
    for offset in range(log.log_end_offset):
        assert log.read(offset, 1).base_offset == offset
        log.offset_for_timestamp(1_000 + offset)
    assert {name: bench.contents(name) for name in right} == right


@pytest.mark.parametrize("count", [0, 1, 5, 30])
def test_the_end_of_a_sound_log_is_the_one_that_the_headers_tell(count):
    bench = Bench()
    log = bench.open()
    fill(log, count)
    log.close()
    segment = bench.open(CLEAN).segments.active
    assert sound_end(segment) == segment.next_offset() == count


def test_an_index_that_leads_astray_is_made_anew_before_the_end_is_reported():
    bench = Bench(replace(SMALL, segment_bytes=5_000))
    log = bench.open()
    fill(log, 30)
    log.close()
    (name,) = bench.names(".index")
    entries = bytearray(bench.contents(name))
    entries[-1] ^= 1  # the position
    bench.overwrite(name, bytes(entries))
    log = bench.open(CLEAN)
    assert log.log_end_offset == 30
    assert log.report is not None
    assert log.report.rebuilt_files == 1


@pytest.mark.parametrize("byte", [9, 16, 26, -1])
def test_a_tail_that_is_not_sound_has_no_end(byte):
    bench = Bench()
    log = bench.open()
    fill(log, 30)
    log.close()
    name = bench.names(".log")[-1]
    contents = bytearray(bench.contents(name))
    size = len(batch(0, (b"value",)))
    contents[len(contents) - size + byte % size] ^= 0x40
    bench.overwrite(name, bytes(contents))
    assert bench.open(CLEAN).log_end_offset == 29
