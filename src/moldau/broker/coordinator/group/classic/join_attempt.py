"""One JoinGroup request on its way into a group."""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.coordinator.group.classic.answers import join_refusal
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember, MemberProtocol
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.shard import RequestContext
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.group.join_group import JoinGroupRequest, JoinGroupResponse

UUID_SIZE = 16


class JoinAttempt(NamedTuple):
    """A member that joins, its group, and the decision that grows out of it."""

    group: ClassicGroup
    request: JoinGroupRequest
    asking: RequestContext
    draft: Draft
    now_ms: int

    def answer(self, response: JoinGroupResponse) -> None:
        self.draft.reply(self.asking.ticket, response)

    def refuse(self, code: int, member_id: str = "") -> None:
        self.answer(join_refusal(member_id, code))

    def as_member(self, member_id: str) -> ClassicMember:
        """The member that the request would make."""
        return ClassicMember(
            member_id,
            self.request.group_instance_id,
            self.asking.client_id,
            self.asking.client_host,
            self.rebalance_timeout_ms,
            self.request.session_timeout_ms,
            self.protocols,
        )

    @property
    def protocols(self) -> tuple[MemberProtocol, ...]:
        offered = self.request.protocols
        return tuple(MemberProtocol(one.name, bytes(one.metadata)) for one in offered)

    @property
    def rebalance_timeout_ms(self) -> int:
        """The oldest clients know one timeout for both."""
        if self.asking.version == 0:
            return self.request.session_timeout_ms
        return self.request.rebalance_timeout_ms

    def invented_member_id(self, random: Random) -> str:
        """As Kafka makes it: a name for people and a random UUID."""
        name = self.request.group_instance_id
        return f"{self.asking.client_id if name is None else name}-{random_uuid(random)}"


def random_uuid(random: Random) -> str:
    """A random UUID as Java writes it."""
    number = bytearray(random.randbytes(UUID_SIZE))
    number[6] = number[6] & 0x0F | 0x40
    number[8] = number[8] & 0x3F | 0x80
    text = number.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
