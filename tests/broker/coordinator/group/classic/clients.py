"""Clients of a classic group that behave as real ones do, one step at a time.

A client joins, waits, and syncs; it beats while it has an assignment, and does what the errors
ask for. The leader deals the partitions out in turn. Clients fall silent, leave, and come back as
the same instance; coordinators move and disks refuse.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import heartbeat, join, leave, sync
from tests.broker.coordinator.group.coordinator import Coordinator, Reply

PARTITIONS = 4
FORGETS_ITSELF = (ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_INSTANCE_ID)


@dataclass
class Client:
    """One client; `owned` is what it was assigned in `generation`."""

    instance: str | None
    member_id: str = ""
    generation: int = -1
    owned: frozenset[int] | None = None
    phase: str = "join"
    asked: Reply | None = None
    is_alive: bool = True

    def step(self, coordinator: Coordinator) -> None:
        """Take what was answered, and ask for the next thing."""
        if not self.is_alive or (self.asked is not None and self.asked.is_waiting):
            return
        if self.asked is not None:
            reply, self.asked = self.asked, None
            getattr(self, f"_after_{self.phase}")(reply)
        self.asked = coordinator >> self._question()

    def _question(self):
        if self.phase == "join":
            return join(self.member_id, instance=self.instance)
        if self.phase == "sync":
            return sync(self.member_id, self.generation, self.brought, instance=self.instance)
        return heartbeat(self.member_id, self.generation, instance=self.instance)

    def _after_join(self, reply: Reply) -> None:
        if reply.code == ErrorCode.MEMBER_ID_REQUIRED:
            self.member_id = reply.answer.member_id
        elif reply.code in FORGETS_ITSELF:
            self.member_id = ""
        elif reply.code == 0:
            self.member_id, self.generation = reply.answer.member_id, reply.answer.generation_id
            leads = reply.answer.leader == self.member_id and not reply.answer.skip_assignment
            self.brought = deal([one.member_id for one in reply.answer.members]) if leads else None
            self.phase = "sync"

    def _after_sync(self, reply: Reply) -> None:
        if reply.code == 0:
            self.owned = frozenset(reply.answer.assignment)
            self.phase = "beat"
        else:
            self._join_again(reply.code)

    def _after_beat(self, reply: Reply) -> None:
        if reply.code not in (0, ErrorCode.COORDINATOR_NOT_AVAILABLE):
            self._join_again(reply.code)

    def _join_again(self, code: int) -> None:
        self.phase, self.owned = "join", None
        if code in FORGETS_ITSELF:
            self.member_id = ""

    brought: dict[str, bytes] | None = field(default=None)

    def fall_silent(self) -> None:
        self.is_alive, self.owned = False, None

    def come_back(self) -> None:
        """A new process: it remembers nothing but its instance."""
        self.__init__(self.instance)  # type: ignore[misc]

    def leave(self, coordinator: Coordinator) -> None:
        if self.is_alive and self.member_id:
            coordinator >> leave(self.member_id if self.instance is None else ("", self.instance))
        self.fall_silent()

    def lose_the_coordinator(self) -> None:
        """What was asked is never answered; ask the next one."""
        if self.asked is not None and self.asked.is_waiting:
            self.asked = None


def deal(members: list[str]) -> dict[str, bytes]:
    """Every partition to one of them."""
    hands: dict[str, list[int]] = {member: [] for member in members}
    for partition in range(PARTITIONS):
        hands[members[partition % len(members)]].append(partition)
    return {member: bytes(hand) for member, hand in hands.items()}
