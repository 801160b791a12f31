"""Commits, aborts, and those that come twice or too late."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.transaction.transaction import LAST_EPOCH
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import Stage

OLD = 4
"""The last EndTxn version without a bump."""
FENCED, WRONG = ErrorCode.PRODUCER_FENCED, ErrorCode.INVALID_TXN_STATE


@pytest.mark.parametrize(("commit", "word"), [(True, "Commit"), (False, "Abort")])
def test_the_decision_is_written_first_and_completed_when_all_markers_are_there(commit, word):
    stage = Stage()
    who = stage.init()
    stage.add(who, 0, 1)
    stage.end(who, commit=commit)
    assert stage.state() == f"Prepare{word}"
    [markers] = stage.effects
    assert markers.is_commit is commit
    assert len(markers.partitions) == 2
    stage.finish()
    assert stage.state() == f"Complete{word}"
    assert not stage.transaction().partitions


def test_every_end_gives_a_new_epoch():
    stage = Stage()
    who = stage.init()
    for epoch in range(1, 5):
        stage.add(who)
        who = stage.end(who, commit=epoch % 2 == 0)
        stage.finish()
        assert who[1] == epoch


def test_an_end_that_was_delayed_does_not_end_the_next_transaction():
    stage = Stage()
    first = stage.init()
    stage.add(first)
    second = stage.end(first)
    stage.finish()
    stage.add(second)
    for commit in (True, False):
        assert stage.code_of(stage.end, first, commit=commit) == FENCED
    assert stage.state() == "Ongoing"


def test_an_end_that_comes_again_gets_the_same():
    stage = Stage()
    who = stage.init()
    stage.add(who)
    after = stage.end(who)
    assert stage.code_of(stage.end, who) == ErrorCode.CONCURRENT_TRANSACTIONS
    stage.finish()
    size = len(stage.log)
    assert stage.end(who) == after
    assert len(stage.log) == size


def outcome(stage, who, commit):
    """The epoch that an end gives, or its error code."""
    code = stage.code_of(stage.end, who, commit=commit)
    return code or stage.transaction().producer_epoch - who[1]


@pytest.mark.parametrize(
    ("before", "commit", "is_retry", "expected"),
    [
        ("empty", False, True, FENCED),
        ("empty", False, False, 1),
        ("empty", True, True, FENCED),
        ("empty", True, False, WRONG),
        ("aborted", False, True, 1),
        ("aborted", False, False, 1),
        ("aborted", True, True, WRONG),
        ("aborted", True, False, WRONG),
        ("committed", False, True, WRONG),
        ("committed", False, False, 1),
        ("committed", True, True, 1),
        ("committed", True, False, WRONG),
    ],
)
def test_without_an_open_transaction_the_table_holds(before, commit, is_retry, expected):
    stage = Stage()
    who = stage.init()
    if before != "empty":
        stage.add(who)
        who = stage.end(who, commit=before == "committed")
        stage.finish()
    producer = (who[0], who[1] - 1) if is_retry else who
    size = len(stage.log)
    assert outcome(stage, producer, commit) == expected
    assert (len(stage.log) > size) is (expected == 1 and not is_retry)


def test_an_abort_of_nothing_is_complete_without_markers():
    stage = Stage()
    who = stage.init()
    after = stage.end(who, commit=False)
    assert stage.effects[0].partitions == ()
    assert stage.transaction().started_ms == stage.now_ms
    stage.finish()
    assert stage.state() == "CompleteAbort"
    assert stage.add(after) == [0]


@pytest.mark.parametrize("commit", [True, False])
def test_the_last_epoch_ends_under_32767_and_goes_on_with_another_producer_id(commit):
    stage = Stage()
    producer_id, _ = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    who = (producer_id, LAST_EPOCH)
    stage.add(who)
    after = stage.end(who, commit=commit)
    assert after == (producer_id + 1, 0)
    [markers] = stage.effects
    assert (markers.producer_id, markers.producer_epoch) == (producer_id, LAST_EPOCH + 1)
    assert stage.code_of(stage.add, after) == ErrorCode.CONCURRENT_TRANSACTIONS
    stage.finish()
    assert stage.end(who, commit=commit) == after, "asked again, it gets the same"
    assert stage.add(after) == [0]
    assert stage.transaction().next_producer_id == -1


def test_a_retry_over_the_change_of_producer_id_survives_the_coordinator():
    stage = Stage()
    producer_id, _ = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    who = (producer_id, LAST_EPOCH)
    stage.add(who)
    after = stage.end(who)
    stage.finish()
    stage.reload()
    assert stage.end(who) == after


def test_the_end_of_the_transaction_after_the_change_is_no_retry_of_the_one_before():
    stage = Stage()
    producer_id, _ = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    who = (producer_id, LAST_EPOCH)
    stage.add(who)
    after = stage.end(who)
    stage.finish()
    stage.add(after)
    assert stage.code_of(stage.end, who) == ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert stage.state() == "Ongoing"


def test_an_abort_at_the_highest_epoch_goes_on_without_a_bump():
    stage = Stage()
    producer_id, _ = stage.init()
    stage.add((producer_id, 0))
    stage.put(producer_epoch=LAST_EPOCH + 1)
    stage.end((producer_id, LAST_EPOCH + 1), commit=False)
    assert stage.effects[0].producer_epoch == LAST_EPOCH + 1
    stage.finish()
    assert stage.transaction().producer_epoch == 0


def test_without_producer_ids_nothing_is_decided():
    stage = Stage()
    producer_id, _ = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    stage.add((producer_id, LAST_EPOCH))
    stage.next_id = None
    code = stage.code_of(stage.end, (producer_id, LAST_EPOCH))
    assert code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    assert stage.state() == "Ongoing"


# Before KIP-890.


def test_old_clients_keep_their_epoch():
    stage = Stage(version=1)
    who = stage.init()
    stage.add_as_client(who)
    assert stage.end(who, version=OLD) == (-1, -1)
    assert stage.effects[0].producer_epoch == who[1]
    stage.finish()
    assert stage.end(who, version=OLD) == (-1, -1), "asked again, it gets the same"
    stage.add_as_client(who)
    assert stage.state() == "Ongoing"


def test_old_clients_cannot_end_what_is_not_open():
    stage = Stage(version=1)
    who = stage.init()
    for commit in (True, False):
        assert stage.code_of(stage.end, who, commit=commit, version=OLD) == WRONG
    stage.add_as_client(who)
    stage.end(who, version=OLD)
    assert stage.code_of(stage.end, who, version=OLD) == ErrorCode.CONCURRENT_TRANSACTIONS
    stage.finish()
    assert stage.code_of(stage.end, who, commit=False, version=OLD) == WRONG


def test_old_strangers_and_zombies_end_nothing():
    stage = Stage(version=1)
    producer_id, epoch = stage.init()
    stage.add_as_client((producer_id, epoch))
    other = stage.code_of(stage.end, (producer_id + 1, epoch), version=OLD)
    assert other == ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert stage.code_of(stage.end, (producer_id, epoch + 1), version=OLD) == FENCED
    assert stage.state() == "Ongoing"


def changed_id():
    """A stage on which a commit has used up a producer id; who it was before, and is now."""
    stage = Stage()
    producer_id, _ = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    stage.add((producer_id, LAST_EPOCH))
    after = stage.end((producer_id, LAST_EPOCH))
    stage.reload()
    stage.finish()
    return stage, producer_id, after


def test_an_older_epoch_of_the_id_before_the_change_is_no_retry():
    stage, producer_id, _ = changed_id()
    code = stage.code_of(stage.end, (producer_id, LAST_EPOCH - 1))
    assert code == ErrorCode.INVALID_PRODUCER_ID_MAPPING


def test_a_client_that_never_saw_the_change_learns_of_it_by_init():
    stage, producer_id, after = changed_id()
    assert stage.code_of(stage.init, had=(producer_id, 0)) == FENCED
    assert stage.init(had=(producer_id, LAST_EPOCH)) == after
