"""What partitions do when a broker comes, goes, or comes back without what it had."""

from __future__ import annotations

from itertools import chain

from moldau.broker.controller.configs.effective import allows_unclean_election, min_isr
from moldau.broker.controller.partitions.change import change_record
from moldau.broker.controller.partitions.target import Election, PartitionChange, Rules
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import is_online
from moldau.broker.metadata.topics import PartitionState, TopicState
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord

NO_BROKER = -1


def rules_for(
    situation: Situation,
    topic: TopicState,
    state: PartitionState,
    *,
    leaving: int = NO_BROKER,
    coming: int = NO_BROKER,
) -> Rules:
    """What holds for this partition while these brokers are about to go and to come."""

    def may_lead(broker_id: int) -> bool:
        broker = situation.broker(broker_id)
        directory = state.directory_of(broker_id)
        if broker is None or broker_id == leaving:
            return False
        if broker_id != coming and not situation.is_active(broker_id):
            return False
        return directory is None or is_online(broker, directory)

    version = situation.metadata_version
    return Rules(
        may_lead=may_lead,
        default_directory=situation.default_directory,
        min_isr=min(min_isr(situation, topic.name), len(state.replicas)),
        elr_enabled=situation.elr_enabled,
        has_directories=version.has_directory_assignment,
        bumps_epoch_on_isr_shrink=version.bumps_leader_epoch_on_isr_shrink,
    )


def when_leaving(situation: Situation, broker_id: int) -> list[PartitionChangeRecord]:
    """The broker is fenced or shuts down: it leaves every in-sync set and leads nothing."""
    return [
        record
        for topic, index, state in situation.replicas.on_broker(broker_id)
        if broker_id in state.isr
        and (record := without_broker(situation, topic, index, state, broker_id))
    ]


def when_gone(situation: Situation, broker_id: int) -> list[PartitionChangeRecord]:
    """The broker is unregistered: it is not eligible any more either."""
    return when_leaving(situation, broker_id) + [
        record
        for topic, index, state in situation.replicas.eligible(broker_id)
        if broker_id not in state.isr
        and (record := without_broker(situation, topic, index, state, broker_id))
    ]


def when_restarted_unclean(situation: Situation, broker_id: int) -> list[PartitionChangeRecord]:
    """The broker may lack what it had acknowledged: nothing that it was counts any more."""
    if not situation.elr_enabled:
        return when_leaving(situation, broker_id)
    lost = frozenset((broker_id,))
    replicas = situation.replicas
    in_sync = (place for place in replicas.on_broker(broker_id) if broker_id in place[2].isr)
    eligible = (place for place in replicas.eligible(broker_id) if broker_id not in place[2].isr)
    return [
        record
        for topic, index, state in chain(in_sync, eligible)
        if (record := without_broker(situation, topic, index, state, broker_id, lost))
    ]


def when_directories_fail(
    situation: Situation, broker_id: int, failed: frozenset[bytes]
) -> list[PartitionChangeRecord]:
    """Whatever lies in these directories of the broker is served by others from now on."""
    return [
        record
        for topic, index, state in situation.replicas.on_broker(broker_id)
        if state.directory_of(broker_id) in failed
        and (record := without_broker(situation, topic, index, state, broker_id))
    ]


def when_coming(situation: Situation, broker_id: int) -> list[PartitionChangeRecord]:
    """The broker is unfenced: it may lead what has no leader."""
    records = []
    for topic, index, state in situation.replicas.leaderless():
        election = usual_election(situation, topic.name)
        if broker_id not in state.replicas and election is not Election.UNCLEAN:
            continue  # nothing has changed for it; after a large failure these are many
        rules = rules_for(situation, topic, state, coming=broker_id)
        change = PartitionChange(election=election)
        if record := change_record(topic.topic_id, index, state, change, rules):
            records.append(record)
    return records


def usual_election(situation: Situation, topic: str) -> Election:
    if allows_unclean_election(situation, topic):
        return Election.UNCLEAN
    return Election.ONLINE


def without_broker(
    situation: Situation,
    topic: TopicState,
    index: int,
    state: PartitionState,
    broker_id: int,
    unclean_shutdown: frozenset[int] = frozenset(),
) -> PartitionChangeRecord | None:
    """What to write so that the broker is not in sync and does not lead."""
    change = PartitionChange(
        isr=tuple(replica for replica in state.isr if replica != broker_id),
        election=usual_election(situation, topic.name),
        unclean_shutdown=unclean_shutdown,
    )
    rules = rules_for(situation, topic, state, leaving=broker_id)
    return change_record(topic.topic_id, index, state, change, rules)
