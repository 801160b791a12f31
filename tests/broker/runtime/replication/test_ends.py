"""A follower asks its leader for the ends of its log."""

from __future__ import annotations

import pytest

from moldau.broker.runtime.replication.ends import ask_ends
from moldau.broker.runtime.replication.followed import Followed
from moldau.errors import KafkaError
from moldau.protocol.messages.data.list_offsets import ListOffsetsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.replication.follower_world import EPOCH, result_of

Topic = ListOffsetsResponse.ListOffsetsTopicResponse


class Asked:
    """A channel that keeps what it is asked, and answers with this error."""

    def __init__(self, code):
        self.requests = []
        self._code = code

    async def ask(self, request, timeout_ms):
        self.requests.append(request)
        one = Topic.ListOffsetsPartitionResponse(partition_index=0, error_code=self._code)
        return ListOffsetsResponse(topics=[Topic(name="topic", partitions=[one])])

    def close(self):
        pass

    async def ask_with(self, reader, request, timeout_ms):
        raise AssertionError("nothing is fetched here")


def test_the_start_and_the_end_are_reported():
    async def scenario(scene):
        return await ask_ends(scene.leader, 1, Followed(scene.partition), 1000)

    assert result_of(scenario, ends=(4, 9)) == (4, 9)


def test_it_is_asked_as_a_replica_in_its_epoch():
    async def scenario(scene):
        channel = Asked(0)
        await ask_ends(channel, 1, Followed(scene.partition), 1000)
        return channel.requests

    for request in result_of(scenario):
        assert request.replica_id == 1
        assert request.topics[0].partitions[0].current_leader_epoch == EPOCH


def test_a_refusal_is_raised():
    async def scenario(scene):
        await ask_ends(Asked(ErrorCode.NOT_LEADER_OR_FOLLOWER), 1, Followed(scene.partition), 1000)

    with pytest.raises(KafkaError):
        result_of(scenario)
