"""From a change of a partition to the record that makes it.

Every change of a partition goes through here, so that leader, in-sync set, eligible replicas and
moves always fit together. Only what differs is named in the record, and nothing is written if
nothing differs. A record that names a leader raises the leader epoch, even if it names the one that
leads: that is how brokers notice that a replica they replicate to is gone.

The last known leader is kept while a partition has none (KIP-966, unclean recovery "balanced").
"""

from __future__ import annotations

from moldau.broker.controller.partitions.election import elect
from moldau.broker.controller.partitions.target import PartitionChange, Rules, Target
from moldau.broker.metadata.topics import (
    NO_LEADER,
    NO_LEADER_CHANGE,
    NO_RECOVERY_CHANGE,
    RECOVERING,
    PartitionState,
)
from moldau.protocol.messages.stored.metadata_topics import PartitionChangeRecord


def change_record(
    topic_id: bytes, index: int, state: PartitionState, change: PartitionChange, rules: Rules
) -> PartitionChangeRecord | None:
    """The record that makes the change; None where all is so already."""
    record = PartitionChangeRecord(topic_id=topic_id, partition_id=index)
    target = Target.of(state, change)
    target.complete_move()
    if rules.elr_enabled:
        target.take_out_eligible(rules.min_isr, change.unclean_shutdown)
    _name_leader(record, target, change, rules)
    _name_eligible(record, target, rules)
    _name_isr(record, target, rules)
    if rules.elr_enabled:
        _name_last_leader(record, state)
    _name_replicas(record, target, rules)
    if target.recovery_state != state.recovery_state:
        record.leader_recovery_state = target.recovery_state
    return record if changes_anything(record) else None


def changes_anything(record: PartitionChangeRecord) -> bool:
    lists = (
        record.isr,
        record.replicas,
        record.removing_replicas,
        record.adding_replicas,
        record.directories,
        record.eligible_leader_replicas,
        record.last_known_elr,
    )
    numbers = (record.leader, record.leader_recovery_state)
    return any(named is not None for named in lists) or numbers != (
        NO_LEADER_CHANGE,
        NO_RECOVERY_CHANGE,
    )


def _name_leader(
    record: PartitionChangeRecord, target: Target, change: PartitionChange, rules: Rules
) -> None:
    elected = elect(target, change.election, rules)
    if elected.leader != target.state.leader:
        record.leader = elected.leader
        if elected.leader in target.elr:
            target.isr = (elected.leader,)
            target.elr = tuple(replica for replica in target.elr if replica != elected.leader)
    if elected.unclean and elected.leader != target.state.leader:
        record.isr = [elected.leader]
        if target.state.recovery_state != RECOVERING:
            record.leader_recovery_state = RECOVERING
            target.recovery_state = RECOVERING
    removed = set(target.state.replicas) - set(target.replicas)
    if removed and record.leader == NO_LEADER_CHANGE:
        record.leader = target.state.leader


def _name_eligible(record: PartitionChangeRecord, target: Target, rules: Rules) -> None:
    if record.isr is not None or not rules.elr_enabled:
        target.elr = ()
    if target.elr != target.state.eligible_leader_replicas:
        record.eligible_leader_replicas = list(target.elr)


def _name_isr(record: PartitionChangeRecord, target: Target, rules: Rules) -> None:
    if record.isr is None and target.isr != target.state.isr and (target.isr or rules.elr_enabled):
        record.isr = list(target.isr)
    shrinks = record.isr is not None and not set(target.state.isr) <= set(record.isr)
    if rules.bumps_epoch_on_isr_shrink and shrinks and record.leader == NO_LEADER_CHANGE:
        record.leader = target.state.leader


def _name_last_leader(record: PartitionChangeRecord, state: PartitionState) -> None:
    if record.leader == NO_LEADER and not state.last_known_elr:
        record.last_known_elr = [state.leader]
    elif record.leader >= 0 and state.last_known_elr:
        record.last_known_elr = []


def _name_replicas(record: PartitionChangeRecord, target: Target, rules: Rules) -> None:
    state = target.state
    if target.replicas and rules.has_directories:
        directories = tuple(
            target.directories.get(replica) or rules.default_directory(replica)
            for replica in target.replicas
        )
        if directories != state.directories:
            record.directories = list(directories)
    if target.replicas and target.replicas != state.replicas:
        record.replicas = list(target.replicas)
    if target.removing != state.removing_replicas:
        record.removing_replicas = list(target.removing)
    if target.adding != state.adding_replicas:
        record.adding_replicas = list(target.adding)
