"""Partitions join a transaction, or are found not to be in it."""

from __future__ import annotations

import pytest

from moldau.broker.log.directory.names import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.transaction.stage import Stage, partitions


def test_the_first_partition_opens_the_transaction():
    stage = Stage()
    who = stage.init()
    assert stage.add(who, 0, 3) == [0, 0]
    assert stage.state() == "Ongoing"
    assert stage.transaction().started_ms == stage.now_ms
    assert set(stage.transaction().partitions) == set(partitions("orders", 0, 3))


def test_more_partitions_join_and_the_start_stays():
    stage = Stage()
    who = stage.init()
    stage.add(who, 0)
    started_ms = stage.transaction().started_ms
    stage.add(who, 1)
    assert len(stage.transaction().partitions) == 2
    assert stage.transaction().started_ms == started_ms


def test_what_is_in_already_is_not_written_again():
    stage = Stage()
    who = stage.init()
    stage.add(who, 0, 1)
    size = len(stage.log)
    assert stage.add(who, 1) == [0]
    assert len(stage.log) == size


def test_clients_before_kip_890_add_for_themselves():
    stage = Stage()
    who = stage.init()
    [topic] = stage.add_as_client(who, 4)
    assert (topic.name, topic.results_by_partition[0].partition_index) == ("orders", 4)
    assert stage.transaction().client_version == 0
    stage.add(who, 5)
    assert stage.transaction().client_version == 2


def test_the_offsets_of_a_group_are_a_partition_too():
    stage = Stage()
    who = stage.init()
    assert stage.add_offsets(who, "readers") == 0
    assert list(stage.transaction().partitions) == [TopicPartition("__consumer_offsets", 7)]


def test_strangers_and_zombies_add_nothing():
    stage = Stage()
    producer_id, epoch = stage.init()
    refused = [(producer_id + 1, epoch), (producer_id, epoch - 1), (producer_id, epoch + 1)]
    codes = [stage.code_of(stage.add, who) for who in refused]
    assert codes == [
        ErrorCode.INVALID_PRODUCER_ID_MAPPING,
        ErrorCode.PRODUCER_FENCED,
        ErrorCode.PRODUCER_FENCED,
    ]
    assert stage.state() == "Empty"


def test_nothing_is_added_for_an_id_that_was_not_initialized():
    stage = Stage()
    assert stage.code_of(stage.add, (1, 0)) == ErrorCode.INVALID_PRODUCER_ID_MAPPING


@pytest.mark.parametrize("commit", [True, False])
def test_while_one_transaction_is_ending_the_next_waits_for_every_client(commit):
    stage = Stage()
    who = stage.init()
    stage.add(who)
    after = stage.end(who, commit=commit)
    for producer in (who, after, (1, 1)):
        assert stage.code_of(stage.add, producer) == ErrorCode.CONCURRENT_TRANSACTIONS
    stage.finish()
    assert stage.add(after) == [0]


def test_looking_says_of_each_partition_whether_it_is_in():
    stage = Stage()
    who = stage.init()
    stage.add(who, 0)
    size = len(stage.log)
    codes = stage.add(who, 0, 1, verify_only=True)
    assert codes == [ErrorCode.NONE, ErrorCode.TRANSACTION_ABORTABLE]
    assert len(stage.log) == size


def test_looking_refuses_those_who_may_not_write():
    stage = Stage()
    producer_id, epoch = stage.init()
    stage.add((producer_id, epoch))

    def look(who):
        return stage.code_of(stage.add, who, verify_only=True)

    assert look((producer_id + 1, epoch)) == ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert look((producer_id, epoch - 1)) == ErrorCode.PRODUCER_FENCED
    after = stage.end((producer_id, epoch))
    assert look(after) == ErrorCode.CONCURRENT_TRANSACTIONS
