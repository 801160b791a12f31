"""Dialogues of producers with records: sequences and epochs, and transactions from end to end."""

from __future__ import annotations

import time

from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.group.offset_fetch import OffsetFetchRequest
from moldau.protocol.messages.transaction.add_offsets_to_txn import AddOffsetsToTxnRequest
from moldau.protocol.messages.transaction.add_partitions_to_txn import AddPartitionsToTxnRequest
from moldau.protocol.messages.transaction.describe_producers import DescribeProducersRequest
from moldau.protocol.messages.transaction.describe_transactions import DescribeTransactionsRequest
from moldau.protocol.messages.transaction.txn_offset_commit import TxnOffsetCommitRequest
from tests.interop.differential.aliases import Made
from tests.interop.differential.dialogues import Dialogue, Step, known
from tests.interop.differential.transaction_dialogues import end, init
from tests.interop.differential.values import batch

TOPIC = "many"
STRANGER = 987_654
STARTED_MS = int(time.time() * 1000)
"""One moment for both sides; producers whose last record is old are forgotten."""
SEQUENCE_LAST = 2**31 - 1
NEW_TRANSACTIONS = 12
"""Produce versions whose clients leave it to the broker to add partitions."""


def produce(records, *, name=None, partition=0, acks=-1):
    data = ProduceRequest.TopicProduceData
    part = data.PartitionProduceData(index=partition, records=records)
    return ProduceRequest(
        transactional_id=name,
        acks=acks,
        timeout_ms=5000,
        topic_data=[data(name=TOPIC, partition_data=[part])],
    )


def sequenced(producer, sequence, *, epoch=0, count=1, **fields):
    """A batch of the producer that this side knows under the name."""

    def make(side):
        return batch(
            count=count,
            timestamp=STARTED_MS,
            producer_id=side.ids[producer] if isinstance(producer, str) else producer,
            producer_epoch=side.ids[epoch] if isinstance(epoch, str) else epoch,
            base_sequence=sequence,
            **fields,
        )

    return Made(make)


def describe_producers(partition):
    of = DescribeProducersRequest.TopicRequest
    return DescribeProducersRequest(topics=[of(name=TOPIC, partition_indexes=[partition])])


def idempotent(version: int) -> Dialogue:
    """Repeats, gaps, old and unknown epochs, strangers: what a partition takes from whom."""
    partition, name = 1, f"sequence:{version}"
    yield Step(init(None, timeout=1000), 4, {name: lambda answer: answer.producer_id})
    for sequence, fields in (
        (1, {}), (0, {"count": 2}), (0, {"count": 2}), (0, {"count": 1}), (1, {}), (3, {}),
        (2, {}), (3, {}), (4, {}), (5, {}), (6, {}), (2, {}), (0, {"count": 2}), (6, {}),
        (5, {"count": 2}), (7, {"count": 3}), (7, {"count": 3}), (-1, {}),
        (0, {"epoch": 1}), (5, {"epoch": 0}), (0, {"epoch": 1}), (3, {"epoch": 3}),
        (0, {"epoch": 3}), (1, {"epoch": 3}), (1, {"epoch": -1}), (SEQUENCE_LAST, {"epoch": 3}),
    ):  # fmt: skip
        yield Step(produce(sequenced(name, sequence, **fields), partition=partition), version)
    yield Step(describe_producers(partition), 0)
    for sequence in (7, 8, 8, 0):
        request = produce(sequenced(STRANGER + version, sequence), partition=partition)
        yield Step(request, version)
    for sequence in (SEQUENCE_LAST, 0, 1, SEQUENCE_LAST):
        request = produce(sequenced(STRANGER * 2 + version, sequence), partition=partition)
        yield Step(request, version)
    yield Step(produce(sequenced(name, 2, epoch=3), partition=partition, acks=1), version)
    yield Step(describe_producers(partition), 0)


def view(isolation):
    of = FetchRequest.FetchTopic
    part = of.FetchPartition(partition=2, fetch_offset=0, partition_max_bytes=1 << 20)
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=0,
        isolation_level=isolation,
        session_epoch=-1,
        topics=[of(topic=TOPIC, partitions=[part])],
    )


def ends(isolation):
    of = ListOffsetsRequest.ListOffsetsTopic
    part = of.ListOffsetsPartition(partition_index=2, timestamp=-1)
    return ListOffsetsRequest(
        replica_id=-1,
        isolation_level=isolation,
        timeout_ms=0,
        topics=[of(name=TOPIC, partitions=[part])],
    )


def looks(name) -> Dialogue:
    """All that can be seen of a transaction from outside."""
    for isolation in (0, 1):
        yield Step(view(isolation), 12)
        yield Step(ends(isolation), 8)
    yield Step(describe_producers(2), 0)
    yield Step(DescribeTransactionsRequest(transactional_ids=[name]), 0)


