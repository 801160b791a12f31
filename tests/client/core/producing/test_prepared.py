"""Transactions that one producer prepared and another program ends."""

from __future__ import annotations

import pytest

from moldau.client.core.coordinators import KeyType
from moldau.client.core.producing.prepared import (
    PreparedTransaction,
    end_prepared,
    fence,
    list_open,
)
from moldau.client.errors import FencedError, RefusedError, TransactionError
from moldau.protocol.messages.topic.metadata import MetadataResponse
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdResponse
from moldau.protocol.messages.transaction.list_transactions import ListTransactionsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.conversation import Conversation, context

PREPARED = PreparedTransaction("tx", 7, 2)
Listed = ListTransactionsResponse.TransactionState


def around():
    made = context()
    made.coordinators[KeyType.TRANSACTION, "tx"] = 1
    return made


def ended(code: ErrorCode) -> EndTxnResponse:
    return EndTxnResponse(throttle_time_ms=0, error_code=code)


def listed(*names: str, code: ErrorCode = ErrorCode.NONE) -> ListTransactionsResponse:
    states = [
        Listed(transactional_id=name, producer_id=1, transaction_state="Ongoing") for name in names
    ]
    return ListTransactionsResponse(
        throttle_time_ms=0, error_code=code, unknown_state_filters=[], transaction_states=states
    )


def brokers() -> MetadataResponse:
    row = MetadataResponse.MetadataResponseBroker
    rows = [row(node_id=number, host=f"b{number}", port=9092, rack=None) for number in (1, 2)]
    return MetadataResponse(
        throttle_time_ms=0, brokers=rows, cluster_id="c", controller_id=1, topics=[]
    )


def test_it_is_ended_by_the_name_and_identity_of_who_prepared_it():
    talk = Conversation(end_prepared(around(), PREPARED, 0, commits=True))
    node, request = talk.asked[0]
    assert isinstance(request, EndTxnRequest)
    asked = (request.transactional_id, request.producer_id, request.producer_epoch)
    assert (node, asked, request.committed) == (1, ("tx", 7, 2), True)
    talk.receives(ended(ErrorCode.CONCURRENT_TRANSACTIONS)).rests().receives(ended(ErrorCode.NONE))
    assert talk.is_over


def test_one_that_was_aborted_by_its_timeout_or_a_successor_is_fenced():
    talk = Conversation(end_prepared(around(), PREPARED, 0, commits=True))
    with pytest.raises(FencedError, match=r"transaction \(tx\) was fenced.*timeout.*or as another"):
        talk.receives(ended(ErrorCode.INVALID_PRODUCER_EPOCH))


@pytest.mark.parametrize(
    ("commits", "why"), [(True, "committed.*has aborted it"), (False, "aborted.*has committed it")]
)
def test_one_that_a_program_has_ended_the_other_way_says_so(commits, why):
    talk = Conversation(end_prepared(around(), PREPARED, 0, commits=commits))
    with pytest.raises(TransactionError, match=f"of tx cannot be {why} already"):
        talk.receives(ended(ErrorCode.INVALID_TXN_STATE))


def test_fencing_waits_until_what_was_open_is_aborted():
    talk = Conversation(fence(around(), "tx", 0))
    busy, done = (
        InitProducerIdResponse(throttle_time_ms=0, error_code=code, producer_id=7, producer_epoch=3)
        for code in (ErrorCode.CONCURRENT_TRANSACTIONS, ErrorCode.NONE)
    )
    assert talk.receives(busy).rests().receives(done).is_over


def test_every_broker_is_asked_for_what_is_open_and_again_while_one_is_loading():
    talk = Conversation(list_open(around(), 0))
    talk.receives(brokers())
    talk.receives(listed("b"), listed(code=ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)).rests()
    talk.receives(brokers()).receives(listed("b"), listed("a"))
    assert talk.result == ["a", "b"]
    assert [node for node, _ in talk.asked[-2:]] == [1, 2]


def test_a_refusal_is_raised():
    talk = Conversation(list_open(around(), 0))
    talk.receives(brokers())
    with pytest.raises(RefusedError):
        talk.receives(listed(), listed(code=ErrorCode.UNKNOWN_SERVER_ERROR))
