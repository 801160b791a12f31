"""A controller to talk to: what is decided is applied at once, as if it were committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from moldau.broker.controller.controller import Controller
from moldau.broker.controller.decision import Call, Decision
from moldau.broker.metadata.features import supported_levels
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import PartitionState
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import KafkaError
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.slices import at_once
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

CLUSTER_ID = "bW9sZGF1LWFuY2hvci0wMQ"
LEVELS = {
    "metadata.version": 30,
    "eligible.leader.replicas.version": 1,
    "group.version": 1,
    "share.version": 1,
    "streams.version": 1,
    "transaction.version": 2,
}


class SmallQuota:
    """A quota that lets one topic through and then nothing."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, count: int) -> None:
        self.asked.append(count)
        if len(self.asked) > 1:
            raise KafkaError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, "that is enough")


class Conversation:
    """The controller of a cluster whose brokers live as long as their heartbeats come."""

    def __init__(self, brokers: int = 0, levels: dict[str, int] | None = None, **given: str):
        settings = {"node.id": "1", **{key.replace("_", "."): text for key, text in given.items()}}
        self.controller = Controller(
            BrokerSettings(settings), SeededRandom(7), EMPTY_IMAGE, CLUSTER_ID
        )
        self.now_ms = 1_000_000
        self.was_atomic = True
        """Whether the last decision had to be written in one batch."""
        self.write(
            FeatureLevelRecord(name=name, feature_level=level)
            for name, level in (LEVELS if levels is None else levels).items()
        )
        self.controller.activate(self.now_ms)
        for broker_id in range(1, brokers + 1):
            self.join(broker_id)

    @property
    def image(self) -> Image:
        return self.controller.image

    def write(self, records) -> None:
        """As if a decision had led to these records."""
        written = list(records)
        last_offset = self.controller.next_offset + len(written) - 1
        self.controller.apply(written, last_offset, 1, self.now_ms)

    def ask(
        self, request: Message, version: int | None = None, **how: Any
    ) -> tuple[list[Any], Any]:
        """The records and the reply; the records are applied."""
        highest = type(request).VERSIONS.each()[-1] if version is None else version
        decision = self.controller.decide(request, Call(highest, **how), self.now_ms, self.now_ms)
        return self._take(decision if isinstance(decision, Decision) else at_once(decision))

    def refusal(self, request: Message, version: int | None = None) -> int:
        """The code with which the whole request is refused."""
        try:
            _, reply = self.ask(request, version)
        except KafkaError as error:
            return error.code
        raise AssertionError(f"was not refused: {reply}")

    def wait(self, milliseconds: int) -> list[Any]:
        """Let time pass; the records of all that becomes due."""
        end_ms = self.now_ms + milliseconds
        records: list[Any] = []
        while (wake_ms := self.controller.wake_at_ms()) is not None and wake_ms <= end_ms:
            self.now_ms = max(self.now_ms, wake_ms)
            records += self._take(self.controller.tick(self.now_ms, self.now_ms))[0]
        self.now_ms = end_ms
        return records

    def _take(self, decision: Decision) -> tuple[list[Any], Any]:
        records = list(decision.records)
        self.was_atomic = decision.is_atomic
        if records:
            self.write(records)
        return records, decision.reply

    # What most conversations begin with.

    def join(self, broker_id: int, rack: str | None = None, directories: int = 1) -> int:
        """Register a broker and unfence it; its epoch."""
        _, reply = self.ask(registration(broker_id, rack=rack, directories=directories))
        self.beat(broker_id)
        epoch: int = reply.broker_epoch
        return epoch

    def beat(self, broker_id: int, **values) -> tuple[list[Any], Any]:
        """A heartbeat of a broker that has read everything."""
        request = BrokerHeartbeatRequest(
            broker_id=broker_id,
            broker_epoch=self.image.cluster.brokers[broker_id].epoch,
            current_metadata_offset=values.pop("offset", self.controller.next_offset - 1),
            want_fence=values.pop("want_fence", False),
            want_shut_down=values.pop("want_shut_down", False),
            **values,
        )
        return self.ask(request)

    def create(self, name: str, *assignments: Sequence[int], **settings: str) -> bytes:
        """A topic with these replicas; its id."""
        _, reply = self.ask(creation(name, assignments=assignments, settings=settings))
        assert reply.topics[0].error_code == 0, reply.topics[0].error_message
        topic_id: bytes = reply.topics[0].topic_id
        return topic_id

    def partition(self, name: str, index: int = 0) -> PartitionState:
        state = self.image.topics.partition(name, index)
        assert state is not None
        return state


def directory(broker_id: int, index: int = 0) -> bytes:
    """The id of one of a broker's directories."""
    return bytes((1, index)) + broker_id.to_bytes(14, "big")


def registration(
    broker_id: int, *, life: int = 1, rack: str | None = None, directories: int = 1, **values
) -> BrokerRegistrationRequest:
    request = BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id=CLUSTER_ID,
        incarnation_id=life.to_bytes(16, "big"),
        listeners=[
            BrokerRegistrationRequest.Listener(
                name="PLAINTEXT", host="127.0.0.1", port=9000 + broker_id, security_protocol=0
            )
        ],
        features=[
            BrokerRegistrationRequest.Feature(
                name=name, min_supported_version=low, max_supported_version=high
            )
            for name, (low, high) in supported_levels().items()
        ],
        rack=rack,
        log_dirs=[directory(broker_id, index) for index in range(directories)],
    )
    for name, value in values.items():
        setattr(request, name, value)
    return request


def creation(
    name: str,
    partitions: int = -1,
    replicas: int = -1,
    *,
    assignments: Sequence[Sequence[int]] = (),
    settings: Mapping[str, str | None] | None = None,
    validate_only: bool = False,
) -> CreateTopicsRequest:
    topic = CreateTopicsRequest.CreatableTopic
    asked = topic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        assignments=[
            topic.CreatableReplicaAssignment(partition_index=index, broker_ids=list(brokers))
            for index, brokers in enumerate(assignments)
        ],
        configs=[
            topic.CreatableTopicConfig(name=key.replace("_", "."), value=value)
            for key, value in (settings or {}).items()
        ],
    )
    return CreateTopicsRequest(topics=[asked], validate_only=validate_only)


def names(records: Sequence[Message]) -> list[str]:
    """The kinds of the records, in their order."""
    return [type(record).__name__.removesuffix("Record") for record in records]