def add(name, *, epoch=0):
    of = AddPartitionsToTxnRequest.AddPartitionsToTxnTopic
    return AddPartitionsToTxnRequest(
        v3_and_below_transactional_id=name,
        v3_and_below_producer_id=known(f"producer:{name}", -1),
        v3_and_below_producer_epoch=epoch,
        v3_and_below_topics=[of(name=TOPIC, partitions=[2])],
    )


def commit_offset(name, group, *, epoch=0, topic="plain", generation=-1, member=""):
    of = TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic
    part = of.TxnOffsetCommitRequestPartition(
        partition_index=0, committed_offset=5, committed_leader_epoch=0, committed_metadata="m"
    )
    return TxnOffsetCommitRequest(
        transactional_id=name,
        group_id=group,
        producer_id=known(f"producer:{name}", -1),
        producer_epoch=epoch,
        generation_id=generation,
        member_id=member,
        topics=[of(name=topic, partitions=[part])],
    )


def offsets_of(group, *, stable):
    of = OffsetFetchRequest.OffsetFetchRequestGroup
    return OffsetFetchRequest(
        groups=[of(group_id=group, member_id=None, member_epoch=-1, topics=None)],
        require_stable=stable,
    )


def older_transaction(version: int) -> Dialogue:
    """A producer that adds partitions and groups itself, commits, aborts and errs."""
    name, group = f"older-{version}", f"older-group-{version}"
    producer = f"producer:{name}"
    written = {"is_transactional": True}
    yield Step(init(name), 4, {producer: lambda answer: answer.producer_id})
    yield Step(produce(sequenced(producer, 0, **written), name=name, partition=2), version)
    yield Step(add(name), 3)
    yield Step(produce(sequenced(producer, 0, **written), name=name, partition=2), version)
    yield Step(produce(sequenced(producer, 0, **written), name=name, partition=2), version)
    yield Step(produce(sequenced(producer, 5, **written), name=name, partition=2), version)
    yield Step(produce(sequenced(producer, 1), name=None, partition=2), version)
    yield Step(produce(sequenced(producer, 1, epoch=9, **written), name=name, partition=2), version)
    yield from looks(name)
    adding = AddOffsetsToTxnRequest(
        transactional_id=name, producer_id=known(producer, -1), producer_epoch=0, group_id=group
    )
    yield Step(commit_offset(name, group), 3)
    yield Step(adding, 3)
    for epoch, topic, generation in ((0, "plain", -1), (0, "missing", -1), (7, "plain", -1),
                                     (0, "plain", 4)):  # fmt: skip
        request = commit_offset(name, group, epoch=epoch, topic=topic, generation=generation)
        yield Step(request, 3)
    yield Step(offsets_of(group, stable=False), 8)
    yield Step(offsets_of(group, stable=True), 8)
    yield Step(end(name, known(producer, -1), 0), 4)
    yield from looks(name)
    yield Step(offsets_of(group, stable=True), 8)
    yield Step(end(name, known(producer, -1), 0), 4)
    yield Step(add(name), 3)
    yield Step(produce(sequenced(producer, 1, **written), name=name, partition=2), version)
    yield Step(end(name, known(producer, -1), 0, commits=False), 4)
    yield from looks(name)
    yield Step(end(name, known(producer, -1), 0), 4)
    yield Step(init(name), 4, {producer: lambda answer: answer.producer_id})
    yield Step(produce(sequenced(producer, 0, **written), name=name, partition=2), version)
    yield from looks(name)


def newer_transaction(version: int) -> Dialogue:
    """A producer of transactions v2 (KIP-890): every end is a new epoch."""
    name, group = f"newer-{version}", f"newer-group-{version}"
    producer, epoch = f"producer:{name}", f"epoch:{name}"
    learn = {
        producer: lambda answer: answer.producer_id,
        epoch: lambda answer: answer.producer_epoch,
    }
    written = {"is_transactional": True, "epoch": epoch}
    yield Step(init(name), 5, learn)
    for commits in (True, False, True):
        for sequence in (0, 1, 1, 7):
            records = sequenced(producer, sequence, **written)
            yield Step(produce(records, name=name, partition=2), NEW_TRANSACTIONS)
        yield Step(commit_offset(name, group, epoch=known(epoch, 0)), 5)
        yield Step(commit_offset(name, group, epoch=99), 5)
        yield from looks(name)
        yield Step(end(name, known(producer, -1), known(epoch, 0), commits=commits), 5, learn)
        yield from looks(name)
        yield Step(offsets_of(group, stable=True), 8)
    records = sequenced(producer, 0, is_transactional=True, epoch=0)
    yield Step(produce(records, name=name, partition=2), NEW_TRANSACTIONS)
    yield Step(end(name, known(producer, -1), known(epoch, 0), commits=False), 5, learn)
    yield Step(end(name, known(producer, -1), 0), 5)


def producer_dialogues() -> list[Dialogue]:
    return [
        *(idempotent(version) for version in (3, 7, 11)),
        *(older_transaction(version) for version in (3, 9, 11)),
        *(newer_transaction(version) for version in range(2)),
    ]
