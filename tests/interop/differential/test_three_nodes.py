"""Judge: three nodes of ours and three of Apache Kafka answer an administrator alike.

The same dialogues are held with each of the three, so also with those that pass on to the active
controller what it decides: in every version of every API that is forwarded.
"""

from __future__ import annotations

import pytest

from tests.cluster.nodes import APACHE, Nodes
from tests.interop.differential.cluster_changes import cluster_changes
from tests.interop.differential.dialogues import hold
from tests.interop.differential.running import Outcome
from tests.interop.differential.side import Side

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(1200)]

NODES = (1, 2, 3)


@pytest.fixture(scope="module")
def both_clusters(tmp_path_factory, kafka_libs):
    with Nodes(tmp_path_factory.mktemp("ours")) as ours:  # its ports are taken from then on
        folder = tmp_path_factory.mktemp("kafka")
        with Nodes(folder, kinds=[APACHE] * 3, libs=kafka_libs) as theirs:
            yield ours, theirs


def held(both, node_id, dialogues):
    """What came of it with this node."""
    outcome = Outcome()
    ours, theirs = (
        Side(name, nodes[node_id].client_port)
        for name, nodes in zip(("ours", "kafka"), both, strict=True)
    )
    for dialogue in dialogues:
        hold(ours, theirs, dialogue, outcome)
    ours.close()
    theirs.close()
    return outcome


@pytest.mark.parametrize("node_id", NODES)
def test_changes_of_topics_go_the_same_way_through_each_node(both_clusters, node_id):
    outcome = held(both_clusters, node_id, cluster_changes(node_id))
    assert not outcome.kinds, outcome.report()
