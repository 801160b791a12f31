"""How much moving partitions may take from brokers: limits that are set and lifted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from moldau.client import TopicPartition
from moldau.client.admin import ConfigResource, Reassignment
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.flags import Given
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.reassignment_plans import Plan

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["Move", "all_moves", "clear_throttles", "set_throttles"]

OF_BROKERS = ("leader.replication.throttled.rate", "follower.replication.throttled.rate")
OF_DIRS = "replica.alter.log.dirs.io.max.bytes.per.second"
OF_TOPICS = ("leader.replication.throttled.replicas", "follower.replication.throttled.replicas")
LIFTED_LATER = (
    "Warning: You must run --verify periodically, until the reassignment completes, to ensure the "
    "throttle is removed."
)
Settings = dict[str, str | None]


class Move(NamedTuple):
    """Brokers that have a partition, and others that shall have it."""

    sources: frozenset[int]
    targets: frozenset[int]


Moves = dict[TopicPartition, Move]


def all_moves(moving: Mapping[TopicPartition, Reassignment], plan: Plan, now: Plan) -> Moves:
    """Those that go on, and those of the plan: a throttle is set anew for all of them."""
    found: Moves = {}
    for part, move in moving.items():
        adding = frozenset(move.adding)
        found[part] = Move(frozenset(move.replicas) - adding, adding)
    for part, wanted in plan.replicas.items():
        there = found[part].sources if part in found else frozenset(now.replicas[part])
        found[part] = Move(there, frozenset(wanted) - there)
    return found


def set_throttles(given: Given, plan: Plan, moves: Moves, admin: Admin, world: World) -> None:
    rate = _rate(given, "throttle")
    dirs_rate = _rate(given, "replica-alter-log-dirs-throttle")
    if rate is None and dirs_rate is None:
        return
    print(LIFTED_LATER, file=world.out)
    if rate is not None:
        admin.incremental_alter_configs(_throttled_replicas(moves)).all()
        brokers = set().union(*(move.sources | move.targets for move in moves.values()))
        _set_rates(brokers, dict.fromkeys(OF_BROKERS, str(rate)), admin)
        print(f"The inter-broker throttle limit was set to {rate} B/s", file=world.out)
    if dirs_rate is not None:
        _set_rates({one.node_id for one in plan.dirs}, {OF_DIRS: str(dirs_rate)}, admin)
        print(f"The replica-alter-dir throttle limit was set to {dirs_rate} B/s", file=world.out)


def _rate(given: Given, name: str) -> int | None:
    """None where it is not given, or below 0."""
    rate = given.number(name)
    return None if rate is not None and rate < 0 else rate


def _set_rates(brokers: set[int], rates: Settings, admin: Admin) -> None:
    errors = _alter_brokers(brokers, rates, admin)
    if errors:
        raise MoldauError(
            f"{java_cause_of(next(iter(errors.values())))}; nothing was moved, and throttles that "
            "are set already stay until --verify lifts them"
        )


def _alter_brokers(brokers: Iterable[int], rates: Settings, admin: Admin) -> dict[int, MoldauError]:
    """Of those that it failed for, why."""
    by_resource = {ConfigResource.broker(broker): broker for broker in sorted(brokers)}
    outcomes = admin.incremental_alter_configs(dict.fromkeys(by_resource, rates))
    return {by_resource[one]: error for one, error in outcomes.errors.items()}


def _throttled_replicas(moves: Moves) -> dict[ConfigResource, Settings]:
    """Sources at leaders, and destinations at followers, as `partition:broker`."""
    found: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for part, move in moves.items():
        for entries, brokers in zip(found[part.topic], move, strict=True):
            entries.update(f"{part.partition}:{broker}" for broker in brokers)
    return {
        ConfigResource.topic(topic): {
            name: ",".join(sorted(entries)) for name, entries in zip(OF_TOPICS, lists, strict=True)
        }
        for topic, lists in found.items()
    }


def clear_throttles(plan: Plan, admin: Admin, world: World) -> None:
    """Everywhere; where a broker is down Kafka's tool leaves those of topics."""
    there = {node.node_id for node in admin.describe_cluster().nodes}
    named = {broker for replicas in plan.replicas.values() for broker in replicas}
    brokers = sorted(there | named)
    shown, plural = ",".join(map(str, brokers)), "s" if len(brokers) > 1 else ""
    print(f"Clearing broker-level throttles on broker{plural} {shown}", file=world.out)
    lifted: Settings = dict.fromkeys((*OF_BROKERS, OF_DIRS))
    errors = _alter_brokers(brokers, lifted, admin)
    topics = sorted({part.topic for part in plan.replicas})
    plural = "" if len(topics) == 1 else "s"
    print(f"Clearing topic-level throttles on topic{plural} {','.join(topics)}", file=world.out)
    if topics:
        free: Settings = dict.fromkeys(OF_TOPICS)
        admin.incremental_alter_configs(
            {ConfigResource.topic(topic): free for topic in topics}
        ).all()
    if errors:
        plural = "s" if len(errors) > 1 else ""
        raise MoldauError(
            f"{java_cause_of(next(iter(errors.values())))}; all other throttles are lifted: run "
            f"--verify again when broker{plural} {','.join(map(str, errors))} can be reached"
        )
