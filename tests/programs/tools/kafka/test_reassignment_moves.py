"""Moves between directories are begun, shown and taken back."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client.admin import Replica, ReplicaLogDirs
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.errors import RefusedError
from moldau.errors import MoldauError
from moldau.programs.tools.kafka.reassignment_moves import (
    MovesTimedOutError,
    cancel_moves,
    print_moves,
    start_moves,
)
from moldau.programs.tools.kafka.reassignment_plans import Plan
from moldau.protocol.wire.error_codes import ErrorCode

REPLICA, OTHER = Replica("a", 0, 2), Replica("b", 0, 1)
PLAN = Plan({}, {REPLICA: "/new"})
STARTED = "Successfully started moving log directory to /new for replica a-0 with broker 2 "
STARTED_OTHER = "Successfully started moving log directory to /new for replica b-0 with broker 1 "


class Dirs:
    """An admin that knows where one replica is; what comes late is not there at first."""

    def __init__(self, *place, late: Replica | None = None, error=None) -> None:
        self.place = ReplicaLogDirs(*place)
        self.late = late
        self.error = error or RefusedError("a move", ErrorCode.REPLICA_NOT_AVAILABLE)
        self.asked: list[dict[Replica, str]] = []

    def describe_replica_log_dirs(self, _):
        return Outcomes({REPLICA: self.place})

    def alter_replica_log_dirs(self, paths):
        self.asked.append(dict(paths))
        errors = {one: self.error for one in paths if one == self.late}
        return Outcomes({one: None for one in paths if one not in errors}, errors)


class Waiting:
    """A world whose clock goes on where it waits, until a replica is there."""

    def __init__(self, dirs: Dirs, there_after: int = 0) -> None:
        self.out, self.clock = StringIO(), self
        self._dirs, self._there_after, self._now_ms = dirs, there_after, 0.0

    def monotonic_ns(self) -> int:
        return round(self._now_ms * 1e6)

    def wait(self, seconds: float) -> None:
        self._now_ms += seconds * 1000
        if len(self._dirs.asked) == self._there_after:
            self._dirs.late = None


@pytest.mark.parametrize(
    ("place", "status", "goes_on"),
    [
        (("/old", 0, "/new", 5), "Reassignment of replica a-0-2 is still in progress.", True),
        (("/new", 0), "Reassignment of replica a-0-2 completed successfully.", False),
        (("/old", 0), "is not being moved from log dir /old to /new.", False),
        (("/old", 0, "/else", 5), "is being moved to log dir /else instead of /new.", True),
        ((), "Partition a-0 is not found in any live log dir on broker 2.", True),
    ],
)
def test_each_move_is_shown(place, status, goes_on):
    admin: Any = Dirs(*place)
    world: Any = SimpleNamespace(out=StringIO())
    assert print_moves(PLAN, admin, world) == goes_on
    assert status in world.out.getvalue()


def test_a_move_is_taken_back_to_where_it_began():
    admin: Any = Dirs("/old", 0, "/new", 5)
    world: Any = Waiting(admin)
    cancel_moves(PLAN, 1000, admin, world)
    assert admin.asked == [{REPLICA: "/old"}]
    assert world.out.getvalue() == STARTED.replace("/new", "/old") + "\n"


def test_moves_begin_broker_by_broker_and_a_replica_may_come_late():
    admin: Any = Dirs(late=REPLICA)
    world: Any = Waiting(admin, there_after=3)
    start_moves({REPLICA: "/new", OTHER: "/new"}, 1000, admin, world)
    assert world.out.getvalue().splitlines() == [STARTED_OTHER, STARTED]
    assert admin.asked == [{REPLICA: "/new", OTHER: "/new"}, *[{REPLICA: "/new"}] * 3]


def test_a_replica_is_waited_for_as_long_as_is_set():
    admin: Any = Dirs(late=REPLICA)
    world: Any = Waiting(admin)
    with pytest.raises(MovesTimedOutError) as caught:
        start_moves({REPLICA: "/new", OTHER: "/new"}, 1000, admin, world)
    assert "log directory move could be started for: a-0-2" in str(caught.value)
    assert world.out.getvalue().splitlines() == [STARTED_OTHER]
    assert len(admin.asked) == 11


def test_another_refusal_ends_it_at_once():
    admin: Any = Dirs(late=REPLICA, error=MoldauError("no such directory"))
    with pytest.raises(MoldauError, match="Failed to alter dir for a-0-2: "):
        start_moves({REPLICA: "/new"}, 1000, admin, Waiting(admin))  # type: ignore[arg-type]
    assert len(admin.asked) == 1
