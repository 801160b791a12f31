"""Dialogues of transactions: what producers do, in the order in which they do it, and out of it."""

from __future__ import annotations

from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.describe_producers import DescribeProducersRequest
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest
from moldau.protocol.messages.transaction.init_producer_id import InitProducerIdRequest
from moldau.protocol.messages.transaction.list_transactions import ListTransactionsRequest
from tests.interop.differential.dialogues import Dialogue, Step, known

TIMEOUT_MS = 60_000


def init(name, producer=-1, epoch=-1, timeout=TIMEOUT_MS):
    return InitProducerIdRequest(
        transactional_id=name,
        transaction_timeout_ms=timeout,
        producer_id=producer,
        producer_epoch=epoch,
    )


def add(name, producer, epoch, topic="plain"):
    of = AddPartitionsToTxnRequest.AddPartitionsToTxnTopic
    return AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=name,
        v3_and_below_producer_id=producer,
        v3_and_below_producer_epoch=epoch,
        v3_and_below_topics=[of(name=topic, partitions=[0])],
    )


def end(name, producer, epoch, *, commits=True):
    return EndTxnRequest(
        transactional_id=name, producer_id=producer, producer_epoch=epoch, committed=commits
    )


def bookkeeping(version: int) -> Dialogue:
    """What the coordinator says, without a record being written."""
    name = f"bookkeeper-{version}"
    producer = known(f"producer:{name}", -1)
    learn = {f"producer:{name}": lambda answer: answer.producer_id}
    end_version = min(version, 4)
    yield Step(FindCoordinatorRequest(key_type=1, coordinator_keys=[name]), 6)
    yield Step(init("", timeout=TIMEOUT_MS), version)
    yield Step(init(name, timeout=10**9), version)
    yield Step(init(name), version, learn)
    yield Step(end(name, producer, 0), end_version)
    yield Step(add(name, producer, 9), min(version, 3))
    yield Step(add(name, 4711, 0), min(version, 3))
    yield Step(add(name, producer, 0, topic="missing"), min(version, 3))
    yield Step(add(name, producer, 0), min(version, 3))
    yield Step(DescribeTransactionsRequest(transactional_ids=[name, "unknown"]), 0)
    yield Step(
        AddOffsetsToTxnRequest(
            transactional_id=name, producer_id=producer, producer_epoch=0, group_id="readers"
        ),
        min(version, 3),
    )
    yield Step(end(name, producer, 5), end_version)
    yield Step(end(name, producer, 0, commits=False), end_version)
    yield Step(init(name), version)
    yield Step(init(name, producer, 1) if version >= 3 else init(name), version)
    yield Step(end(name, producer, 0), end_version)
    yield Step(ListTransactionsRequest(state_filters=["Ongoing"], producer_id_filters=[]), 0)


def idempotent(version: int) -> Dialogue:
    yield Step(init(None, timeout=1000), version)
    yield Step(init(None, timeout=0), version)
    yield Step(DescribeProducersRequest(topics=[]), 0)


def transaction_dialogues() -> list[Dialogue]:
    return [
        *(bookkeeping(version) for version in range(6)),
        *(idempotent(version) for version in range(6)),
    ]
