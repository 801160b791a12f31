"""Where an append comes from: it decides which rules the batches must obey."""

from __future__ import annotations

from enum import Enum


class AppendOrigin(Enum):
    """Kafka's four; the order has no meaning."""

    CLIENT = "client"
    """A producer: every rule applies."""
    REPLICATION = "replication"
    """A follower copies its leader, or recovery reads what was accepted once: no rule applies."""
    COORDINATOR = "coordinator"
    """Our own group or transaction coordinator: epochs are checked, sequences are not."""
    RAFT_LEADER = "raft leader"
    """The metadata quorum, which brings its own order."""
