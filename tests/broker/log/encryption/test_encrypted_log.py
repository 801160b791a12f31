"""A log with `encryption.at.rest`, from the append to the reader, against what was written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.compaction.plan import measure
from moldau.broker.log.compaction.run import Compaction
from moldau.broker.log.encryption_port import KeyUnavailableError
from moldau.broker.log.opening import Remembered
from moldau.broker.log.reading import Isolation
from moldau.broker.log.settings import COMPACT
from moldau.errors import CorruptRecordError
from moldau.platform.simulated.disk_crash import crash_states
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.records.batch import read_header, set_checksum
from moldau.protocol.records.refusals import InvalidBatchError
from tests.broker.log.appending.test_hot import BATCHES, outcome
from tests.broker.log.batches import batch, marker
from tests.broker.log.encryption.encrypted_logs import (
    SECRET,
    EncryptedBench,
    key_line,
    values_of,
)
from tests.broker.log.logs import batches_of

FIRST = "00000000000000000000.log"


def secrets(count: int, start: int = 0) -> list[bytes]:
    return [SECRET + b" %d" % number for number in range(start, start + count)]


def write(log, values, timestamp=1_000):
    for number, value in enumerate(values):
        log.append_as_leader(batch(0, (value,), timestamp + number), 0)


def test_consumers_read_what_was_written_and_the_disk_does_not_have_it():
    bench = EncryptedBench()
    log = bench.open()
    plain = bytes(batch(0, (SECRET, b"b"), 5))
    log.append_as_leader(bytearray(plain), 0)
    log.high_watermark = 2
    [(offset, read)] = batches_of(log, Isolation.HIGH_WATERMARK)
    assert (offset, read) == (0, bytes(batch(0, (SECRET, b"b"), 5, leader_epoch=0)))
    write(log, secrets(40))
    log.close()
    assert SECRET not in bench.on_disk()
    assert values_of(bench.open()) == [SECRET, b"b", *secrets(40)]


def test_a_follower_copies_what_is_on_the_disk_and_needs_no_key():
    leader, follower = EncryptedBench(), EncryptedBench()
    led = leader.open()
    write(led, secrets(40))
    following = follower.open_without_keys()
    for _, stored in batches_of(led):
        following.append_as_follower(stored, 0)
    assert batches_of(following) == batches_of(led)
    following.close()
    led.close()
    assert follower.contents(FIRST) == leader.contents(FIRST)
    assert values_of(follower.open()) == secrets(40)


def test_encryption_begins_and_ends_with_a_segment():
    bench = EncryptedBench()
    log = bench.open()
    off = replace(bench.settings, encryption_at_rest="")
    for number, settings in enumerate((off, bench.settings, off)):
        log.settings = settings
        write(log, secrets(3, 3 * number))
    assert [segment.base_offset for segment in log.segments] == [0, 3, 6]
    assert values_of(log) == secrets(9)
    bench.settings = off
    again = bench.open()
    write(again, secrets(1, 9))
    assert values_of(again) == secrets(10)
    follower = EncryptedBench().open_without_keys()
    follower.append_as_follower(b"".join(stored for _, stored in batches_of(again)), 0)
    assert [segment.base_offset for segment in follower.segments] == [0, 3, 6]
    assert batches_of(follower) == batches_of(again)


def test_another_version_of_the_key_is_used_within_a_second_and_the_old_one_still_reads():
    bench = EncryptedBench()
    log = bench.open()
    write(log, secrets(3))
    bench.set_keys(key_line(1) + key_line(2))
    write(log, secrets(3, 3))
    assert values_of(log) == secrets(6)
    assert [b"orders.2" in stored for _, stored in batches_of(log)] == [False] * 3 + [True] * 3
    log.close()
    bench.set_keys(key_line(2))
    alone = bench.open()
    alone.high_watermark = 6
    assert alone.read(3, 10_000, Isolation.HIGH_WATERMARK).read()
    with pytest.raises(KeyUnavailableError, match=r"has no key 'orders.1'"):
        alone.read(0, 10_000, Isolation.HIGH_WATERMARK).read()


def test_without_the_key_nothing_is_stored_nothing_is_lost_and_one_line_is_logged(caplog):
    bench = EncryptedBench()
    log = bench.open()
    write(log, secrets(3))
    log.close()
    bench.set_keys(key_line(1, "others"))
    without = bench.open()
    for _ in range(3):
        with pytest.raises(KeyUnavailableError):
            write(without, secrets(1, 3))
        with pytest.raises(KeyUnavailableError):
            values_of(without)
    assert without.failure is None
    assert without.log_end_offset == 3
    assert len(caplog.records) == 2  # one for what is written, one for what is read
    bench.set_keys(key_line(1))
    write(without, secrets(1, 3))
    assert values_of(without) == secrets(4)


def test_a_node_without_keys_says_which_setting_it_lacks():
    bench = EncryptedBench()
    log = bench.open()
    write(log, secrets(1))
    log.close()
    without = bench.open_without_keys(Remembered())
    assert without.log_end_offset == 1
    for act in (lambda: write(without, secrets(1)), lambda: values_of(without)):
        with pytest.raises(KeyUnavailableError, match=r"moldau.encryption.at.rest.key.file"):
            act()


def _changed_batches(stored: bytes):
    """The batch with each of its parts changed, and a checksum that is right again."""
    for at in (0, 12, 22, 34, 42, 50, 60, 61, 62, 70, 90, 135, len(stored) - 20, len(stored) - 1):
        wrong = bytearray(stored)
        wrong[at] ^= 1
        set_checksum(wrong, read_header(stored).size)
        yield at, wrong


def test_whatever_is_changed_on_the_disk_is_refused():
    bench = EncryptedBench()
    log = bench.open()
    write(log, secrets(1))
    [(_, stored)] = batches_of(log)
    for at, wrong in _changed_batches(stored):
        with pytest.raises((CorruptRecordError, KeyUnavailableError)):
            bench.keyring().decrypt("topic-0", wrong)
        if at < 61 or at > 133:
            with pytest.raises(CorruptRecordError):
                bench.keyring().decrypt("topic-0", wrong)
    with pytest.raises(CorruptRecordError):
        bench.keyring().decrypt("topic-1", stored)
    assert bench.keyring().decrypt("topic-0", stored)


def test_a_change_on_the_disk_is_answered_as_corrupt_and_the_log_goes_on():
    bench = EncryptedBench()
    log = bench.open()
    write(log, secrets(3))
    log.close()
    stored = bytearray(bench.contents(FIRST))
    stored[read_header(stored).size - 1] ^= 1
    bench.overwrite(FIRST, bytes(stored))
    again = bench.open()
    again.high_watermark = 3
    with pytest.raises(CorruptRecordError, match=r"offset 0 is not as it was"):
        again.read(0, 100, Isolation.HIGH_WATERMARK).read()
    assert again.read(1, 10_000, Isolation.HIGH_WATERMARK).read()
    assert again.failure is None


def test_a_crash_leaves_whole_batches_and_recovery_needs_no_key():
    bench = EncryptedBench()
    log = bench.open()
    write(log, secrets(6))
    log.flush()
    write(log, secrets(6, 6))
    for state in crash_states(bench.files.disk, SeededRandom(3), 25):
        after = EncryptedBench(files=SimulatedFiles(disk=state.disk))
        recovered = after.open_without_keys(Remembered(recovery_point=6))
        assert 6 <= recovered.log_end_offset <= 12
        recovered.close()
        again = after.open(Remembered(clean=True))
        assert values_of(again) == secrets(again.log_end_offset)
        write(again, secrets(1, again.log_end_offset))
        assert values_of(again) == secrets(again.log_end_offset)


def test_transactions_end_and_aborts_are_found_without_a_key():
    bench = EncryptedBench()
    log = bench.open()
    log.append_as_leader(batch(0, (SECRET,), attributes=0x10, producer=(7, 0, 0)), 0)
    log.append_as_leader(marker(7, commit=False), 0, AppendOrigin.COORDINATOR)
    write(log, secrets(1))
    recovered = bench.open_without_keys(Remembered())
    recovered.high_watermark = 3
    found = recovered.read(0, 10_000, Isolation.COMMITTED)
    assert [(one.producer_id, one.first_offset) for one in found.aborted_transactions or ()] == [
        (7, 0)
    ]
    assert recovered.last_stable_offset == 3
    log.high_watermark = 3
    headers = [read_header(one) for _, one in batches_of(log, Isolation.HIGH_WATERMARK)]
    assert [header.is_control for header in headers] == [False, True, False]
    assert not any(header.is_encrypted for header in headers)


def test_a_repeated_batch_gets_its_old_offsets():
    log = EncryptedBench().open()
    first = log.append_as_leader(batch(0, (SECRET,), producer=(7, 0, 0)), 0)
    again = log.append_as_leader(batch(0, (SECRET,), producer=(7, 0, 0)), 0)
    assert again.is_duplicate
    assert again.first_offset == first.first_offset


def test_a_time_leads_to_the_record_inside_a_batch():
    log = EncryptedBench().open()
    write(log, secrets(20), timestamp=1_000)
    found = log.offset_for_timestamp(1_007)
    assert found is not None
    assert (found.offset, found.timestamp) == (7, 1_007)
    latest = log.offset_of_max_timestamp()
    assert latest is not None
    assert latest.offset == 19


def test_a_fetch_that_ends_inside_a_batch_gets_the_whole_ones_before():
    log = EncryptedBench().open()
    write(log, secrets(3))
    sizes = [len(stored) for _, stored in batches_of(log)]
    log.high_watermark = 3
    found = log.read(0, sum(sizes[:2]) + 30, Isolation.HIGH_WATERMARK).read()
    assert list(_base_offsets(found)) == [0, 1]


def _base_offsets(records: bytes):
    while records:
        header = read_header(records)
        yield header.base_offset
        records = records[header.size :]


def test_a_producer_cannot_claim_that_a_broker_has_encrypted_its_batch():
    bench = EncryptedBench()
    bench.settings = replace(bench.settings, encryption_at_rest="")
    log = bench.open()
    forged = batch(0, (b"x",))
    forged[22] |= 0x80
    set_checksum(forged, len(forged))
    with pytest.raises(InvalidBatchError, match="claims that a broker"):
        log.append_as_leader(forged, 0)
    assert log.log_end_offset == 0


def compact(log, now_ms: int = 10_000) -> None:
    log.roll()
    log.high_watermark = log.log_end_offset
    log.flush()
    dirty = measure(log.state, None, now_ms)
    done = Compaction(log.state, dirty, now_ms).run()
    for removal in done.removals:
        removal.remove()


def test_compaction_reads_encrypted_batches_and_encrypts_what_stays_with_the_key_of_today():
    bench = EncryptedBench()
    bench.settings = replace(bench.settings, cleanup_policy=frozenset({COMPACT}))
    log = bench.open()
    write(log, secrets(10))
    bench.set_keys(key_line(1) + key_line(2))
    compact(log)
    assert values_of(log) == secrets(1, 9)
    [(_, stored)] = batches_of(log)
    assert b"orders.2" in stored
    assert SECRET not in bench.on_disk()


def test_compaction_brings_plain_batches_under_encryption_and_back():
    bench = EncryptedBench()
    on = bench.settings = replace(bench.settings, cleanup_policy=frozenset({COMPACT}))
    off = replace(on, encryption_at_rest="")
    log = bench.open()
    for settings, is_found in ((off, True), (on, False), (off, True)):
        log.settings = settings
        write(log, secrets(2))
        compact(log)
        assert values_of(log) == secrets(1, 1)
        assert (SECRET in bench.on_disk()) == is_found


def test_compaction_without_the_key_leaves_the_log_as_it_is():
    bench = EncryptedBench()
    bench.settings = replace(bench.settings, cleanup_policy=frozenset({COMPACT}))
    log = bench.open()
    write(log, secrets(10))
    log.close()
    without = bench.open_without_keys()
    with pytest.raises(KeyUnavailableError):
        compact(without)
    without.close()
    assert values_of(bench.open()) == secrets(10)


@given(st.lists(st.tuples(BATCHES, st.booleans(), st.integers(0, 1)), max_size=25))
def test_the_hot_path_encrypts_as_the_plain_path_does(appends):
    hot_bench, plain_bench = EncryptedBench(), EncryptedBench()
    hot, plain = hot_bench.open(), plain_bench.open()
    for data, damaged, epoch in appends:
        data[-1] ^= damaged
        plain.state.validates_headers_only = False
        assert outcome(hot_bench, hot, data, epoch) == outcome(plain_bench, plain, data, epoch)
    assert values_of(hot) == values_of(plain)
    assert [one.base_offset for one in hot.segments] == [one.base_offset for one in plain.segments]
    assert all(read_header(stored).is_encrypted for _, stored in batches_of(hot))
    assert list(map(repr, hot.producers.active())) == list(map(repr, plain.producers.active()))
