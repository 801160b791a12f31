"""How much moving partitions may take from brokers: limits that are set and lifted."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from moldau.client.admin import ConfigResource
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Given
from moldau.programs.tools.kafka.reassignment_plans import Plan

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["clear_throttles", "set_throttles"]

OF_BROKERS = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
OF_DIRS = "replica.alter.log.dirs.io.max.bytes.per.second"
OF_TOPICS = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")
LIFTED_LATER = (
    "Warning: You must run --verify periodically, until the reassignment completes, to ensure the "
    "throttle is removed."
)
Settings = dict[str, str | None]


def set_throttles(given: Given, plan: Plan, now: Plan, admin: Admin, world: World) -> None:
    rate = _rate(given, "throttle")
    dirs_rate = _rate(given, "replica-alter-log-dirs-throttle")
    if rate is None and dirs_rate is None:
        return
    print(LIFTED_LATER, file=world.out)
    changes: dict[ConfigResource, Settings] = defaultdict(dict)
    if rate is not None:
        for topic, settings in _throttled_replicas(plan, now).items():
            changes[ConfigResource.topic(topic)] |= settings
        for broker in _brokers(plan, now):
            changes[ConfigResource.broker(broker)] |= dict.fromkeys(OF_BROKERS, str(rate))
        print(f"The inter-broker throttle limit was set to {rate} B/s", file=world.out)
    if dirs_rate is not None:
        for replica in plan.dirs:
            changes[ConfigResource.broker(replica.node_id)][OF_DIRS] = str(dirs_rate)
        print(f"The replica-alter-dir throttle limit was set to {dirs_rate} B/s", file=world.out)
    admin.incremental_alter_configs(changes).all()


def _rate(given: Given, name: str) -> int | None:
    """None where it is not given, or below 0."""
    rate = given.number(name)
    return None if rate is not None and rate < 0 else rate


def _brokers(plan: Plan, now: Plan) -> list[int]:
    """From which and to which something moves."""
    both = (set(plan.replicas[part]) | set(now.replicas.get(part, ())) for part in plan.replicas)
    return sorted(set().union(*both))


def _throttled_replicas(plan: Plan, now: Plan) -> dict[str, Settings]:
    """Sources at leaders, and destinations at followers, as `partition:broker`."""
    sources: dict[str, list[str]] = defaultdict(list)
    targets: dict[str, list[str]] = defaultdict(list)
    for part, wanted in sorted(plan.replicas.items()):
        there = now.replicas.get(part, ())
        sources[part.topic] += [f"{part.partition}:{broker}" for broker in there]
        targets[part.topic] += [
            f"{part.partition}:{broker}" for broker in wanted if broker not in there
        ]
    found: dict[str, Settings] = {}
    for topic in sources:
        lists = (sources[topic], targets[topic])
        found[topic] = {
            name: ",".join(entries)
            for name, entries in zip(OF_TOPICS, lists, strict=True)
            if entries
        }
    return found


def clear_throttles(plan: Plan, admin: Admin, world: World) -> None:
    there = {node.node_id for node in admin.describe_cluster().nodes}
    named = {broker for replicas in plan.replicas.values() for broker in replicas}
    brokers = sorted(there | named)
    shown, plural = ",".join(map(str, brokers)), "s" if len(brokers) > 1 else ""
    print(f"Clearing broker-level throttles on broker{plural} {shown}", file=world.out)
    lifted: Settings = dict.fromkeys((*OF_BROKERS, OF_DIRS))
    admin.incremental_alter_configs(
        {ConfigResource.broker(broker): lifted for broker in brokers}
    ).all()
    topics = sorted({part.topic for part in plan.replicas})
    plural = "" if len(topics) == 1 else "s"
    print(f"Clearing topic-level throttles on topic{plural} {','.join(topics)}", file=world.out)
    if topics:
        free: Settings = dict.fromkeys(OF_TOPICS)
        admin.incremental_alter_configs(
            {ConfigResource.topic(topic): free for topic in topics}
        ).all()
