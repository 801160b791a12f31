"""WriteTxnMarkers: a marker ends the transaction where it comes in time."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.protocol.messages.transaction.write_txn_markers import WriteTxnMarkersRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.log.batches import batch
from tests.broker.server.data_broker import DataBroker, result_of
from tests.broker.server.hasty_clock import HastyDisk


def markers(
    *, commit: bool = True, epoch: int = 0, topics: tuple[str, ...] = ("topic",), version: int = 0
) -> WriteTxnMarkersRequest:
    cls = WriteTxnMarkersRequest.WritableTxnMarker
    asked = [cls.WritableTxnMarkerTopic(name=name, partition_indexes=[0]) for name in topics]
    marker = cls(
        producer_id=9, producer_epoch=epoch, transaction_result=commit, topics=asked,
        coordinator_epoch=0, transaction_version=version,
    )  # fmt: skip
    return WriteTxnMarkersRequest(markers=[marker])


def after(request: WriteTxnMarkersRequest, version: int = 2) -> Any:
    """Codes by topic, and the last stable offset, of a transaction that was open from 0 on."""

    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        partition = broker.partition("topic")
        partition.log.producers.verify_transactions = False
        partition.append(batch(attributes=0x10, producer=(9, 1, 0)))
        response = await broker.ask(request, version)
        codes = [one.error_code for topic in response.markers[0].topics for one in topic.partitions]
        return codes, partition.last_stable_offset

    return result_of(scenario, request_timeout_ms=1000)


@pytest.mark.parametrize("commit", [True, False])
def test_a_marker_ends_the_transaction(commit):
    assert after(markers(commit=commit, epoch=1), version=1) == ([0], 2)


def test_a_marker_of_an_older_epoch_is_refused():
    assert after(markers(epoch=0)) == ([ErrorCode.INVALID_PRODUCER_EPOCH], 0)


@pytest.mark.parametrize(("epoch", "codes"), [(1, [47]), (2, [0])])
def test_in_transactions_v2_the_epoch_must_be_above_the_producers(epoch, codes):
    assert after(markers(epoch=epoch, version=2))[0] == codes


def test_a_marker_for_no_partition_is_not_answered():
    async def scenario(broker: DataBroker):
        return (await broker.ask(markers(topics=()), 2)).markers

    assert result_of(scenario) == []


def test_each_partition_has_its_own_answer():
    codes, _ = after(markers(epoch=1, topics=("other", "topic")))
    assert codes == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, 0]


def test_markers_of_one_producer_are_written_in_their_order():
    """Also where each look at the clock ends a slice: a later epoch would fence the earlier one."""
    both = markers(epoch=1, topics=("other",) * 5 + ("topic",))
    both.markers += markers(epoch=2).markers

    async def scenario(broker: DataBroker):
        await broker.topic("topic")
        broker.partition("topic").log.producers.verify_transactions = False
        broker.partition("topic").append(batch(attributes=0x10, producer=(9, 1, 0)))
        written = await broker.ask(both, 2)
        return [marker.topics[-1].partitions[0].error_code for marker in written.markers]

    assert result_of(scenario, disk=HastyDisk()) == [0, 0]
