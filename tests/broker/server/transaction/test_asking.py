"""How handlers reach the transaction coordinator."""

from __future__ import annotations

import pytest

from moldau.broker.server.transaction.asking import (
    ask_transaction,
    check_transactional_id,
    known_to,
    may_use,
)
from moldau.errors import KafkaError
from moldau.platform.simulated.tasks import run
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.transaction_broker import Nothing

REQUEST = EndTxnRequest(transactional_id="t", producer_id=1, producer_epoch=0, committed=True)


def test_a_node_without_a_coordinator_says_so():
    async def main(tasks):
        await ask_transaction(call_of(REQUEST, 5), broker_with(), "t", EndTxnResponse)

    with pytest.raises(KafkaError) as refused:
        run(main)
    assert refused.value.code == ErrorCode.COORDINATOR_NOT_AVAILABLE


@pytest.mark.parametrize(("version", "code"), [(1, 47), (2, 90)])
def test_old_clients_are_fenced_in_the_words_that_they_know(version, code):
    error = KafkaError(ErrorCode.PRODUCER_FENCED, "gone")
    assert known_to(call_of(REQUEST, version), error, 2).code == code


def test_other_errors_are_the_same_in_all_versions():
    error = KafkaError(ErrorCode.INVALID_TXN_STATE)
    assert known_to(call_of(REQUEST, 0), error, 2) is error


def test_who_may_not_use_the_id_is_refused():
    broker, call = broker_with(), call_of(REQUEST, 5)
    assert may_use(call, broker, "t")
    check_transactional_id(call, broker, "t")
    broker.authorizer = Nothing()
    with pytest.raises(KafkaError) as refused:
        check_transactional_id(call, broker, "t")
    assert refused.value.code == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
