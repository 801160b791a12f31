"""Markers go to the leaders on other brokers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.server.transaction.markers import Marker
from moldau.broker.server.transaction.other_leaders import OtherLeaders, _Wanted
from moldau.errors import NetworkError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.transaction.write_txn_markers import WriteTxnMarkersResponse
from moldau.protocol.wire.error_codes import ErrorCode

NAMES = [("a", 0), ("a", 1), ("b", 0)]
Result = WriteTxnMarkersResponse.WritableTxnMarkerResult
Topic = Result.WritableTxnMarkerTopicResult
Partition = Topic.WritableTxnMarkerPartitionResult


class Others:
    """Broker 2 says one code for all partitions, and leaves out those of topic `b`."""

    def __init__(self, tasks, code):
        self.asked = []
        self._tasks = tasks
        self._code = code

    async def ask(self, broker_id, request, timeout_ms):
        self.asked.append(request)
        await self._tasks.sleep(1)
        if self._code is None:
            raise NetworkError("broker 2", "reset")
        return WriteTxnMarkersResponse(
            markers=[
                Result(producer_id=marker.producer_id, topics=self._topics(marker))
                for marker in reversed(request.markers)
            ]
        )

    def _topics(self, marker):
        return [
            Topic(
                name=topic.name,
                partitions=[
                    Partition(partition_index=index, error_code=self._code + marker.producer_id)
                    for index in topic.partition_indexes
                ],
            )
            for topic in marker.topics
            if topic.name == "a"
        ]


def marker(producer_id):
    return Marker(producer_id, 4, is_commit=True, coordinator_epoch=9, transaction_version=2)


def write(code, *producer_ids):
    async def main(tasks):
        others = Others(tasks, code)
        settings = SimpleNamespace(request_timeout_ms=1000)
        broker: Any = SimpleNamespace(tasks=tasks, others=others, settings=settings)
        leaders, found = OtherLeaders(broker), {}

        async def one(producer_id):
            found[producer_id] = await leaders.write(2, marker(producer_id), NAMES)

        first = tasks.spawn("the first", one(producer_ids[0]))
        await tasks.sleep(0.1)
        for task in [
            first,
            *(tasks.spawn(f"{one_id}", one(one_id)) for one_id in producer_ids[1:]),
        ]:
            await task
        return others.asked, found

    return simulated_tasks.run(main)


def test_a_marker_says_how_the_transaction_ended_and_who_says_so():
    (request,), _ = write(0, 0)
    (sent,) = request.markers
    assert (sent.producer_id, sent.producer_epoch, sent.transaction_result) == (0, 4, True)
    assert (sent.coordinator_epoch, sent.transaction_version) == (9, 2)
    assert [(one.name, one.partition_indexes) for one in sent.topics] == [("a", [0, 1]), ("b", [0])]


def test_each_marker_gets_its_own_codes_whatever_the_order_of_the_answer():
    requests, found = write(10, 0, 1, 2)
    assert [len(request.markers) for request in requests] == [1, 2]
    assert [found[number]["a", 0] for number in range(3)] == [10, 11, 12]


def test_two_markers_of_one_producer_do_not_share_a_request():
    async def main(tasks):
        others = Others(tasks, 0)
        settings = SimpleNamespace(request_timeout_ms=1000)
        broker: Any = SimpleNamespace(tasks=tasks, others=others, settings=settings)
        wanted = [_Wanted(marker(number), [("a", place)]) for place, number in enumerate((7, 8, 7))]
        codes = await OtherLeaders(broker)._ask(2, wanted)
        return [[one.producer_id for one in asked.markers] for asked in others.asked], codes

    producers, codes = simulated_tasks.run(main)
    assert producers == [[7, 8], [7]]
    assert codes == [{("a", 0): 7}, {("a", 1): 8}, {("a", 2): 7}]


def test_a_partition_that_the_answer_leaves_out_is_tried_again():
    _, found = write(0, 0)
    assert found[0]["b", 0] == ErrorCode.NETWORK_EXCEPTION


@pytest.mark.parametrize("number", [0])
def test_without_an_answer_all_are_tried_again(number):
    _, found = write(None, number)
    assert set(found[number].values()) == {ErrorCode.NETWORK_EXCEPTION}
