"""What the parts of a log share, and when it fails."""

from __future__ import annotations

from tests.broker.log.batches import batch
from tests.broker.log.logs import Bench

TRANSACTIONAL = 0x10


def test_the_stable_offset_stops_at_the_first_open_transaction():
    log = Bench().open()
    log.append_as_leader(batch(0, (b"a",)), 0)
    log.append_as_leader(batch(0, (b"b",), attributes=TRANSACTIONAL, producer=(1, 0, 0)), 0)
    log.append_as_leader(batch(0, (b"c",)), 0)
    assert (log.first_unstable_offset, log.last_stable_offset) == (1, 0)
    log.high_watermark = 3
    assert log.last_stable_offset == 1


def test_the_stable_offset_never_lies_below_the_start():
    log = Bench().open()
    log.append_as_leader(batch(0, (b"b",), attributes=TRANSACTIONAL, producer=(1, 0, 0)), 0)
    log.append_as_leader(batch(0, (b"c",)), 0)
    log.high_watermark = 2
    log.advance_start_offset(1)
    assert (log.first_unstable_offset, log.last_stable_offset) == (1, 1)


def test_names_are_synced_once_asked():
    log = Bench().open()
    log.state.name_changes += 1
    log.state.sync_names()
    assert log.state.names_synced
