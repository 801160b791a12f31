"""WriteTxnMarkers: append where a transaction ends, to every partition that took part in it.

Transaction coordinators ask this of partition leaders. Each marker is a control batch of its own,
and counts when it is replicated. In `__consumer_offsets` it also settles the offsets that were
committed within the transaction, so the group coordinator writes it there.

Versions 1-2; 2 has the transaction's version, from which on a marker's epoch must be above the
producer's (KIP-1228). Deviations: none.
"""

from __future__ import annotations

from functools import partial

from moldau.broker.runtime.together import together
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.slices import Pace, each
from moldau.broker.server.transaction.markers import Marker, write_marker
from moldau.errors import KafkaError
from moldau.protocol.messages.transaction.write_txn_markers import (
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

MarkerAnswer = WriteTxnMarkersResponse.WritableTxnMarkerResult
TopicAnswer = MarkerAnswer.WritableTxnMarkerTopicResult
PartitionAnswer = TopicAnswer.WritableTxnMarkerPartitionResult
Asked = WriteTxnMarkersRequest.WritableTxnMarker
Numbered = tuple[int, Asked]
"""A marker and its place in the request."""


async def handle(call: Call[WriteTxnMarkersRequest], broker: Broker) -> WriteTxnMarkersResponse:
    request = call.request
    _check(call, broker)
    by_producer: dict[int, list[Numbered]] = {}
    for number, asked in enumerate(asked for asked in request.markers if asked.topics):
        by_producer.setdefault(asked.producer_id, []).append((number, asked))
    write = partial(_write_in_order, broker)
    written = await together(broker.tasks, "marker", write, list(by_producer.values()))
    answers = dict(answer for of_producer in written for answer in of_producer)
    return WriteTxnMarkersResponse(markers=[answers[number] for number in sorted(answers)])


async def _write_in_order(
    broker: Broker, markers: list[Numbered]
) -> list[tuple[int, MarkerAnswer]]:
    """Those of one producer: a later epoch would fence the marker of an earlier one."""
    return [(number, await _write(broker, asked)) for number, asked in markers]


def _check(call: Call, broker: Broker) -> None:
    allows = broker.authorizer.allows
    if not (
        allows(call, Operation.CLUSTER_ACTION, Resource.CLUSTER, CLUSTER_NAME)
        or allows(call, Operation.ALTER, Resource.CLUSTER, CLUSTER_NAME)
    ):
        raise KafkaError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)


async def _write(broker: Broker, asked: Asked) -> MarkerAnswer:
    marker = Marker(
        producer_id=asked.producer_id,
        producer_epoch=asked.producer_epoch,
        is_commit=asked.transaction_result,
        coordinator_epoch=asked.coordinator_epoch,
        transaction_version=asked.transaction_version,
    )
    names = [(topic.name, index) for topic in asked.topics for index in topic.partition_indexes]
    codes = await write_marker(broker, marker, names)

    def answer(topic: str, index: int) -> PartitionAnswer:
        return PartitionAnswer(partition_index=index, error_code=codes[topic, index])

    pace = Pace(broker)
    topics = []
    for topic in asked.topics:
        answers = await pace.run(each(partial(answer, topic.name), topic.partition_indexes))
        topics.append(TopicAnswer(name=topic.name, partitions=answers))
    return MarkerAnswer(producer_id=asked.producer_id, topics=topics)
