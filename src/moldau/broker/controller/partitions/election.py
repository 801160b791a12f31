"""Who leads a partition.

In sync comes first; if none is in sync, an eligible replica (it left the set while that was too
small to acknowledge anything); if there is none of those either, the last known leader; then, only
if the topic allows it, any live replica. The last two are unclean: records may be lost.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.controller.partitions.target import Election, Rules, Target
from moldau.broker.metadata.topics import NO_LEADER


class Elected(NamedTuple):
    """The outcome."""

    leader: int
    unclean: bool = False


def elect(target: Target, election: Election, rules: Rules) -> Elected:
    """The leader of the partition as it shall be; NO_LEADER if none can lead."""
    clean = _clean_leader(target, election, rules)
    if clean != NO_LEADER:
        return Elected(clean)
    if _last_leader_may_lead(target, rules):
        return Elected(target.state.last_known_elr[0], unclean=True)
    if election is Election.UNCLEAN:
        for replica in target.replicas:
            if rules.may_lead(replica):
                return Elected(replica, unclean=True)
    return Elected(NO_LEADER)


def _clean_leader(target: Target, election: Election, rules: Rules) -> int:
    candidates = [target.state.leader, *target.replicas]
    if election is Election.PREFERRED:
        candidates.insert(0, target.replicas[0])
    for replica in candidates:
        if _is_clean(replica, target) and rules.may_lead(replica):
            return replica
    return NO_LEADER


def _is_clean(replica: int, target: Target) -> bool:
    return replica in target.isr or (not target.isr and replica in target.elr)


def _last_leader_may_lead(target: Target, rules: Rules) -> bool:
    if not rules.elr_enabled or target.elr or target.isr:
        return False
    known = target.state.last_known_elr
    return len(known) == 1 and rules.may_lead(known[0])
