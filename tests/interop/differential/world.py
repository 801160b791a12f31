"""What both nodes hold before the first question: topics with the same records, groups, users."""

from __future__ import annotations

import time
from collections.abc import Sequence

from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.records.compression import Codec
from tests.interop.differential.side import Side
from tests.interop.differential.values import GROUPS, TOPICS, batch

FOREVER = {"retention.ms": "-1"}
"""The records are of long ago, and when a node sweeps them is a matter of chance."""
COMPACTED = {"cleanup.policy": "compact"}
CONFIGS = {
    "plain": FOREVER,
    "many": FOREVER,
    "compacted": COMPACTED,
    "stamped": {**FOREVER, "message.timestamp.type": "LogAppendTime"},
    "altered": {},
}
PARTITIONS = {"plain": 1, "many": 3, "compacted": 1, "stamped": 1, "altered": 1}
COORDINATED = ("__consumer_offsets", "__transaction_state", "__share_group_state")
"""Where replicas are named, these get them too: markers show how often their leader changed."""
PATIENCE_S = 30
SHARE_KEY = "sharers:AAAAAAAAAAAAAAAAAAAAAQ:0"
POLL_S = 0.05


def prepare(side: Side, replicas: Sequence[int] = ()) -> None:
    """The same steps on each side; each partition has these replicas, or one somewhere."""
    _create_topics(side, replicas)
    for name in TOPICS:
        for partition in range(PARTITIONS[name]):
            for codec in (Codec.NONE, Codec.GZIP, Codec.ZSTD):
                _produce(side, name, partition, batch(codec=codec, count=3))
    for kind, key in (*((0, group) for group in GROUPS), (1, "writer"), (2, SHARE_KEY)):
        _find_coordinator(side, kind, key)
    _commit(side, "readers")
    _set_quota(side)


def _create_topics(side: Side, replicas: Sequence[int]) -> None:
    topic = CreateTopicsRequest.CreatableTopic
    names = dict(CONFIGS) | (dict.fromkeys(COORDINATED, COMPACTED) if replicas else {})
    topics = [
        topic(
            name=name,
            num_partitions=-1 if replicas else PARTITIONS[name],
            replication_factor=-1 if replicas else 1,
            assignments=[
                topic.CreatableReplicaAssignment(partition_index=index, broker_ids=list(replicas))
                for index in range(PARTITIONS.get(name, 1) if replicas else 0)
            ],
            configs=[
                topic.CreatableTopicConfig(name=key, value=value) for key, value in configs.items()
            ],
        )
        for name, configs in names.items()
    ]
    answer = side.ask(CreateTopicsRequest(topics=topics, timeout_ms=30_000), 7)
    assert [made.error_code for made in answer.topics] == [0] * len(topics), answer
    find_topics(side)


def find_topics(side: Side) -> None:
    """Remember the ids of all topics, once every partition has a leader."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = side.ask(MetadataRequest(topics=None), 13)
        found = {topic.name: topic for topic in answer.topics}
        parts = [part for topic in found.values() for part in topic.partitions]
        if set(TOPICS) <= set(found) and all(part.error_code == 0 for part in parts):
            break
        assert time.monotonic() < deadline, f"{side.name} has no leaders: {answer}"
        time.sleep(POLL_S)
    side.ids.update({f"topic:{name}": topic.topic_id for name, topic in found.items()})


def _produce(side: Side, topic: str, partition: int, records: bytes) -> None:
    data = ProduceRequest.TopicProduceData
    part = data.PartitionProduceData(index=partition, records=records)
    request = ProduceRequest(
        acks=-1, timeout_ms=30_000, topic_data=[data(name=topic, partition_data=[part])]
    )
    deadline = time.monotonic() + PATIENCE_S
    while side.ask(request, 9).responses[0].partition_responses[0].error_code:
        assert time.monotonic() < deadline, f"{side.name} takes no records for {topic}"
        time.sleep(POLL_S)


def _find_coordinator(side: Side, kind: int, key: str) -> None:
    """Also brings the topic of that kind of coordinator into being."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = side.ask(FindCoordinatorRequest(key_type=kind, coordinator_keys=[key]), 6)
        if answer.coordinators[0].error_code == 0:
            return
        assert time.monotonic() < deadline, f"{side.name} has no coordinator: {answer}"
        time.sleep(POLL_S)


def _commit(side: Side, group: str) -> None:
    topic = OffsetCommitRequest.OffsetCommitRequestTopic
    part = topic.OffsetCommitRequestPartition(
        partition_index=0, committed_offset=2, committed_leader_epoch=0, committed_metadata="note"
    )
    request = OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=-1,
        member_id="",
        topics=[topic(name="plain", partitions=[part])],
    )
    deadline = time.monotonic() + PATIENCE_S
    while side.ask(request, 8).topics[0].partitions[0].error_code:
        assert time.monotonic() < deadline, f"{side.name} takes no commit"
        time.sleep(POLL_S)


def _set_quota(side: Side) -> None:
    entry = AlterClientQuotasRequest.EntryData
    quota = entry(
        entity=[entry.EntityData(entity_type="client-id", entity_name="a")],
        ops=[entry.OpData(key="producer_byte_rate", value=1e9, remove=False)],
    )
    answer = side.ask(AlterClientQuotasRequest(entries=[quota], validate_only=False), 1)
    assert answer.entries[0].error_code == 0, answer
