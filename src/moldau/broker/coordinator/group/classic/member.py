"""A member of a classic group: what it sent in JoinGroup, and what it waits for.

What it can do is a list of protocols (assignors, for consumers) in the order of its preference,
each with metadata for the leader: opaque here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from moldau.broker.coordinator.encoded_decision import Ticket
from moldau.platform.quick_dataclass import dataclass


class MemberProtocol(NamedTuple):
    """An assignor that the member supports, with its metadata."""

    name: str
    metadata: bytes


@dataclass(slots=True)
class ClassicMember:
    """One member; waiting tickets are volatile, and so is whether it is new."""

    member_id: str
    instance_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: int
    session_timeout_ms: int
    protocols: tuple[MemberProtocol, ...]
    assignment: bytes = b""
    is_new: bool = False
    """Its first join has not been answered: its client has no member id for a heartbeat."""
    joining: Ticket | None = None
    syncing: Ticket | None = None

    @property
    def is_static(self) -> bool:
        return self.instance_id is not None

    @property
    def is_excused(self) -> bool:
        """Whether no heartbeat is due: a response to it is pending."""
        return not self.is_new and (self.joining is not None or self.syncing is not None)

    def metadata(self, protocol_name: str | None) -> bytes:
        """Its metadata for this protocol; empty if it does not have it."""
        for name, metadata in self.protocols:
            if name == protocol_name:
                return metadata
        return b""

    def protocol_names(self) -> set[str]:
        return {name for name, _ in self.protocols}

    def vote(self, candidates: Collection[str]) -> str:
        """The first of its protocols that is a candidate."""
        return next(name for name, _ in self.protocols if name in candidates)


def protocols_of_all(members: Iterable[ClassicMember]) -> set[str] | None:
    """The names of protocols that every member supports; None where there is no member to ask."""
    known = [member.protocol_names() for member in members]
    return set.intersection(*known) if known else None


def chosen_protocol(members: Collection[ClassicMember]) -> str:
    """The protocol with the most votes among those that all members support.

    With equal votes it is the first that was voted for.
    """
    candidates = protocols_of_all(members) or set()
    votes = [member.vote(candidates) for member in members]
    return max(dict.fromkeys(votes), key=votes.count)
