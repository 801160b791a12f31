"""The topics of one fetch: looked up once, and refused where they are not there or not allowed."""

from __future__ import annotations

from typing import Final

from moldau.broker.metadata.topics import Topics
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.fetch.fetched import Fetched, PartitionResponse, TopicKey
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["FetchedTopics", "refused"]

READ: Final = Operation.READ
TOPIC: Final = Resource.TOPIC


class FetchedTopics:
    """As they are at one moment."""

    __slots__ = ("_broker", "_call", "_is_follower", "_names", "at")

    def __init__(self, call: Call, broker: Broker, *, is_follower: bool) -> None:
        self._call = call
        self._broker = broker
        self._is_follower = is_follower
        self.at: Topics = broker.metadata.image.topics
        self._names: dict[TopicKey, str | KafkaError] = {}

    def look_again(self, topics: Topics) -> None:
        """The metadata may be other by now."""
        self.at = topics
        self._names.clear()

    def find(self, topic: TopicKey) -> str | KafkaError:
        """Its name, or why it may not be fetched."""
        found = self._names.get(topic)
        if found is None:
            found = self._names[topic] = self._look_up(topic)
        return found

    def known_name(self, topic: TopicKey) -> str | None:
        """Its name, if it was read."""
        found = self._names.get(topic)
        return found if isinstance(found, str) else None

    def refusal(self, fetched: Fetched) -> PartitionResponse | None:
        """The error of a partition that this broker does not have; None for others."""
        # hot: for each partition of each fetch.
        name = self.find(fetched.topic)
        if isinstance(name, KafkaError):
            return refused(fetched, name.code)
        if fetched.index not in self.at.by_name[name].partitions:
            return refused(fetched, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return None

    def _look_up(self, topic: TopicKey) -> str | KafkaError:
        topics = self.at
        if isinstance(topic, bytes):
            known = topics.by_id.get(topic)
            if known is None:
                return KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
            name = known.name
        else:
            name = topic
        if not self._may_read(name):
            return KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
        if name not in topics.by_name:
            return KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return name

    def _may_read(self, name: str) -> bool:
        allows = self._broker.authorizer.allows
        if self._is_follower:
            return allows(self._call, Operation.CLUSTER_ACTION, Resource.CLUSTER, CLUSTER_NAME)
        return allows(self._call, READ, TOPIC, name)


def refused(fetched: Fetched, code: int) -> PartitionResponse:
    """The response of a partition that cannot be read."""
    return PartitionResponse(fetched, error_code=code, aborted_transactions=[])
