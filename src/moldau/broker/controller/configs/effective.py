"""Which value of a topic's setting is in force, as the controller sees it.

From the strongest: the topic's own, this node's dynamic one, that of all brokers, what stood in
this node's configuration when it started, the default.
"""

from __future__ import annotations

from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.settings import BROKER, CLUSTER_DEFAULT, TOPIC
from moldau.config.sources import BrokerLayers

MIN_ISR = "min.insync.replicas"
UNCLEAN_ELECTION = "unclean.leader.election.enable"


def layers(situation: Situation) -> BrokerLayers:
    """What was set for this node, by place."""
    configs = situation.image.configs
    return BrokerLayers(
        file=situation.settings.all_given,
        all_brokers=configs.of(BROKER, CLUSTER_DEFAULT),
        broker=configs.of(BROKER, str(situation.settings.node_id)),
    )


def min_isr(situation: Situation, topic: str) -> int:
    """So many must be in sync for a write with acks=all; not yet bounded by the replicas."""
    value = _dynamic(situation, topic, MIN_ISR)
    return situation.settings.min_insync_replicas if value is None else int(value)


def allows_unclean_election(situation: Situation, topic: str) -> bool:
    value = _dynamic(situation, topic, UNCLEAN_ELECTION)
    if value is None:
        return situation.settings.unclean_leader_election_enable
    return value == "true"


def _dynamic(situation: Situation, topic: str, name: str) -> str | None:
    configs = situation.image.configs
    node = str(situation.settings.node_id)
    for resource in ((TOPIC, topic), (BROKER, node), (BROKER, CLUSTER_DEFAULT)):
        if name in (values := configs.of(*resource)):
            return values[name]
    return None
