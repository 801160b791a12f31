"""Producers come, come again, and come instead of others."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.transaction.transaction import LAST_EPOCH, UNLIMITED_MS
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import FIRST_ID, Stage

TWO_PHASE = {"transaction_two_phase_commit_enable": True}


def test_a_new_id_starts_with_epoch_0_and_its_own_producer_id():
    stage = Stage()
    assert stage.init("a") == (FIRST_ID, 0)
    assert stage.init("b") == (FIRST_ID + 1, 0)
    assert stage.transaction("a").previous_producer_id == FIRST_ID


def test_the_next_producer_fences_the_one_before():
    stage = Stage()
    old = stage.init()
    new = stage.init()
    assert new == (old[0], 1)
    assert stage.code_of(stage.add, old) == ErrorCode.PRODUCER_FENCED
    assert stage.add(new) == [0]


def test_a_producer_that_says_who_it_was_goes_on_with_the_next_epoch():
    stage = Stage()
    who = stage.init()
    after = stage.init(had=who)
    assert after == (who[0], 1)
    assert stage.init(had=who) == after, "asked again, it gets the same"
    assert stage.init(had=after) == (who[0], 2)


def test_a_retry_is_not_recognised_once_another_came():
    stage = Stage()
    who = stage.init()
    stage.init(had=who)
    stage.init()
    assert stage.code_of(stage.init, had=who) == ErrorCode.PRODUCER_FENCED


def test_a_stranger_is_fenced():
    stage = Stage()
    who = stage.init()
    assert stage.code_of(stage.init, had=(who[0] + 1, 0)) == ErrorCode.PRODUCER_FENCED
    assert stage.code_of(stage.init, had=(who[0], 5)) == ErrorCode.PRODUCER_FENCED


def test_an_open_transaction_is_aborted_before_another_may_begin():
    stage = Stage()
    old = stage.init()
    stage.add(old)
    assert stage.code_of(stage.init) == ErrorCode.CONCURRENT_TRANSACTIONS
    assert stage.state() == "PrepareAbort"
    assert stage.code_of(stage.init) == ErrorCode.CONCURRENT_TRANSACTIONS
    stage.finish()
    assert stage.init() == (old[0], 2), "the epoch that fenced was given to no producer"


def test_the_zombie_cannot_commit_what_was_aborted_for_its_successor():
    stage = Stage()
    old = stage.init()
    stage.add(old)
    stage.code_of(stage.init)
    assert stage.code_of(stage.end, old) == ErrorCode.CONCURRENT_TRANSACTIONS
    stage.finish()
    assert stage.code_of(stage.end, old) == ErrorCode.INVALID_TXN_STATE
    stage.init()
    assert stage.code_of(stage.end, old) == ErrorCode.PRODUCER_FENCED


@pytest.mark.parametrize("version", [0, 1, 2])
def test_fencing_takes_one_epoch_in_every_version(version):
    stage = Stage(version)
    old = stage.init()
    stage.add(old)
    stage.code_of(stage.init)
    assert stage.transaction().producer_epoch == old[1] + 1
    assert stage.effects[0].producer_epoch == old[1] + 1
    stage.finish()
    assert stage.transaction().producer_epoch == old[1] + 1


def test_used_up_epochs_give_another_producer_id():
    stage = Stage()
    who = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    assert stage.init() == (who[0] + 1, 0)


def test_a_retry_over_the_change_of_producer_id_is_recognised():
    stage = Stage()
    who = stage.init()
    stage.put(producer_epoch=LAST_EPOCH)
    after = stage.init(had=(who[0], LAST_EPOCH))
    assert stage.init(had=(who[0], LAST_EPOCH)) == after == (who[0] + 1, 0)


def test_the_epochs_never_overflow_by_fencing():
    stage = Stage()
    who = stage.init()
    stage.add(who)
    stage.put(producer_epoch=LAST_EPOCH)
    stage.code_of(stage.init)
    assert stage.effects[0].producer_epoch == LAST_EPOCH + 1
    stage.finish()
    assert (stage.transaction().producer_id, stage.transaction().producer_epoch) == (who[0] + 1, 0)


def test_before_kip_890_fencing_may_use_the_highest_epoch_and_the_next_client_gets_another_id():
    stage = Stage(version=1)
    who = stage.init()
    stage.add_as_client(who)
    stage.put(producer_epoch=LAST_EPOCH)
    stage.code_of(stage.init)
    stage.finish()
    assert stage.transaction().producer_epoch == LAST_EPOCH + 1
    assert stage.init() == (who[0] + 1, 0)


@pytest.mark.parametrize("timeout_ms", [0, -1, 900_001])
def test_a_timeout_out_of_bounds_is_refused(timeout_ms):
    stage = Stage()
    code = stage.code_of(stage.init, timeout_ms=timeout_ms)
    assert code == ErrorCode.INVALID_TRANSACTION_TIMEOUT
    assert not stage.log


def test_without_producer_ids_the_client_comes_again():
    stage = Stage()
    stage.next_id = None
    assert stage.code_of(stage.init) == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS


# Two-phase commit.


def test_two_phase_commit_is_only_for_clusters_that_switched_it_on():
    stage = Stage()
    for wish in ({"enable2_pc": True}, {"keep_prepared_txn": True}):
        code = stage.code_of(stage.init, **wish)
        assert code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED


def test_a_two_phase_transaction_has_no_timeout():
    stage = Stage(**TWO_PHASE)
    stage.init(enable2_pc=True)
    assert stage.transaction().timeout_ms == UNLIMITED_MS


def test_without_an_open_transaction_there_is_nothing_to_keep():
    stage = Stage(**TWO_PHASE)
    stage.init(enable2_pc=True, keep_prepared_txn=True)
    assert stage.answer.ongoing_txn_producer_id == -1
    assert stage.answer.ongoing_txn_producer_epoch == -1


def kept(stage, **changes):
    """A transaction that was prepared by one client and taken over by another."""
    writer = stage.init(enable2_pc=True)
    stage.add(writer, 0, 1)
    if changes:
        stage.put(**changes)
        writer = (writer[0], changes["producer_epoch"])
    return writer, stage.init(enable2_pc=True, keep_prepared_txn=True)


def test_a_prepared_transaction_is_kept_and_named():
    stage = Stage(**TWO_PHASE)
    writer, client = kept(stage)
    answer = stage.answer
    assert (answer.ongoing_txn_producer_id, answer.ongoing_txn_producer_epoch) == writer
    assert client == (writer[0], writer[1] + 1)
    assert stage.state() == "Ongoing"


@pytest.mark.parametrize("commit", [True, False])
def test_the_one_that_took_over_ends_the_prepared_transaction(commit):
    stage = Stage(**TWO_PHASE)
    writer, client = kept(stage)
    assert stage.code_of(stage.end, writer) == ErrorCode.PRODUCER_FENCED
    after = stage.end(client, commit=commit)
    assert after == (client[0], client[1] + 1)
    [markers] = stage.effects
    assert (markers.producer_id, markers.producer_epoch) == after
    assert markers.is_commit is commit
    stage.finish()
    assert stage.end(client, commit=commit) == after, "asked again, it gets the same"
    assert stage.add(after) == [0]


def test_taking_over_twice_fences_who_took_over_first():
    stage = Stage(**TWO_PHASE)
    _, first = kept(stage)
    second = stage.init(enable2_pc=True, keep_prepared_txn=True)
    assert second == (first[0], first[1] + 1)
    assert stage.code_of(stage.end, first) == ErrorCode.PRODUCER_FENCED
    stage.end(second)


def test_a_prepared_transaction_survives_the_coordinator():
    stage = Stage(**TWO_PHASE)
    writer, client = kept(stage)
    stage.reload()
    assert stage.transaction().is_kept
    assert stage.end(client) == (writer[0], client[1] + 1)


def test_a_prepared_transaction_takes_no_more_partitions():
    stage = Stage(**TWO_PHASE)
    writer, client = kept(stage)
    assert stage.code_of(stage.add, client, 2) == ErrorCode.INVALID_TXN_STATE
    assert stage.code_of(stage.add, writer, 2) == ErrorCode.PRODUCER_FENCED


def test_a_prepared_transaction_of_a_used_up_id_ends_under_that_id():
    stage = Stage(**TWO_PHASE)
    writer, client = kept(stage, producer_epoch=LAST_EPOCH)
    assert client == (writer[0] + 1, 0)
    after = stage.end(client)
    assert after == (writer[0] + 1, 1)
    [markers] = stage.effects
    assert (markers.producer_id, markers.producer_epoch) == (writer[0], LAST_EPOCH + 1)
    stage.finish()
    assert stage.transaction().client == after
    assert stage.end(client) == after


def test_who_does_not_keep_a_prepared_transaction_aborts_it():
    stage = Stage(**TWO_PHASE)
    writer, client = kept(stage)
    assert stage.code_of(stage.init, enable2_pc=True) == ErrorCode.CONCURRENT_TRANSACTIONS
    assert stage.effects[0].producer_epoch > client[1]
    stage.finish()
    assert stage.init(enable2_pc=True)[1] > client[1] + 1
    assert writer[0] == client[0]
