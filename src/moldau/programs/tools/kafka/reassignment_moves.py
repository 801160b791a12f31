"""Moves of replicas from one directory of their broker to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moldau.client.admin import Replica, ReplicaLogDirs
from moldau.errors import MoldauError
from moldau.programs.tools.command import World
from moldau.programs.tools.kafka.java_errors import java_cause_of
from moldau.programs.tools.kafka.reassignment_plans import Plan

if TYPE_CHECKING:
    from moldau.client.admin import Admin

__all__ = ["cancel_moves", "print_moves", "start_moves"]


def start_moves(plan: Plan, admin: Admin, world: World) -> None:
    if not plan.dirs:
        return
    outcomes = admin.alter_replica_log_dirs(plan.dirs)
    for replica, error in outcomes.errors.items():
        raise MoldauError(f"Failed to alter dir for {_shown(replica)}: {java_cause_of(error)}")
    plural = "s" if len(plan.dirs) > 1 else ""
    names = ",".join(_shown(replica) for replica in sorted(plan.dirs))
    print(f"Successfully started log directory move{plural} for: {names}", file=world.out)


def _shown(replica: Replica) -> str:
    return f"{replica.topic}-{replica.partition}-{replica.node_id}"


def print_moves(plan: Plan, admin: Admin, world: World) -> bool:
    """Whether some go on."""
    if not plan.dirs:
        return False
    found = admin.describe_replica_log_dirs(plan.dirs).values
    for replica, target in sorted(plan.dirs.items()):
        print(_status(replica, target, found.get(replica)), file=world.out)
    return any(one.future_dir == plan.dirs[replica] for replica, one in found.items())


def _status(replica: Replica, target: str, place: ReplicaLogDirs | None) -> str:
    part = f"{replica.topic}-{replica.partition}"
    if place is None or (place.current_dir is None and place.future_dir is None):
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


def cancel_moves(plan: Plan, admin: Admin, world: World) -> None:
    """Back to where they are now."""
    found = admin.describe_replica_log_dirs(plan.dirs).values if plan.dirs else {}
    back = {
        replica: one.current_dir
        for replica, one in found.items()
        if one.future_dir is not None and one.current_dir is not None
    }
    if not back:
        world.out.write("None of the specified partition moves are active.")
        return
    admin.alter_replica_log_dirs(back).all()
    plural = "s" if len(back) > 1 else ""
    names = ",".join(_shown(replica) for replica in sorted(back))
    print(f"Successfully cancelled log directory move{plural} for: {names}", file=world.out)
