"""Looking up offsets by time."""

from __future__ import annotations

from moldau.broker.log.timestamps import FoundOffset
from moldau.protocol.records.batch import NO_TIMESTAMP
from tests.broker.log.batches import batch
from tests.broker.log.logs import Bench, fill

BASE = 1_000


def test_the_first_record_that_is_young_enough_is_found():
    log = Bench().open()
    fill(log, 40, epoch=2, timestamp=BASE)
    for wanted in range(BASE - 2, BASE + 42):
        expected = max(wanted, BASE)
        found = log.offset_for_timestamp(wanted)
        if expected < BASE + 40:
            assert found == FoundOffset(expected - BASE, expected, 2)
        else:
            assert found is None


def test_records_within_a_batch_are_distinguished():
    log = Bench().open()
    log.append_as_leader(batch(0, (b"a", b"b", b"c"), timestamps=(10, 30, 20)), 0)
    found = [log.offset_for_timestamp(wanted) for wanted in (10, 11, 30)]
    assert [each and each.offset for each in found] == [0, 1, 1]
    assert log.offset_of_max_timestamp() == FoundOffset(1, 30, 0)


def test_records_below_the_start_are_not_found():
    log = Bench().open()
    fill(log, 10, timestamp=BASE)
    log.high_watermark = 10
    log.advance_start_offset(4)
    found = log.offset_for_timestamp(BASE + 1)
    assert found is not None
    assert found.offset == 4


def test_a_log_without_timestamps_has_no_largest():
    log = Bench().open()
    assert log.offset_of_max_timestamp() is None
    log.append_as_leader(batch(0, (b"a",), NO_TIMESTAMP), 0)
    assert log.offset_of_max_timestamp() is None
    assert log.offset_for_timestamp(0) is None


def test_a_time_index_that_lies_is_rebuilt():
    bench = Bench()
    log = bench.open()
    fill(log, 40, timestamp=BASE)
    log.close()
    for name in bench.names(".timeindex"):
        contents = bytearray(bench.contents(name))
        contents[7:-12:12] = bytes(byte ^ 0x3 for byte in contents[7:-12:12])
        bench.overwrite(name, bytes(contents))
    again = bench.open()
    found = [again.offset_for_timestamp(BASE + number) for number in range(40)]
    assert [each and each.offset for each in found] == list(range(40))
