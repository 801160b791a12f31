"""A member of a share group, as its records say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from moldau.platform.quick_dataclass import dataclass

Assignment = Mapping[bytes, Collection[int]]
"""Partitions by topic id."""

LEFT = -1
JOINS = 0


@dataclass(frozen=True, slots=True)
class ShareMember:
    """Its identity, its subscription, what it has."""

    member_id: str
    rack_id: str | None = None
    client_id: str = ""
    client_host: str = ""
    topic_names: tuple[str, ...] = ()
    """In order, each once."""
    epoch: int = JOINS
    previous_epoch: int = LEFT
    """Accepted once more, if the member missed an answer."""
    assigned: Assignment = field(default_factory=dict)


def is_same(one: Assignment, other: Assignment) -> bool:
    """Whether both give the same, in whichever order."""
    return one.keys() == other.keys() and all(
        set(one[topic_id]) == set(other[topic_id]) for topic_id in one
    )
