"""Effects of the groups' shards on their broker, and what it answers them about their clients.

A shard knows its caller by the call that it was given as `correlation`.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.sync import RebalanceCompleted
from moldau.broker.coordinator.group.streams.heartbeat import CreateInternalTopics
from moldau.broker.metrics.kinds import Meter
from moldau.broker.metrics.registry import Registry
from moldau.broker.security.access import CLUSTER_NAME, Operation, Resource
from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.share import preparation as share_preparation

__all__ = ["carry_out", "completed_rebalances", "may_describe"]


def carry_out(broker: Broker, effect: object) -> None:
    """Do what was decided, now that it is in the shard's log."""
    if isinstance(effect, RebalanceCompleted):
        completed_rebalances(broker.metrics).mark()
    elif isinstance(effect, CreateInternalTopics):
        _create_topics(broker, effect)
    else:
        share_preparation.carry_out(broker, effect)


def completed_rebalances(registry: Registry) -> Meter:
    """How often a classic group has got its assignments."""
    return registry.meter(
        "kafka.server", "group-coordinator-metrics", "group-completed-rebalance-count"
    )


def _create_topics(broker: Broker, effect: CreateInternalTopics) -> None:
    """Topics are made in the name of the member that needs them, all or none."""
    caller = effect.caller
    if not isinstance(caller, Call):
        return
    allows = broker.authorizer.allows
    if allows(caller, Operation.CREATE, Resource.CLUSTER, CLUSTER_NAME) or all(
        allows(caller, Operation.CREATE, Resource.TOPIC, topic.name) for topic in effect.topics
    ):
        broker.topic_creation.begin_described(broker, effect.topics)


def may_describe(broker: Broker, caller: object, topic: str) -> bool:
    """Whether the sender of a request may describe a topic."""
    if not isinstance(caller, Call):
        return True
    return broker.authorizer.allows(caller, Operation.DESCRIBE, Resource.TOPIC, topic)
