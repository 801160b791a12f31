"""Judge: who asks for other voters and gets something wrong is refused for the same reason.

Requests with one mistake show the errors, those with two the order in which Kafka looks. They go
to the broker, which passes them on, or to the controller, while the voters are in the
configuration (kraft.version 0) and again when they are in the log (1): 1,284 exchanges.

One request is left out: a leader of Kafka that gets its own endpoint as a change falls over.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from moldau.broker.log.directory.meta_properties import read_meta_properties
from moldau.platform.system.files import SystemFiles
from moldau.protocol.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.protocol.messages.quorum.update_raft_voter import UpdateRaftVoterRequest
from tests.interop.differential.side import Side
from tests.judges.kafka_node import CLUSTER_ID, HOST

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

PATIENCE_S = 20
NOWHERE, ELSEWHERE = bytes(16), bytes(15) + b"\x07"
LEADER, NO_VOTER, STRANGER = 1, -1, 9
EPOCH = 1
LISTENERS = ((), ("ANOTHER",), ("CONTROLLER",), ("CONTROLLER", "ANOTHER"))
EPOCHS = (-1, 0, EPOCH, STRANGER)
RANGES = ((0, 1), (0, 0), (1, 1), (-1, 1), (1, 0), (2, 3))
GOOD_RANGES = RANGES[:3]


@dataclass
class Questions:
    """What is asked of one node: its own directory and port stand in the requests."""

    own: bytes
    port: int

    @property
    def voters(self):
        others = [(NO_VOTER, self.own), (STRANGER, NOWHERE), (STRANGER, ELSEWHERE)]
        return [(LEADER, NOWHERE), (LEADER, ELSEWHERE), (LEADER, self.own), *others]

    def removals(self):
        return [
            RemoveRaftVoterRequest(cluster_id=cluster, voter_id=node, voter_directory_id=directory)
            for cluster in (None, CLUSTER_ID, "another")
            for node, directory in self.voters
        ]

    def additions(self):
        of = AddRaftVoterRequest.Listener
        return [
            AddRaftVoterRequest(
                cluster_id=cluster,
                timeout_ms=1000,
                voter_id=node,
                voter_directory_id=directory,
                listeners=[of(name=name, host=HOST, port=self.port) for name in listeners],
            )
            for cluster in (CLUSTER_ID, "another")
            for node, directory in self.voters
            for listeners in LISTENERS
        ]

    def updates(self):
        return [
            self.update(cluster, voter, listener, epoch, levels)
            for cluster in (CLUSTER_ID, "another")
            for voter in self.voters
            for listener in ("CONTROLLER", "ANOTHER")
            for epoch in EPOCHS
            for levels in RANGES
            if (voter[0], listener, epoch) != (LEADER, "CONTROLLER", EPOCH)
            or levels not in GOOD_RANGES
        ]

    def update(self, cluster, voter, listener, epoch, levels):
        of = UpdateRaftVoterRequest
        return of(
            cluster_id=cluster,
            current_leader_epoch=epoch,
            voter_id=voter[0],
            voter_directory_id=voter[1],
            listeners=[of.Listener(name=listener, host=HOST, port=self.port)],
            kraft_version_feature=of.KRaftVersionFeature(
                min_supported_version=levels[0], max_supported_version=levels[1]
            ),
        )


Verdict = tuple[int, tuple[int, int, str] | None]


def verdict(side, request, version) -> Verdict:
    """The error code, and who leads where that is answered; ports differ."""
    answer = side.ask(request, version)
    leader = getattr(answer, "current_leader", None)
    named = None if leader is None else (leader.leader_id, leader.leader_epoch, leader.host)
    return answer.error_code, named


def raise_level(broker) -> None:
    key = UpdateFeaturesRequest.FeatureUpdateKey
    level = key(feature="kraft.version", max_version_level=1, upgrade_type=1)
    asked = UpdateFeaturesRequest(timeout_ms=5000, feature_updates=[level], validate_only=False)
    assert broker.ask(asked, 2).error_code == 0
    of = DescribeQuorumRequest.TopicData
    topic = of(topic_name="__cluster_metadata", partitions=[of.PartitionData(partition_index=0)])
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        (shown,) = broker.ask(DescribeQuorumRequest(topics=[topic]), 2).topics[0].partitions
        if shown.current_voters[0].replica_directory_id != NOWHERE:
            return
        time.sleep(0.1)


def verdicts(node, controller_port):
    node.start()
    properties = read_meta_properties(SystemFiles(), str(node.data))
    assert properties is not None
    assert properties.directory_id is not None
    questions = Questions(properties.directory_id, controller_port)
    broker, controller = Side("broker", node.client_port), Side("controller", controller_port)
    found: dict[tuple[object, ...], Verdict] = {}
    for level in (0, 1):
        if level:
            raise_level(broker)
        for side in (broker, controller):
            for index, asked in enumerate(questions.removals()):
                found[level, side.name, "remove", index] = verdict(side, asked, 0)
        for index, asked in enumerate(questions.additions()):
            found[level, "add", index] = verdict(broker, asked, 1)
        for index, asked in enumerate(questions.updates()):
            found[level, "update", index] = verdict(controller, asked, 0)
    broker.close()
    controller.close()
    node.stop()
    return found


def test_every_mistake_and_every_pair_of_them_gets_kafkas_error(new_moldau_node, new_kafka_node):
    mine, other = new_moldau_node(), new_kafka_node()
    theirs = verdicts(other, other.controller_port)
    ours = verdicts(mine, mine.controller_port)
    assert {key: (ours[key], theirs[key]) for key in theirs if ours[key] != theirs[key]} == {}
    assert len(theirs) == 1284
    assert {one[0] for one in theirs.values()} == {7, 35, 42, 74, 75, 104, 126, 127}
