"""Moves between directories are begun, shown and taken back."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client.admin import Replica, ReplicaLogDirs
from moldau.programs.tools.kafka.reassignment_moves import cancel_moves, print_moves
from moldau.programs.tools.kafka.reassignment_plans import Plan

REPLICA = Replica("a", 0, 1)
PLAN = Plan({}, {REPLICA: "/new"})


class Dirs:
    """An admin that knows where one replica is."""

    def __init__(self, *place) -> None:
        self.place = ReplicaLogDirs(*place)
        self.asked: dict[Replica, str] = {}

    def describe_replica_log_dirs(self, _):
        return SimpleNamespace(values={REPLICA: self.place})

    def alter_replica_log_dirs(self, paths):
        self.asked = paths
        return SimpleNamespace(all=dict)


@pytest.mark.parametrize(
    ("place", "status", "goes_on"),
    [
        (("/old", 0, "/new", 5), "Reassignment of replica a-0-1 is still in progress.", True),
        (("/new", 0), "Reassignment of replica a-0-1 completed successfully.", False),
        (("/old", 0), "is not being moved from log dir /old to /new.", False),
        (("/old", 0, "/else", 5), "is being moved to log dir /else instead of /new.", False),
        ((), "Partition a-0 is not found in any live log dir on broker 1.", False),
    ],
)
def test_each_move_is_shown(place, status, goes_on):
    admin: Any = Dirs(*place)
    world: Any = SimpleNamespace(out=StringIO())
    assert print_moves(PLAN, admin, world) == goes_on
    assert status in world.out.getvalue()


def test_a_move_is_taken_back_to_where_it_began():
    admin: Any = Dirs("/old", 0, "/new", 5)
    world: Any = SimpleNamespace(out=StringIO())
    cancel_moves(PLAN, admin, world)
    assert admin.asked == {REPLICA: "/old"}
    assert "Successfully cancelled log directory move for: a-0-1" in world.out.getvalue()
