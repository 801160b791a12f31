"""What is kept of topics holds exactly as long as it is true."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import INTERNAL_TOPICS, NO_LEADER
from moldau.broker.server.topic import answers as topic_answers
from moldau.broker.server.topic.answers import TopicAnswersKept
from moldau.broker.server.topic.metadata import handle
from moldau.platform.simulated.randomness import SeededRandom
from moldau.protocol.messages.stored.metadata_brokers import (
    FenceBrokerRecord,
    RegisterBrokerRecord,
    UnfenceBrokerRecord,
)
from moldau.protocol.messages.stored.metadata_topics import (
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest, MetadataResponse
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of, outcome
from tests.broker.server.topic.test_metadata import Creation
from tests.present import present

LISTENERS = ("PLAINTEXT", "SECOND")
NAMES = ("a", "b", "c", "__consumer_offsets")
BROKERS = (1, 2, 3)
Topic = MetadataResponse.MetadataResponseTopic
Asked = MetadataRequest.MetadataRequestTopic


class History:
    """An image to which things happen."""

    def __init__(self, random: SeededRandom) -> None:
        self._random = random
        self._ids = 0
        self.image: Image = EMPTY_IMAGE
        for broker_id in BROKERS:
            self._apply(self._registration(broker_id), UnfenceBrokerRecord(id=broker_id, epoch=1))

    def step(self) -> None:
        random, topics = self._random, self.image.topics
        name = random.choice(NAMES)
        known = topics.by_name.get(name)
        broker_id = random.choice(BROKERS)
        draw = random.random()
        if known is None:
            self._apply(*self._new_topic(name))
        elif draw < 0.1:
            self._apply(RemoveTopicRecord(topic_id=known.topic_id))
        elif draw < 0.2:
            self._apply(self._partition(known.topic_id, len(known.partitions)))
        elif draw < 0.7:
            self._apply(self._change(known))
        elif draw < 0.8:
            self._apply(FenceBrokerRecord(id=broker_id, epoch=1))
        elif draw < 0.9:
            self._apply(UnfenceBrokerRecord(id=broker_id, epoch=1))
        else:
            self._apply(self._registration(broker_id))

    def _apply(self, *records: Any) -> None:
        delta = Delta(self.image)
        for record in records:
            delta.apply(record)
        self.image = delta.build()

    def _registration(self, broker_id: int) -> RegisterBrokerRecord:
        endpoint = RegisterBrokerRecord.BrokerEndpoint
        listeners = LISTENERS[: self._random.choice((1, 2))]
        return RegisterBrokerRecord(
            broker_id=broker_id,
            incarnation_id=bytes(16),
            broker_epoch=1,
            end_points=[
                endpoint(name=name, host=f"host{broker_id}", port=9092, security_protocol=0)
                for name in listeners
            ],
            features=[],
            rack=None,
            fenced=False,
            log_dirs=[],
        )

    def _new_topic(self, name: str) -> list[Any]:
        self._ids += 1
        topic_id = self._ids.to_bytes(16, "big")
        partitions = [
            self._partition(topic_id, index) for index in range(self._random.choice((1, 3)))
        ]
        return [TopicRecord(name=name, topic_id=topic_id), *partitions]

    def _partition(self, topic_id: bytes, index: int) -> PartitionRecord:
        replicas = list(BROKERS[: self._random.choice((1, 2, 3))])
        return PartitionRecord(
            partition_id=index, topic_id=topic_id, replicas=replicas, isr=replicas,
            removing_replicas=[], adding_replicas=[], leader=replicas[0], leader_epoch=0,
            partition_epoch=0,
        )  # fmt: skip

    def _change(self, topic: Any) -> PartitionChangeRecord:
        index = self._random.choice(sorted(topic.partitions))
        change = PartitionChangeRecord(partition_id=index, topic_id=topic.topic_id)
        if self._random.random() < 0.5:
            change.leader = self._random.choice((NO_LEADER, *BROKERS))
        else:
            change.isr = [self._random.choice(BROKERS)]
        return change


def obvious(image: Image, listener: str, version: int, names: list[str] | None) -> list[Topic]:
    """The answer about the topics, made anew and in the order in which one would write it down."""
    brokers = image.cluster.brokers
    alive = {
        one for one, state in brokers.items() if not state.fenced and listener in state.endpoints
    }
    topics = []
    for name in image.topics.by_name if names is None else names:
        topic = image.topics.by_name.get(name)
        if topic is None:
            missing = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            internal = name in INTERNAL_TOPICS
            topics.append(Topic(error_code=missing, name=name, is_internal=internal, partitions=[]))
            continue
        partitions = []
        for index, state in topic.partitions.items():
            code, leader = ErrorCode.NONE, state.leader
            if leader not in alive:
                is_up = leader in brokers and not brokers[leader].fenced
                code = ErrorCode.LEADER_NOT_AVAILABLE
                if is_up and version >= 6:
                    code = ErrorCode.LISTENER_NOT_FOUND
                leader = NO_LEADER
            seen = [state.replicas, state.isr]
            if version == 0:
                seen = [tuple(one for one in ids if one in alive) for ids in seen]
            partitions.append(
                Topic.MetadataResponsePartition(
                    error_code=code,
                    partition_index=index,
                    leader_id=leader,
                    leader_epoch=state.leader_epoch,
                    replica_nodes=list(seen[0]),
                    isr_nodes=list(seen[1]),
                    offline_replicas=[one for one in state.replicas if one not in alive],
                )
            )
        topics.append(
            Topic(
                error_code=ErrorCode.NONE,
                name=name,
                topic_id=topic.topic_id,
                is_internal=name in INTERNAL_TOPICS,
                partitions=partitions,
            )
        )
    return topics


def asked(names: list[str] | None, version: int) -> MetadataRequest:
    topics = None if names is None else [Asked(name=name) for name in names]
    if names is None and version == 0:
        topics = []
    return MetadataRequest(topics=topics, allow_auto_topic_creation=False)


def test_a_kept_answer_is_the_one_that_would_be_made_anew_whatever_has_changed(seed, volume):
    print(f"seed {seed}")
    random = SeededRandom(seed)
    history = History(random)
    broker = broker_with(history.image, auto_create_topics_enable=True)
    broker.topic_creation = Creation()
    for _ in range(volume(400, 10_000)):
        history.step()
        broker.metadata.image = history.image
        version = random.choice(list(MetadataRequest.VERSIONS.each()))
        listener = random.choice(LISTENERS)
        drawn = dict.fromkeys(random.choice((*NAMES, "absent")) for _ in range(3))
        names = None if random.random() < 0.5 else list(drawn)
        for _ in range(2):
            call = call_of(asked(names, version), version, listener)
            answer = outcome(broker, handle(call, broker), version)
            expected = obvious(history.image, listener, version, names)
            topics = MetadataResponse(brokers=[], controller_id=0, topics=answer.topics)
            made = MetadataResponse(brokers=[], controller_id=0, topics=expected)
            assert encode(topics, version) == encode(made, version), (version, listener, names)


def kept_of(seed, steps=50):
    history = History(SeededRandom(seed))
    for _ in range(steps):
        history.step()
    while not history.image.topics.by_name:
        history.step()
    return history, TopicAnswersKept()


def test_a_topic_is_encoded_again_only_when_it_has_changed(seed):
    history, kept = kept_of(seed)
    image = history.image
    answers = kept.of(image, "PLAINTEXT", 12)
    before = {name: answers.encoded(topic) for name, topic in image.topics.by_name.items()}
    assert kept.of(image, "PLAINTEXT", 12) is answers
    assert all(
        answers.encoded(image.topics.by_name[name]) is one for name, one in present(before.items())
    )


def test_bytes_of_deleted_topics_are_given_back(seed):
    history, kept = kept_of(seed)
    answers = kept.of(history.image, "PLAINTEXT", 12)
    list(answers.all(history.image.topics))
    delta = Delta(history.image)
    for topic in history.image.topics.by_name.values():
        delta.apply(RemoveTopicRecord(topic_id=topic.topic_id))
    list(answers.all(delta.build().topics))
    assert (answers.size, kept.size) == (0, 0)


@pytest.mark.parametrize("most", [0, 10**9])
def test_what_is_kept_is_bounded_in_bytes(seed, most, monkeypatch):
    monkeypatch.setattr(topic_answers, "KEPT_BYTES_MAX", most)
    history, kept = kept_of(seed)
    for version in range(14):
        answers = kept.of(history.image, "PLAINTEXT", version)
        list(answers.all(history.image.topics))
    shown = repr(kept)
    assert shown.startswith("TopicAnswersKept(1," if most == 0 else "TopicAnswersKept(14,")
