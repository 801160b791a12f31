"""A quorum without a leader is a line of the log, once, and so is the leader that ends it.

An election takes less than a second. Where nothing leads for some seconds, too few voters are there
or this node does not reach them, and only the reasons why its requests fail show which. They
are looked at again from time to time, but the log has one line for one outage.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.roles import Follower, Leader

__all__ = ["has_leader", "report"]

log = logging.getLogger(__name__)

SHOWN_MAX = 5
"""Reasons in one line; a quorum has hardly more voters."""


def has_leader(node: QuorumNode) -> bool:
    """Whether it leads with a majority, or has fetched from the one that leads."""
    match node.role:
        case Leader(start_offset=start_offset):
            return node.high_watermark > start_offset
        case Follower(has_fetched=has_fetched):
            return has_fetched
        case _:
            return False


def report(node: QuorumNode, reasons: Iterable[str], elapsed_ms: int, *, is_reported: bool) -> bool:
    """Write the line that is due; whether an outage is reported that has not ended."""
    if has_leader(node):
        if is_reported:
            log.info("Node %s leads the metadata quorum, in epoch %d", node.leader_id, node.epoch)
        return False
    if not is_reported:
        log.warning("%s", _outage(node, list(reasons), elapsed_ms / 1000))
    return True


def _outage(node: QuorumNode, reasons: list[str], elapsed_s: float) -> str:
    text = f"The metadata quorum has no leader for {elapsed_s:g} s, so nothing can be changed. "
    if node.voters:
        voters = ", ".join(str(node_id) for node_id in sorted(node.voters.ids))
        text += f"Needed: {node.voters.majority} of the voters {voters}. "
    known = "; ".join(reasons[:SHOWN_MAX]) or "all nodes that were asked answer"
    return text + f"Found: {known}"
