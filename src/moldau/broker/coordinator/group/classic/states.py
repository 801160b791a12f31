"""The states of a classic group, and which follows which.

               ┌──────────────────────── a member changes or leaves ─────────────────┐
               ▼                                                                     │
    Empty ─► PreparingRebalance ─ all have joined ─► CompletingRebalance ─ synced ─► Stable
      ▲        │        ▲                                  │
      └ all are gone    └────────── one changes, leaves ───┘

In Preparing the members' JoinGroup requests are held until all have joined or the time is up;
then a generation begins. In Completing their SyncGroup requests are held until the leader brings
the assignment; it is written to the log, and the group is Stable. A group that is not there any
more is called Dead.
"""

from __future__ import annotations

from enum import Enum


class ClassicState(Enum):
    """By the names that clients and tools see."""

    EMPTY = "Empty"
    PREPARING = "PreparingRebalance"
    COMPLETING = "CompletingRebalance"
    STABLE = "Stable"


DEAD = "Dead"
"""What a group is called that does not exist."""

FOLLOWS = {
    ClassicState.EMPTY: (ClassicState.PREPARING,),
    ClassicState.PREPARING: (ClassicState.EMPTY, ClassicState.COMPLETING, ClassicState.STABLE),
    ClassicState.COMPLETING: (ClassicState.PREPARING,),
    ClassicState.STABLE: (ClassicState.COMPLETING,),
}
"""Each state, and those from which it is reached while the coordinator lives."""


def may_follow(state: ClassicState, before: ClassicState) -> bool:
    """Whether a group may go from `before` to `state`."""
    return before in FOLLOWS[state]
