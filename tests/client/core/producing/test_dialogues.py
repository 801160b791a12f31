"""What a producer asks coordinators."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.coordinators import KeyType
from moldau.client.core.group_member import Membership
from moldau.client.core.producing.batch import Identity
from moldau.client.core.producing.dialogues import (
    add_partitions,
    commit_in_transaction,
    end_transaction,
    identify,
)
from moldau.client.errors import RefusedError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnResponse
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnResponse
from moldau.protocol.messages.transaction.end_txn import EndTxnResponse
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdResponse
from moldau.protocol.messages.transaction.txn_offset_commit import TxnOffsetCommitResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.conversation import Conversation, context
from tests.client.core.producing.made import settings_of

ME = Identity(7, 2)
KEPT = CommittedOffset(12, 3, "note")
PARTS = [TopicPartition("t", 0), TopicPartition("t", 1), TopicPartition("u", 0)]
AddedTopic = AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult
AddedRow = AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult
CommittedTopic = TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic


def around():
    made = context()
    made.coordinators[KeyType.TRANSACTION, "tx"] = 1
    made.coordinators[KeyType.GROUP, "g"] = 2
    return made


def asked(talk: Conversation[Any], index: int = 0) -> tuple[int | None, Any]:
    return talk.asked[index]


def named(code: ErrorCode = ErrorCode.NONE) -> InitProducerIdResponse:
    return InitProducerIdResponse(
        throttle_time_ms=0, error_code=code, producer_id=9, producer_epoch=4
    )


def test_without_a_name_any_broker_gives_an_id():
    talk = Conversation(identify(around(), settings_of(), Identity(), 0))
    node, request = asked(talk)
    assert (node, request.transactional_id) == (None, None)
    assert talk.receives(named()).result == Identity(9, 4)


def test_an_id_is_asked_for_again_where_that_may_help():
    talk = Conversation(identify(around(), settings_of(), Identity(), 0))
    talk.receives(named(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)).rests()
    with pytest.raises(RefusedError, match="UNKNOWN_SERVER_ERROR"):
        talk.receives(named(ErrorCode.UNKNOWN_SERVER_ERROR))


def test_a_name_has_a_coordinator_who_is_shown_the_present_epoch():
    settings = settings_of(transactional_id="tx", transaction_timeout_ms="5000")
    talk = Conversation(identify(around(), settings, ME, 0))
    node, request = asked(talk)
    assert (node, request.producer_epoch, request.transaction_timeout_ms) == (1, 2, 5000)
    assert talk.receives(named()).result == Identity(9, 4)


def test_partitions_are_added_by_topic_and_an_error_of_one_counts_for_all():
    talk = Conversation(add_partitions(around(), "tx", ME, PARTS, 0))
    topics = asked(talk)[1].v3_and_below_topics
    assert {topic.name: topic.partitions for topic in topics} == {"t": [0, 1], "u": [0]}
    codes = (ErrorCode.OPERATION_NOT_ATTEMPTED, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    rows = [
        AddedRow(partition_index=index, partition_error_code=code)
        for index, code in enumerate(codes)
    ]
    topics = [AddedTopic(name="t", results_by_partition=rows)]
    answer = AddPartitionsToTxnResponse(throttle_time_ms=0, results_by_topic_v3_and_below=topics)
    talk.receives(answer).rests()
    answer.results_by_topic_v3_and_below = []
    assert talk.receives(answer).is_over


@pytest.mark.parametrize(("new_id", "after"), [(-1, ME), (8, Identity(8, 3))])
def test_the_end_of_a_transaction_may_bring_another_identity(new_id, after):
    talk = Conversation(end_transaction(around(), "tx", ME, 0, commits=True))
    assert asked(talk)[1].committed
    answer = EndTxnResponse(
        throttle_time_ms=0, error_code=0, producer_id=new_id, producer_epoch=after.epoch
    )
    assert talk.receives(answer).result == after


def test_offsets_go_to_both_coordinators_with_the_name_of_the_member():
    member = Membership("g", 5, "m-1", None)
    talk = Conversation(commit_in_transaction(around(), "tx", ME, member, {PARTS[0]: KEPT}, 0))
    talk.receives(AddOffsetsToTxnResponse(throttle_time_ms=0, error_code=0))
    node, request = asked(talk, 1)
    assert (node, request.generation_id, request.member_id) == (2, 5, "m-1")
    (kept,) = request.topics[0].partitions
    assert (kept.committed_offset, kept.committed_leader_epoch, kept.committed_metadata) == KEPT
    row = CommittedTopic.TxnOffsetCommitResponsePartition(
        partition_index=0, error_code=ErrorCode.ILLEGAL_GENERATION
    )
    answer = TxnOffsetCommitResponse(
        throttle_time_ms=0, topics=[CommittedTopic(name="t", partitions=[row])]
    )
    with pytest.raises(RefusedError, match="ILLEGAL_GENERATION"):
        talk.receives(answer)
