"""Judge: three nodes of ours and three of Apache Kafka answer alike.

The same dialogues are held with each of the three, so also with those that pass on to the active
controller what it decides: in every version of every API that is forwarded. Those of groups,
producers and transactions are held with one node after the other, once it leads every partition,
those of the coordinators among them: what they know has moved there. At last a node is stopped.
"""

from __future__ import annotations

import time
from functools import partial

import pytest

from moldau.broker.replica.settling import SETTLING_NS
from moldau.protocol.wire.error_codes import ErrorCode
from tests.cluster.asking import until
from tests.cluster.nodes import APACHE, Nodes
from tests.interop.differential import isr_dialogues
from tests.interop.differential.aliases import resolved
from tests.interop.differential.cluster_changes import cluster_changes
from tests.interop.differential.cluster_dialogues import sharers
from tests.interop.differential.dialogues import hold
from tests.interop.differential.feature_dialogues import feature_dialogues
from tests.interop.differential.group_dialogues import group_dialogues
from tests.interop.differential.leader_moves import move_all_leaders
from tests.interop.differential.odd_cluster_requests import odd_requests
from tests.interop.differential.offset_dialogues import offset_dialogues
from tests.interop.differential.producer_dialogues import produce, producer_dialogues, sequenced
from tests.interop.differential.running import Outcome
from tests.interop.differential.session_dialogues import session_dialogues
from tests.interop.differential.share_dialogues import share_dialogues
from tests.interop.differential.side import Side
from tests.interop.differential.test_differential import SETTINGS
from tests.interop.differential.transaction_dialogues import transaction_dialogues
from tests.interop.differential.world import prepare

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(1200)]

NODES = (1, 2, 3)
ONE_COORDINATOR = {
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "auto.leader.rebalance.enable": "false",
}
"""So that both clusters have it in the same place, and the lists of one node are all there is."""
DIALOGUES = {
    "groups": (2, group_dialogues),
    "offsets": (3, offset_dialogues),
    "share members": (1, lambda: [sharers("sharing")]),
    "producers": (2, producer_dialogues),
    "transactions": (3, transaction_dialogues),
    "shares": (2, share_dialogues),
    "sessions": (3, session_dialogues),
}
"""What is held with which node."""
PRODUCER, PARTITION = 555_000, 0


@pytest.fixture(scope="module")
def both_clusters(tmp_path_factory, kafka_libs):
    settings = {**SETTINGS, **ONE_COORDINATOR}
    with Nodes(tmp_path_factory.mktemp("ours"), settings=settings) as ours:  # its ports are taken
        folder = tmp_path_factory.mktemp("kafka")
        with Nodes(folder, kinds=[APACHE] * 3, libs=kafka_libs, settings=settings) as theirs:
            yield ours, theirs


@pytest.fixture(scope="module")
def prepared(both_clusters):
    """Both with the same in them, and what each knows of its own ids."""
    both = sides_of(both_clusters, NODES[0])
    for side in both:
        prepare(side, NODES)
        side.close()
    return [side.ids for side in both]


def sides_of(both, node_id, known=({}, {})):
    """Ours, and Kafka's, through this node."""
    return [
        Side(name, nodes[node_id].client_port, ids)
        for name, nodes, ids in zip(("ours", "kafka"), both, known, strict=True)
    ]


def held(sides, dialogues):
    """What came of it."""
    outcome = Outcome()
    ours, theirs = sides
    for dialogue in dialogues:
        hold(ours, theirs, dialogue, outcome)
    ours.close()
    theirs.close()
    return outcome


@pytest.mark.parametrize("node_id", NODES)
def test_changes_of_topics_go_the_same_way_through_each_node(both_clusters, node_id):
    outcome = held(sides_of(both_clusters, node_id), cluster_changes(node_id))
    assert not outcome.kinds, outcome.report()


@pytest.mark.parametrize("node_id", NODES)
def test_odd_requests_are_answered_alike_by_each_node(both_clusters, node_id):
    outcome = held(sides_of(both_clusters, node_id), odd_requests(node_id))
    assert not outcome.kinds, outcome.report()


@pytest.mark.parametrize("node_id", NODES)
def test_features_go_up_and_down_alike_through_each_node(both_clusters, node_id):
    outcome = held(sides_of(both_clusters, node_id), feature_dialogues())
    assert not outcome.kinds, outcome.report()


@pytest.mark.parametrize("about", DIALOGUES)
def test_the_same_dialogues_go_the_same_way_with_who_leads_now(both_clusters, prepared, about):
    node_id, dialogues = DIALOGUES[about]
    sides = led_by(both_clusters, prepared, node_id)
    time.sleep(SETTLING_NS / 1e9)  # the next test is of what is answered before
    outcome = held(sides, dialogues())
    assert not outcome.kinds, outcome.report()


def code_of_gap(side, sequence):
    request = produce(sequenced(PRODUCER, sequence), partition=PARTITION)
    return side.ask(resolved(request, side), 9).responses[0].partition_responses[0].error_code


def led_by(both_clusters, ids, node_id):
    """Both sides through the node that leads now."""
    sides = sides_of(both_clusters, node_id, ids)
    for side in sides:
        move_all_leaders(side, node_id, NODES)
    return sides


def test_a_gap_is_out_of_order_to_both_and_to_ours_once_the_leader_has_settled(
    both_clusters, prepared
):
    former = led_by(both_clusters, prepared, 1)
    for side in former:
        until(partial(takes_first, side))
    ours, theirs = led_by(both_clusters, prepared, 2)
    answers = [code_of_gap(ours, 5)]
    assert code_of_gap(theirs, 5) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    while answers[-1] == ErrorCode.NOT_LEADER_OR_FOLLOWER:
        answers.append(code_of_gap(ours, 5))
    assert answers[-1] == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert code_of_gap(ours, 1) == code_of_gap(theirs, 1) == 0
    for side in (*former, ours, theirs):
        side.close()


def takes_first(side):
    return code_of_gap(side, 0) == 0


def test_writes_are_refused_alike_where_too_few_replicas_are_in_sync(both_clusters, prepared):
    sides = led_by(both_clusters, prepared, 1)
    outcome = held(sides, [isr_dialogues.made()])
    assert not outcome.kinds, outcome.report()
    for nodes in both_clusters:
        nodes[isr_dialogues.STOPPED].stop()
    scenarios = (isr_dialogues.refused, isr_dialogues.changed, isr_dialogues.transaction)
    try:
        outcome = held(sides, [scenario() for scenario in scenarios])
        assert not outcome.kinds, outcome.report()
    finally:
        for nodes in both_clusters:
            nodes[isr_dialogues.STOPPED].start()
    outcome = held(sides, [isr_dialogues.whole_again()])
    assert not outcome.kinds, outcome.report()
