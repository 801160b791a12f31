"""Judge: voters move from the configuration into the log as in Kafka, and either reads the other.

    kraft.version 0 ──UpdateFeatures──► 1: the voters' record is in the log, and stays there

Refusals, what the quorum shows before and after, and what is left of it after a restart are the
same; then each node starts on the data of the other.
"""

from __future__ import annotations

import time

import pytest

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

UP, SAFE, UNSAFE = 1, 2, 3
PATIENCE_S = 20
KRAFT = "kraft.version"
NOWHERE = bytes(16)
ASKED = (
    (1, UP, True), (1, SAFE, False), (-1, UP, False), (2, UP, False), (0, UP, False),
    (0, SAFE, False), (1, 9, False), (1, UP, False), (1, UP, False), (1, SAFE, True),
    (0, UP, False), (0, SAFE, False), (0, UNSAFE, False), (2, UP, False),
)  # fmt: skip


def update(level, kind, only_checks):
    key = UpdateFeaturesRequest.FeatureUpdateKey
    raised = key(feature=KRAFT, max_version_level=level, upgrade_type=kind)
    return UpdateFeaturesRequest(
        timeout_ms=5000, feature_updates=[raised], validate_only=only_checks
    )


def shown(side: Side) -> tuple[int, bool, int]:
    """The finalized level, whether the voter's directory is known, and the number of voters."""
    asked = ApiVersionsRequest(client_software_name="judge", client_software_version="1")
    features = {one.name: one.max_version_level for one in side.ask(asked, 4).finalized_features}
    of = DescribeQuorumRequest.TopicData
    topic = of(topic_name="__cluster_metadata", partitions=[of.PartitionData(partition_index=0)])
    (partition,) = side.ask(DescribeQuorumRequest(topics=[topic]), 2).topics[0].partitions
    voters = partition.current_voters
    return features.get(KRAFT, 0), voters[0].replica_directory_id != NOWHERE, len(voters)


def wait_for(side: Side, level: int) -> tuple[int, bool, int]:
    """Brokers apply it a little later."""
    deadline = time.monotonic() + PATIENCE_S
    while (found := shown(side))[0] != level and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def answers_of(node) -> list[object]:
    node.start()
    side = Side("node", node.client_port)
    answers: list[object] = [wait_for(side, 0)]
    answers += [side.ask(update(*asked), 2).error_code for asked in ASKED]
    answers.append(wait_for(side, 1))
    side.close()
    node.stop()
    return answers + revisited(node)


def revisited(node) -> list[object]:
    """What is left after a restart, or on another node's data."""
    node.start()
    side = Side("node", node.client_port)
    answers: list[object] = [wait_for(side, 1)]
    answers += [side.ask(update(1, UP, False), 2).error_code, wait_for(side, 1)]
    side.close()
    node.stop()
    return answers


def test_the_level_rises_alike_and_both_go_on_with_it(new_moldau_node, new_kafka_node):
    mine, other = new_moldau_node(), new_kafka_node()
    ours, theirs = answers_of(mine), answers_of(other)
    assert ours == theirs
    assert ours[-1] == (1, True, 1)
    assert revisited(new_kafka_node(data=mine.data)) == ours[-3:]
    assert revisited(new_moldau_node(data=other.data)) == ours[-3:]
