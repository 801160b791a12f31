"""Consumer groups beside other groups on one shard."""

from __future__ import annotations

from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.messages.stored.consumer_group import (
    ConsumerGroupMetadataKey,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupPartitionMetadataValue,
)
from tests.broker.coordinator.group.consumer.conversation import beat, group_of, join, stage
from tests.broker.coordinator.group.coordinator import Asked


def test_tombstones_of_what_is_not_there_begin_nothing():
    coordinator = stage()
    coordinator.shard.apply(StoredRecord(ConsumerGroupMetadataKey(group_id="g"), None), 0, 0)
    assert coordinator.state() == "Dead"


def test_offsets_of_a_simple_group_stay_with_the_group_that_follows():
    coordinator = stage()
    commit = OffsetCommitRequest(
        group_id="g",
        generation_id_or_member_epoch=-1,
        member_id="",
        group_instance_id=None,
        retention_time_ms=-1,
        topics=[
            OffsetCommitRequest.OffsetCommitRequestTopic(
                name="t",
                partitions=[
                    OffsetCommitRequest.OffsetCommitRequestTopic.OffsetCommitRequestPartition(
                        partition_index=0, committed_offset=5, committed_metadata=""
                    )
                ],
            )
        ],
    )
    assert (coordinator >> Asked(commit, 8)).answer.topics[0].partitions[0].error_code == 0
    assert (coordinator >> join()).code == 0
    assert len(coordinator.restarted().shard.groups.offsets.of_group("g")) == 1
    assert coordinator.restarted().state() == "Stable"


def test_metadata_of_old_coordinators_are_deleted_at_the_next_occasion():
    coordinator = stage()
    coordinator >> join()
    key = ConsumerGroupPartitionMetadataKey(group_id="g")
    coordinator.shard.apply(StoredRecord(key, ConsumerGroupPartitionMetadataValue(topics=[])), 0, 0)
    assert group_of(coordinator).has_old_metadata
    coordinator.pass_ms(1_000)
    coordinator >> beat("m", 2, topics=["t", "u"])
    assert not group_of(coordinator).has_old_metadata
