"""How often the metadata had a change that operators watch for.

Who leaves an ISR, or which broker is taken for dead, is written nowhere but in the difference of
two images, so these are counted as the images come by. The first one is the beginning and counts
nothing.
"""

from __future__ import annotations

from moldau.broker.metadata.cluster import BrokerState
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import NO_LEADER, PartitionState

__all__ = ["Changes"]


class Changes:
    """Counts, since this node has started."""

    def __init__(self, node_id: int) -> None:
        self._node_id = node_id
        self._is_begun = False
        self.isr_shrinks = 0
        """Of partitions that this broker leads."""
        self.isr_expands = 0
        """The same."""
        self.elections = 0
        """A partition has got another leader."""
        self.unclean_elections = 0
        """It was not in sync, and something may be lost."""
        self.eligible_elections = 0
        """It was not in sync, but an eligible leader replica (KIP-966): nothing is lost."""
        self.active_controllers = 0
        """Another epoch of the quorum has written something."""
        self.heartbeats_missed = 0
        """A broker was fenced without a controlled shutdown."""

    def __repr__(self) -> str:
        return f"Changes({self.isr_shrinks} shrinks, {self.elections} elections)"

    def follow(self, delta: Delta, image: Image) -> None:
        """One change of the metadata."""
        before = delta.image
        self.active_controllers += image.epoch != before.epoch
        if not self._is_begun:
            self._is_begun = True
            return
        for topic_id in delta.changed_topics:
            old, new = before.topics.by_id.get(topic_id), image.topics.by_id.get(topic_id)
            if old is not None and new is not None and old is not new:
                for index, state in new.partitions.items():
                    self._compare(old.partitions.get(index), state)
        if image.cluster is not before.cluster:
            for broker_id, broker in image.cluster.brokers.items():
                self._compare_broker(before.cluster.brokers.get(broker_id), broker)

    def _compare(self, old: PartitionState | None, new: PartitionState) -> None:
        if old is None or old is new:
            return
        if new.leader == self._node_id:
            self.isr_shrinks += bool(set(old.isr) - set(new.isr))
            self.isr_expands += bool(set(new.isr) - set(old.isr))
        if new.leader not in (old.leader, NO_LEADER):
            self.elections += 1
            is_eligible = new.leader in old.eligible_leader_replicas
            self.eligible_elections += is_eligible
            self.unclean_elections += new.leader not in old.isr and not is_eligible

    def _compare_broker(self, old: BrokerState | None, new: BrokerState) -> None:
        if old is None or old.incarnation_id != new.incarnation_id:
            return
        is_lost = new.fenced and not old.fenced and not new.in_controlled_shutdown
        self.heartbeats_missed += is_lost
