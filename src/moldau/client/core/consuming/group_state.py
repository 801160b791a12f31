"""What a member of a group is at the moment, and what its consumer asks of it.

A membership is a dialogue that lasts as long as the membership. Beside questions and pauses it
yields changes: partitions that go and partitions that come. The consumer settles a change when its
user asks for records the next time, so that records already returned are done with before their
partition goes; meanwhile the membership goes on showing that it lives.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from typing import TypeAlias

from moldau.client.core.dialogue import Asks, Pause, Received
from moldau.client.core.group_member import NO_GENERATION, Membership
from moldau.client.topic_partition import TopicPartition
from moldau.platform.lazy_log import LazyLog
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass

__all__ = ["Await", "Change", "GroupState", "MemberDialogue", "drawn_member_id"]

log = LazyLog(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of what a consumer may read."""

    revoked: frozenset[TopicPartition] = frozenset()
    assigned: frozenset[TopicPartition] = frozenset()
    is_loss: bool = False
    """What is revoked belongs to another member already: nothing can be committed for it."""

    def __bool__(self) -> bool:
        return bool(self.revoked or self.assigned)


@dataclass(frozen=True, slots=True)
class Await:
    """Have the change settled; go on after that, or after this time, whichever is first."""

    change: Change
    duration_ms: float


MemberDialogue: TypeAlias = Generator[Asks | Pause | Await, Received, None]


def drawn_member_id(random: Random) -> str:
    """Members make up their ids themselves (KIP-1082)."""
    digits = random.randbytes(16).hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


class GroupState:
    """Shared by a membership and its consumer: each changes what is its own."""

    def __init__(self, group: str, instance_id: str | None) -> None:
        self.group = group
        self.instance_id = instance_id
        # The consumer's:
        self.topics: frozenset[str] = frozenset()
        """What it subscribes to, by names; patterns have been looked up."""
        self.server_pattern: str | None = None
        self.is_leaving = False
        self.is_settled = True
        """Whether the change that was yielded last has been settled."""
        self.polled_ms: float | None = None
        """When the last poll ended, or the subscription began; None during a poll."""
        # The membership's:
        self.member_id = ""
        self.generation = NO_GENERATION
        self.owned: frozenset[TopicPartition] = frozenset()

    def __repr__(self) -> str:
        return (
            f"<GroupState {self.group}: {self.member_id or 'no member'}, {len(self.owned)} owned>"
        )

    @property
    def membership(self) -> Membership:
        """The member, in the form in which commits name it."""
        return Membership(self.group, self.generation, self.member_id, self.instance_id)

    def is_idle(self, now_ms: float, limit_ms: int) -> bool:
        """Whether there was no poll for so long: others are to have its partitions."""
        return self.polled_ms is not None and now_ms - self.polled_ms >= limit_ms

    def warn_of_leaving(self, limit_ms: int) -> None:
        """It is idle; one that has not joined has nothing to leave."""
        if self.generation > 0:
            log.warning(
                "no records were asked for in %d ms (max.poll.interval.ms), so this member of "
                "group %s leaves it until they are: poll more often, or raise that",
                limit_ms,
                self.group,
            )

    def lose(self, pending: Change | None = None) -> Change:
        """Everything is lost; of a change that was not settled, what goes is there still, and what
        comes is not there yet."""
        parts = self.owned
        if pending is not None:
            parts = (parts - pending.assigned) | pending.revoked
        self.owned = frozenset()
        return Change(revoked=parts, is_loss=True)

    def own(self, change: Change) -> None:
        """What the change comes to."""
        self.owned = (self.owned - change.revoked) | change.assigned

    def gain(self, parts: Collection[TopicPartition]) -> Change:
        """What has to happen so that these are owned."""
        wanted = frozenset(parts)
        return Change(self.owned - wanted, wanted - self.owned)
