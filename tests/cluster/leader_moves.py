"""Leaders and coordinators that go from node to node while something else is tried."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count, cycle

from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.cluster.nodes import Nodes
from tests.interop.differential.side import ClosedError, Side, SilentError

TIMEOUT_MS = 5_000
METADATA_VERSION = 12
PREFERRED = 0
PAUSES = 20
"""How many times as long as a move the pause after it is at least: on an overloaded machine a move
takes long, and so does all that clients have to get done before the next one."""


class LeaderMoves:
    """Everything is led by one node after the other."""

    def __init__(self, nodes: Nodes, pause_s: float) -> None:
        self._ids = tuple(range(1, len(nodes) + 1))
        self._sides = {one: Side(f"node {one}", nodes[one].client_port) for one in self._ids}
        self._pause_s = pause_s
        self._is_over = threading.Event()
        self.moved = 0
        """How often a partition got another leader."""

    def run(self) -> None:
        pause_s = self._pause_s
        for turn, node_id in zip(count(), cycle(self._ids), strict=False):
            if self._is_over.wait(pause_s):
                return
            began_s = time.monotonic()
            with suppress(ClosedError, SilentError, OSError):
                self._lead(self._sides[self._ids[turn // 2 % len(self._ids)]], node_id)
            pause_s = max(self._pause_s, (time.monotonic() - began_s) * PAUSES)

    def stop(self) -> None:
        self._is_over.set()

    def close(self) -> None:
        for side in self._sides.values():
            side.close()

    def _lead(self, side: Side, node_id: int) -> None:
        topics = side.ask(MetadataRequest(topics=None), METADATA_VERSION).topics
        of = AlterPartitionReassignmentsRequest.ReassignableTopic
        wanted = []
        for topic in topics:
            parts = [
                of.ReassignablePartition(
                    partition_index=part.partition_index,
                    replicas=sorted(part.replica_nodes, key=lambda one: one != node_id),
                )
                for part in topic.partitions
                if node_id in part.replica_nodes and part.leader_id != node_id
            ]
            wanted += [of(name=topic.name, partitions=parts)] if parts else []
        side.ask(AlterPartitionReassignmentsRequest(topics=wanted, timeout_ms=TIMEOUT_MS), 0)
        elects = ElectLeadersRequest(
            election_type=PREFERRED, topic_partitions=None, timeout_ms=TIMEOUT_MS
        )
        elected = side.ask(elects, 2).replica_election_results
        self.moved += sum(not one.error_code for of in elected for one in of.partition_result)


@contextmanager
def moving(nodes: Nodes, pause_s: float) -> Iterator[LeaderMoves]:
    """While this is open they move, after each pause to the next node."""
    moves = LeaderMoves(nodes, pause_s)
    thread = threading.Thread(target=moves.run)
    thread.start()
    try:
        yield moves
    finally:
        moves.stop()
        thread.join()
        moves.close()
