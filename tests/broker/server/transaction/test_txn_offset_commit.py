"""TxnOffsetCommit through its handler."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.broker.server.transaction.txn_offset_commit import handle
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
)
from moldau.protocol.records.control import EndMarker
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit_pending
from tests.broker.server.asking import call_of
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, Loading, result_of


def coordinator(code: int | Exception, asked: list[Any]) -> Any:
    """A transaction coordinator that says the same to every question, or raises it."""

    async def ask(key: str, request: AddPartitionsToTxnRequest, **how: Any) -> Any:
        asked.append((key, request.transactions[0].verify_only))
        if isinstance(code, Exception):
            raise code
        topic = AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult(
            name=OFFSETS_TOPIC,
            results_by_partition=[
                AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult(
                    partition_index=0, partition_error_code=code
                )
            ],
        )
        result = AddPartitionsToTxnResponse.AddPartitionsToTxnResult(
            transactional_id=key, topic_results=[topic]
        )
        return AddPartitionsToTxnResponse(
            throttle_time_ms=0, error_code=0, results_by_transaction=[result],
            results_by_topic_v3_and_below=[],
        )  # fmt: skip

    return SimpleNamespace(ask=ask)


def codes_in(answer) -> list[int]:
    return [one.error_code for topic in answer.topics for one in topic.partitions]


def commit_with(code: int | Exception, version: int = 5, request=None, forbids=()):
    """The codes that a client gets, what was asked, and what counts after the commit."""

    async def scenario(one: DataBroker):
        asked: list[Any] = []
        one.broker.transactions = coordinator(code, asked)
        one.broker.authorizer = Forbids(*forbids)
        answer = await one.ask(request or commit_pending(7).request, version)
        shard = one.broker.groups.running(0).shard
        before = dict(shard.groups.offsets.of_group("g"))
        if codes_in(answer) == [0]:
            await one.broker.groups.complete_transaction(0, 9, 0, EndMarker(True, 0))
        after = shard.groups.offsets.of_group("g")
        return codes_in(answer), asked, len(before), len(after)

    return result_of(scenario)


def test_an_offset_counts_when_its_transaction_commits():
    assert commit_with(0) == ([0], [("x", False)], 0, 1)


def test_older_clients_have_their_transaction_verified():
    assert commit_with(0, version=4) == ([0], [("x", True)], 0, 1)


@pytest.mark.parametrize(
    ("answered", "version", "code"),
    [
        (ErrorCode.TRANSACTION_ABORTABLE, 5, ErrorCode.TRANSACTION_ABORTABLE),
        (ErrorCode.TRANSACTION_ABORTABLE, 3, ErrorCode.INVALID_TXN_STATE),
        (ErrorCode.COORDINATOR_NOT_AVAILABLE, 5, ErrorCode.COORDINATOR_NOT_AVAILABLE),
        (ErrorCode.INVALID_PRODUCER_EPOCH, 5, ErrorCode.INVALID_PRODUCER_EPOCH),
        (ErrorCode.PRODUCER_FENCED, 5, ErrorCode.INVALID_PRODUCER_EPOCH),
        (ErrorCode.NOT_COORDINATOR, 5, ErrorCode.NOT_COORDINATOR),
        (ErrorCode.NOT_COORDINATOR, 3, ErrorCode.NOT_COORDINATOR),
        (ErrorCode.CONCURRENT_TRANSACTIONS, 3, ErrorCode.CONCURRENT_TRANSACTIONS),
        (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, 5, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
        (ErrorCode.COORDINATOR_LOAD_IN_PROGRESS, 1, ErrorCode.COORDINATOR_NOT_AVAILABLE),
        (TimeoutError(), 5, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
    ],
)
def test_what_the_transactions_coordinator_refuses_is_refused(answered, version, code):
    codes, _, _, after = commit_with(answered, version)
    assert (codes, after) == ([code], 0)


def test_unknown_and_forbidden_topics_are_refused_alone():
    assert commit_with(0, forbids=["t"])[0] == [ErrorCode.TOPIC_AUTHORIZATION_FAILED]
    request = commit_pending(7).request
    request.topics[0].name = "gone"  # type: ignore[attr-defined]
    assert commit_with(0, request=request)[0] == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


def test_a_topic_that_is_named_twice_is_answered_once():
    async def scenario(one: DataBroker):
        request: Any = commit_pending(7).request
        request.topics = [request.topics[0]] * 2
        request.topics[0].name = "gone"
        return await one.ask(request, 5)

    (topic,) = result_of(scenario).topics
    assert len(topic.partitions) == 2


@pytest.mark.parametrize("group", ["g", ""])
def test_where_nothing_is_refused_before_each_topic_is_answered_as_it_is_listed(group):
    async def scenario(one: DataBroker):
        one.broker.transactions = coordinator(0, [])
        request: Any = commit_pending(7, group=group).request
        request.topics = [request.topics[0]] * 2
        return await one.ask(request, 5)

    assert [len(topic.partitions) for topic in result_of(scenario).topics] == [1, 1]


def test_a_group_needs_a_name():
    request = commit_pending(7, group="").request
    assert commit_with(0, request=request)[0] == [ErrorCode.INVALID_GROUP_ID]


def test_a_forbidden_transactional_id_is_refused_as_a_whole():
    async def scenario(one: DataBroker):
        one.broker.authorizer = Forbids("x")
        with pytest.raises(KafkaError) as caught:
            await handle(call_of(commit_pending(7).request, 5), one.broker)
        return caught.value.code

    assert result_of(scenario) == ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED


def test_the_oldest_clients_never_see_that_a_coordinator_is_loading():
    async def scenario(one: DataBroker):
        one.broker.groups = Loading()
        return [codes_in(await one.ask(commit_pending(7).request, version)) for version in (1, 2)]

    loading, unavailable = (
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
    )
    assert result_of(scenario) == [[unavailable], [loading]]
