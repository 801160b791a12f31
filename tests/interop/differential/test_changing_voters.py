"""Judge: voters are added and removed at three nodes under writes, and both kinds answer alike.

The voters stand in the log (KIP-853): node 1 is the first, and the other two join. Every change is
asked of a broker that is not named in it, which passes it on to the leader. Who leads after a
leader has left is a matter of chance, and so are offsets and times; the rest is compared.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

import pytest

from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import parse_uuid
from tests.cluster.asking import make_topic, until
from tests.cluster.nodes import APACHE, Nodes
from tests.cluster.steady_load import SteadyLoad, Verdict
from tests.cluster.test_dynamic_quorum import ALONE_AND_JOINING, disk
from tests.cluster.test_mixed_clusters import in_sync
from tests.interop.differential.dialogues import Step, known
from tests.interop.differential.trouble_requests import creation
from tests.interop.differential.troubled_clusters import TroubledClusters
from tests.judges.kafka_node import CLUSTER_ID, HOST

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(600)]

TOPIC, PARTITIONS = "written", 3
STRANGER = 9
ELSEWHERE = bytes(15) + b"\x07"
IS_A_VOTER = {ErrorCode.NONE, ErrorCode.DUPLICATE_VOTER}
IS_NONE = {ErrorCode.NONE, ErrorCode.VOTER_NOT_FOUND}


@pytest.fixture
def clusters(tmp_path_factory, kafka_libs):
    made = partial(Nodes, dynamic=ALONE_AND_JOINING, libs=kafka_libs)
    with ExitStack() as ending:
        ours = ending.enter_context(made(tmp_path_factory.mktemp("ours")))  # its ports are taken
        folder = tmp_path_factory.mktemp("kafka")
        yield ours, ending.enter_context(made(folder, kinds=[APACHE] * 3))


def addition(node_id, *, directory=None, named=None, wanted=None):
    """Of a node, by its own directory and listener if nothing else is given."""
    of = AddRaftVoterRequest
    port = known(f"port of {node_id}", 1)
    request = of(
        cluster_id=CLUSTER_ID,
        timeout_ms=2000,
        voter_id=named or node_id,
        voter_directory_id=directory or known(f"disk of {node_id}", ELSEWHERE),
        listeners=[of.Listener(name="CONTROLLER", host=HOST, port=port)],
    )
    return Step(request, 1, until=ends_with(wanted))


def removal(node_id, *, directory=None, wanted=None):
    request = RemoveRaftVoterRequest(
        cluster_id=CLUSTER_ID,
        voter_id=node_id,
        voter_directory_id=directory or known(f"disk of {node_id}", ELSEWHERE),
    )
    return Step(request, 0, until=ends_with(wanted))


def ends_with(codes):
    return lambda answer: codes is None or answer.error_code in codes


def members(*voters, leaders=(1, 2, 3)):
    """Who votes and who looks on, once these vote and one of those leads."""
    of = DescribeQuorumRequest.TopicData
    topic = of(topic_name="__cluster_metadata", partitions=[of.PartitionData(partition_index=0)])

    def fits(answer):
        if answer.error_code or answer.topics[0].partitions[0].error_code:
            return False
        part = answer.topics[0].partitions[0]
        both = (*part.current_voters, *part.observers)
        return (
            sorted(one.replica_id for one in part.current_voters) == sorted(voters)
            and part.leader_id in leaders
            and len(both) == len({one.replica_id for one in both}) == 3
        )

    return Step(DescribeQuorumRequest(topics=[topic]), 2, until=fits, shows=without_chance)


def without_chance(tree):
    (part,) = tree["topics"][0]["partitions"]
    return {
        "error": (tree["error_code"], part["error_code"], part["error_message"]),
        "voters": sorted(one["replica_id"] for one in part["current_voters"]),
        "observers": sorted(one["replica_id"] for one in part["observers"]),
        "nodes": sorted(node["node_id"] for node in tree["nodes"]),
    }


def test_voters_come_and_go_under_writes_and_nothing_is_lost(clusters):
    troubled = TroubledClusters(*clusters)
    for node_id in (1, 2, 3):
        troubled.learn(f"disk of {node_id}", [parse_uuid(disk(c[node_id].data)) for c in clusters])
        troubled.learn(f"port of {node_id}", [c[node_id].controller_port for c in clusters])
    for cluster in clusters:
        make_topic(cluster.bootstrap, TOPIC, PARTITIONS, 3)
    loads = [SteadyLoad(cluster.bootstrap, TOPIC, PARTITIONS) for cluster in clusters]
    with loads[0], loads[1]:
        for part in (grow, shrink_from_the_leader, leave_one):
            part(troubled)
            for load in loads:
                load.more()
    for cluster, load in zip(clusters, loads, strict=True):
        until(in_sync(cluster.bootstrap, TOPIC, 3))
        assert load.verdict() == Verdict()
    outcome = troubled.verdict()
    assert not outcome.kinds, outcome.report()


def grow(troubled):
    """From one voter to three, with what is refused on the way."""
    troubled.until(3, members(1))
    wrong = [
        addition(1),
        addition(2, directory=ELSEWHERE),
        addition(2, named=STRANGER),
        addition(STRANGER),
        removal(2),
        removal(STRANGER),
        removal(1, directory=ELSEWHERE),
    ]
    troubled.both(3, iter(wrong))
    troubled.until(3, addition(2, wanted=IS_A_VOTER))
    troubled.until(3, members(1, 2))
    troubled.both(3, iter([addition(2, directory=ELSEWHERE), removal(2, directory=ELSEWHERE)]))
    troubled.until(2, addition(3, wanted=IS_A_VOTER))
    troubled.until(2, members(1, 2, 3))


def shrink_from_the_leader(troubled):
    """The leader goes, comes back as an observer, and votes again."""
    remove(troubled, 2, 1, (2, 3))
    find_the_leader(troubled, 3, "asked-of-three")
    troubled.both(3, iter([removal(1), addition(3)]))
    troubled.until(3, addition(1, wanted=IS_A_VOTER))
    troubled.until(3, members(1, 2, 3))


def leave_one(troubled):
    """Until one is left, which stays."""
    remove(troubled, 1, 2, (1, 3))
    remove(troubled, 1, 3, (1,))
    find_the_leader(troubled, 2, "asked-of-two")
    troubled.both(2, iter([removal(1), removal(3), members(1)]))


def remove(troubled, asked, node_id, left):
    """A voter, which may be the leader, by a broker that stays; these are left."""
    find_the_leader(troubled, asked, f"before-{node_id}-leaves")
    troubled.both(asked, iter([removal(node_id)]))
    find_the_leader(troubled, asked, f"after-{node_id}-has-left")
    troubled.until(asked, members(*left, leaders=left))


def find_the_leader(troubled, asked, name):
    """Have the broker make a topic of this name.

    A broker of Apache Kafka goes on to pass changes of voters to a controller that leads no more:
    only an answer NOT_CONTROLLER has it look for another, and a change is answered otherwise.
    """
    troubled.both(asked, iter([creation(name, [1, 2, 3])]))
