"""A member's next step towards the tasks that it shall run.

As in consumer groups, with three roles. An active task must be nowhere else, and its process must
not have it in another role; a standby or warm-up task must not be in its process yet, because the
threads of a process share one directory for its state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from moldau.broker.coordinator.group.streams.member import StreamsMember, StreamsState
from moldau.broker.coordinator.group.streams.tasks import OwnedTasks, TaskId, TaskMap, Tasks
from moldau.errors import KafkaError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode


@dataclass(frozen=True, slots=True)
class Aim:
    """Where a member shall go."""

    epoch: int
    target: Tasks
    is_active: Callable[[TaskId], bool]
    """Whether a member runs this task actively."""
    is_in_process: Callable[[TaskId], bool]
    """Whether the member's process has this task in any role."""


@dataclass(frozen=True, slots=True)
class _Difference:
    """The tasks of one role: what stays, goes and comes."""

    kept: dict[str, dict[int, int]]
    revoked: dict[str, dict[int, int]]
    added: dict[str, dict[int, int]]
    is_waiting: bool


def reconcile(member: StreamsMember, aim: Aim, reported: Tasks | None) -> StreamsMember:
    """The member after its next step; the same one if there is none to take."""
    match member.state:
        case StreamsState.STABLE:
            return member if member.epoch == aim.epoch else _advance(member, aim, reported)
        case StreamsState.UNREVOKED:
            if reported is None or member.to_revoke.has_any_of(reported):
                return member
            return _advance(member, aim, reported, member.epoch + 1)
        case StreamsState.UNRELEASED:
            return _advance(member, aim, reported)
        case StreamsState.UNKNOWN:
            if reported is None or any((reported.active, reported.standby, reported.warmup)):
                raise KafkaError(
                    ErrorCode.FENCED_MEMBER_EPOCH,
                    f"Member {member.member_id} is in a state that this coordinator does not know; "
                    "it has to give up all tasks and join again.",
                )
            return _advance(member, aim, reported)


def _advance(
    member: StreamsMember, aim: Aim, reported: Tasks | None, epoch_meanwhile: int | None = None
) -> StreamsMember:
    """To the target's epoch, or, if there is something to give up first, to the one meanwhile."""

    def is_taken(task: TaskId) -> bool:
        return aim.is_active(task) or aim.is_in_process(task)

    active = _difference(member.assigned.active, aim.target.active, aim.epoch, is_taken)
    standby = _difference(
        _timeless(member.assigned.standby), aim.target.standby, aim.epoch, aim.is_in_process
    )
    warmup = _difference(
        _timeless(member.assigned.warmup), aim.target.warmup, aim.epoch, aim.is_in_process
    )
    parts = (active, standby, warmup)
    revoked = _owned(active.revoked, standby.revoked, warmup.revoked)
    if not revoked.is_empty and (reported is None or revoked.has_any_of(reported)):
        return replace(
            member,
            state=StreamsState.UNREVOKED,
            epoch=member.epoch if epoch_meanwhile is None else epoch_meanwhile,
            previous_epoch=member.epoch,
            assigned=_owned(active.kept, standby.kept, warmup.kept),
            to_revoke=revoked,
        )
    is_waiting = any(part.is_waiting for part in parts)
    return replace(
        member,
        state=StreamsState.UNRELEASED if is_waiting else StreamsState.STABLE,
        epoch=aim.epoch,
        previous_epoch=member.epoch,
        assigned=_owned(*(_merged(part.kept, part.added) for part in parts)),
        to_revoke=OwnedTasks(),
    )


def _difference(
    present: Mapping[str, Mapping[int, int]],
    target: TaskMap,
    epoch: int,
    is_taken: Callable[[TaskId], bool],
) -> _Difference:
    kept: dict[str, dict[int, int]] = {}
    revoked: dict[str, dict[int, int]] = {}
    added: dict[str, dict[int, int]] = {}
    is_waiting = False
    for one, owned in present.items():
        wanted = target.get(one, frozenset())
        for partition, since in owned.items():
            (kept if partition in wanted else revoked).setdefault(one, {})[partition] = since
    for one, partitions in target.items():
        for partition in sorted(partitions - present.get(one, {}).keys()):
            if is_taken(TaskId(one, partition)):
                is_waiting = True
            else:
                added.setdefault(one, {})[partition] = epoch
    return _Difference(kept, revoked, added, is_waiting)


def _timeless(tasks: TaskMap) -> dict[str, dict[int, int]]:
    return {one: dict.fromkeys(partitions, 0) for one, partitions in tasks.items()}


def _merged(
    kept: dict[str, dict[int, int]], added: dict[str, dict[int, int]]
) -> dict[str, dict[int, int]]:
    return {one: {**kept.get(one, {}), **added.get(one, {})} for one in (*kept, *added)}


def _owned(
    active: dict[str, dict[int, int]],
    standby: dict[str, dict[int, int]],
    warmup: dict[str, dict[int, int]],
) -> OwnedTasks:
    return OwnedTasks(
        active,
        {one: frozenset(partitions) for one, partitions in standby.items()},
        {one: frozenset(partitions) for one, partitions in warmup.items()},
    )
