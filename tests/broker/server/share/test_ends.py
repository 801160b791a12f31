"""Ends of partitions come from their leaders, wherever those are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.replica.assignment import NO_LEADER
from moldau.broker.server.share.ends import TRIES, ends_of
from moldau.errors import KafkaError, NetworkError
from moldau.platform.simulated import tasks as simulated_tasks
from moldau.protocol.messages.data.list_offsets import ListOffsetsResponse
from moldau.protocol.wire.error_codes import ErrorCode

HERE, THERE, GONE, LOST, NOWHERE = [("t", index) for index in range(5)]
LEADERS: dict[tuple[str, int], int] = {HERE: 1, THERE: 2, GONE: NO_LEADER, LOST: 3}
Topic = ListOffsetsResponse.ListOffsetsTopicResponse
Partition = Topic.ListOffsetsPartitionResponse


class Topics:
    """As the metadata have them."""

    def partition(self, topic, index):
        leader = LEADERS.get((topic, index))
        return None if leader is None else SimpleNamespace(leader=leader)


class Cluster:
    """Broker 1, which is asked; broker 2 answers so many times that it does not lead yet."""

    def __init__(self, tasks, not_yet):
        self.asked = []
        self.not_yet = not_yet
        self.broker: Any = SimpleNamespace(
            node_id=1,
            tasks=tasks,
            others=self,
            replicas=self,
            settings=SimpleNamespace(request_timeout_ms=1000),
            metadata=SimpleNamespace(image=SimpleNamespace(topics=Topics())),
        )

    def leader(self, topic, index):
        return SimpleNamespace(high_watermark=11)

    async def ask(self, broker_id, request, timeout_ms):
        self.asked.append(broker_id)
        if broker_id == 3:
            raise NetworkError("broker 3", "reset")
        is_late = self.asked.count(2) <= self.not_yet
        code = ErrorCode.NOT_LEADER_OR_FOLLOWER if is_late else ErrorCode.NONE
        row = Partition(partition_index=1, error_code=code, offset=-1 if is_late else 22)
        return ListOffsetsResponse(topics=[Topic(name="t", partitions=[row])])


def ends(*names, not_yet=0):
    async def main(tasks):
        cluster = Cluster(tasks, not_yet)
        found = await ends_of(cluster.broker, names)
        codes = {
            one: end.code if isinstance(end, KafkaError) else end for one, end in found.items()
        }
        return codes, cluster.asked

    return simulated_tasks.run(main)


def test_each_leader_is_asked_once():
    assert ends(HERE, THERE, THERE) == ({HERE: 11, THERE: 22}, [2])


def test_a_leader_that_does_not_know_it_yet_is_asked_again():
    assert ends(THERE, not_yet=2) == ({THERE: 22}, [2, 2, 2])


def test_in_the_end_the_error_is_what_is_known():
    assert ends(THERE, not_yet=99) == (
        {THERE: ErrorCode.NOT_LEADER_OR_FOLLOWER},
        [2] * TRIES,
    )
    assert ends(LOST, HERE) == ({LOST: ErrorCode.NETWORK_EXCEPTION, HERE: 11}, [3] * TRIES)


def test_where_there_is_no_leader_none_is_asked():
    code = ErrorCode.LEADER_NOT_AVAILABLE
    assert ends(GONE, NOWHERE) == ({GONE: code, NOWHERE: code}, [])


def test_no_partitions_are_no_question():
    assert ends() == ({}, [])
