"""What follows from a change of the quorum's leader, beside the quorum itself.

The node is called when the leader it had is the leader no more; and where none has come after some
seconds, the log has a line.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from moldau.broker.quorum.node import QuorumNode
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Tasks, Timer

__all__ = ["LeaderChanges"]

LEADERLESS = "moldau.broker.runtime.quorum.leaderless"
"""Imported when an election may have taken too long."""
LEADERLESS_MS = 5_000
"""An election takes less than a second, and a slow machine some more."""


class LeaderChanges:
    """Of one node's quorum."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self.when_lost: Callable[[Address], None] = lambda address: None
        """Called with where the leader was, when it is not the leader any more."""
        self._leader_was: Address | None = None
        self._timer: Timer | None = None
        self._is_reported = False
        self._is_over = False

    def __repr__(self) -> str:
        return f"LeaderChanges(leader was at {self._leader_was})"

    def changed(
        self, node: QuorumNode, leader: Address | None, troubles: Callable[[], list[str]]
    ) -> None:
        """The role of this node has changed; `troubles` has the reasons why its requests fail."""
        leader_was, self._leader_was = self._leader_was, leader
        if leader_was is not None and leader_was != leader:
            self.when_lost(leader_was)
        self._expect_leader(node, troubles)

    def end(self) -> None:
        """The quorum stops."""
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()

    def _expect_leader(self, node: QuorumNode, troubles: Callable[[], list[str]]) -> None:
        """Some seconds from now there should be one."""
        if self._timer is None and not self._is_over:
            self._timer = self._tasks.after(LEADERLESS_MS, lambda: self._look(node, troubles))

    def _look(self, node: QuorumNode, troubles: Callable[[], list[str]]) -> None:
        self._timer = None
        leaderless = import_module(LEADERLESS)
        self._is_reported = leaderless.report(
            node, troubles(), LEADERLESS_MS, is_reported=self._is_reported
        )
        if self._is_reported:
            self._expect_leader(node, troubles)
