"""Moves of replicas from one directory of their broker to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from moldau.client.admin import Replica, ReplicaLogDirs
from moldau.client.errors import RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.reassignment_plans import Plan
from moldau.protocol.wire.error_codes import ErrorCode

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["MovesTimedOutError", "cancel_moves", "print_moves", "start_moves"]

RETRY_S = 0.1
NS_PER_MS = 1_000_000


class MovesTimedOutError(MoldauError):
    """Replicas did not come to their broker in time to be moved there."""


def start_moves(dirs: Mapping[Replica, str], timeout_ms: int, admin: Admin, world: World) -> None:
    """A replica that is not on its broker yet is asked for again: it may still arrive."""
    deadline_ns = world.clock.monotonic_ns() + timeout_ms * NS_PER_MS
    pending = dict(dirs)
    while pending:
        outcomes = admin.alter_replica_log_dirs(pending)
        for replica, error in outcomes.errors.items():
            if not _may_come(error):
                raise MoldauError(
                    f"Failed to alter dir for {_shown(replica)}: {java_cause_of(error)}"
                )
        for replica in _in_order(outcomes.values):
            print(
                f"Successfully started moving log directory to {pending.pop(replica)} for replica "
                f"{replica.topic}-{replica.partition} with broker {replica.node_id} ",
                file=world.out,
            )
        if pending and world.clock.monotonic_ns() >= deadline_ns:
            plural = "s" if len(pending) > 1 else ""
            names = ",".join(map(_shown, _in_order(pending)))
            raise MovesTimedOutError(
                f"Timed out before log directory move{plural} could be started for: {names}"
            )
        if pending:
            world.wait(RETRY_S)


def _may_come(error: MoldauError) -> bool:
    return isinstance(error, RefusedError) and error.error is ErrorCode.REPLICA_NOT_AVAILABLE


def _in_order(replicas: Mapping[Replica, object]) -> list[Replica]:
    return sorted(replicas, key=lambda one: (one.node_id, one.topic, one.partition))


def _shown(replica: Replica) -> str:
    return f"{replica.topic}-{replica.partition}-{replica.node_id}"


def print_moves(plan: Plan, admin: Admin, world: World) -> bool:
    """Whether some go on, or are not known to have ended."""
    if not plan.dirs:
        return False
    found = admin.describe_replica_log_dirs(plan.dirs).all()
    for replica in _in_order(plan.dirs):
        print(_status(replica, plan.dirs[replica], found[replica]), file=world.out)
    return any(one.current_dir is None or one.future_dir is not None for one in found.values())


def _status(replica: Replica, target: str, place: ReplicaLogDirs) -> str:
    part = f"{replica.topic}-{replica.partition}"
    if place.current_dir is None:
        return (
            f"Partition {part} is not found in any live log dir on broker {replica.node_id}. There "
            "is likely an offline log directory on the broker."
        )
    if place.future_dir == target:
        return f"Reassignment of replica {_shown(replica)} is still in progress."
    if place.future_dir is not None:
        return (
            f"Partition {part} on broker {replica.node_id} is being moved to log dir "
            f"{place.future_dir} instead of {target}."
        )
    if place.current_dir == target:
        return f"Reassignment of replica {_shown(replica)} completed successfully."
    return (
        f"Partition {part} on broker {replica.node_id} is not being moved from log dir "
        f"{place.current_dir} to {target}."
    )


def cancel_moves(plan: Plan, timeout_ms: int, admin: Admin, world: World) -> None:
    """Back to where they are now."""
    found = admin.describe_replica_log_dirs(plan.dirs).all() if plan.dirs else {}
    back = {
        replica: one.current_dir
        for replica, one in found.items()
        if one.future_dir is not None and one.current_dir is not None
    }
    if back:
        start_moves(back, timeout_ms, admin, world)
    else:
        world.out.write("None of the specified partition moves are active.")
