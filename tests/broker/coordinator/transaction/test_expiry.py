"""What time does to transactions and to ids."""

from __future__ import annotations

from moldau.broker.coordinator.transaction.expiry import ENDED_AT_ONCE_MAX, FORGOTTEN_AT_ONCE_MAX
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import TIMEOUT_MS, Stage

LOOK_MS = 10_000
WEEK_MS = 604_800_000
HOUR_MS = 3_600_000


def test_an_overdue_transaction_is_aborted_and_its_producer_fenced():
    stage = Stage()
    who = stage.init()
    stage.add(who)
    stage.pass_time(TIMEOUT_MS)
    assert stage.state() == "Ongoing"
    stage.pass_time(LOOK_MS)
    assert stage.state() == "PrepareAbort"
    assert stage.effects[0].producer_epoch == who[1] + 1
    stage.finish()
    assert stage.code_of(stage.add, who) == ErrorCode.PRODUCER_FENCED


def test_many_overdue_transactions_are_all_aborted():
    stage = Stage()
    names = [f"t{number}" for number in range(2 * ENDED_AT_ONCE_MAX + 1)]
    for name in names:
        stage.add(stage.init(name), name=name)
    stage.pass_time(TIMEOUT_MS + LOOK_MS)
    assert {stage.state(name) for name in names} == {"PrepareAbort"}


def test_two_phase_transactions_are_never_overdue():
    stage = Stage(transaction_two_phase_commit_enable=True)
    who = stage.init(enable2_pc=True)
    stage.add(who)
    stage.pass_time(WEEK_MS * 5)
    assert stage.state() == "Ongoing"


def test_where_producer_ids_are_lacking_it_is_tried_again():
    stage = Stage()
    stage.add(stage.init())
    stage.put(producer_epoch=32766)
    stage.next_id = None
    stage.pass_time(TIMEOUT_MS + LOOK_MS)
    assert stage.state() == "Ongoing"
    stage.next_id = 1
    stage.pass_time(LOOK_MS)
    assert stage.state() == "PrepareAbort"


def test_an_id_that_was_not_used_for_a_week_is_forgotten():
    stage = Stage()
    stage.init()
    stage.pass_time(WEEK_MS - HOUR_MS)
    assert "t" in stage.shard.book.by_id
    stage.pass_time(2 * HOUR_MS)
    assert "t" not in stage.shard.book.by_id
    stage.reload()
    assert not stage.shard.book.by_id
    stage.pass_time(HOUR_MS)
    assert stage.shard.wake_at_ms() is None


def test_an_id_with_an_open_or_ending_transaction_is_not_forgotten():
    stage = Stage(transaction_two_phase_commit_enable=True)
    stage.add(stage.init("open", enable2_pc=True), name="open")
    who = stage.init("ending")
    stage.add(who, name="ending")
    stage.end(who, name="ending")
    stage.pass_time(2 * WEEK_MS)
    assert set(stage.shard.book.by_id) == {"open", "ending"}


def test_many_expired_ids_are_all_forgotten():
    stage = Stage()
    for number in range(FORGOTTEN_AT_ONCE_MAX + 1):
        stage.init(f"t{number}")
    stage.pass_time(WEEK_MS + HOUR_MS)
    assert not stage.shard.book.by_id


def test_a_shard_without_ids_wants_no_waking():
    assert Stage().shard.wake_at_ms() is None
