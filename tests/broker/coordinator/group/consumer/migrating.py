"""Groups with members of both protocols."""

from __future__ import annotations

from dataclasses import dataclass

from moldau.broker.coordinator.group.consumer.embedded import assignment_for, assignment_in
from tests.broker.coordinator.group.classic.conversation import enter, join, sync
from tests.broker.coordinator.group.consumer.conversation import Client, id_of, settle, stage
from tests.broker.coordinator.group.coordinator import Coordinator, Reply


@dataclass
class Mixed:
    """A consumer group with a classic member and one of the new protocol."""

    coordinator: Coordinator
    classic: str
    modern: Client


def classic_group() -> tuple[Coordinator, str]:
    """A stable classic group with one member that has all of `t`."""
    coordinator = stage()
    member_id, _ = enter(coordinator)
    coordinator.pass_ms(3_000)
    everything = assignment_for(b"\0\3", {id_of("t"): range(4)}, coordinator.image)
    coordinator >> sync(member_id, 1, {member_id: everything})
    return coordinator, member_id


def mixed() -> Mixed:
    """The classic group, after another member has joined with the new protocol."""
    coordinator, classic = classic_group()
    modern = Client(coordinator, "new")
    modern.beat()
    rejoin(coordinator, classic)
    settle(coordinator, modern, rounds=3)
    rejoin(coordinator, classic)
    settle(coordinator, modern, rounds=1)
    return Mixed(coordinator, classic, modern)


def rejoin(coordinator: Coordinator, member_id: str) -> Reply:
    """The classic member joins with nothing in its hands, and asks for its assignment."""
    reply = coordinator >> join(member_id)
    assert reply.code == 0, reply
    return coordinator >> sync(member_id, reply.answer.generation_id)


def partitions_in(reply: Reply) -> list[int]:
    """The partitions of `t` in the answer to a sync."""
    entries = assignment_in(reply.answer.assignment).assigned_partitions
    return sorted(index for entry in entries for index in entry.partitions)
