"""What happened in a run, as clients saw it: sends, polls and the last read of everything.

Every value is sent once and is unique, so that an offset and a value tell each other. A send that
was never answered is `UNKNOWN`: it may be there or not, but not twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Outcome(Enum):
    """What the client received."""

    OK = "ok"
    FAILED = "failed"
    """Definitely not done."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Send:
    """One record; sends of a producer are in the order in which it called."""

    producer: str
    partition: int
    value: str
    outcome: Outcome
    offset: int | None = None
    """Where it is acknowledged to be; the client may not know."""
    transaction: str | None = None


@dataclass(frozen=True, slots=True)
class Transaction:
    """How a transaction ended, as its producer saw it."""

    name: str
    outcome: Outcome
    """OK for committed, FAILED for aborted."""


@dataclass(frozen=True, slots=True)
class Poll:
    """What one poll brought of one partition, in the order in which it came."""

    consumer: str
    partition: int
    records: tuple[tuple[int, str], ...]
    """Offset and value."""
    committed_only: bool = True


@dataclass(slots=True)
class History:
    """All of it; the final read begins at the first offset and goes to the end, after recovery."""

    sends: list[Send] = field(default_factory=list)
    transactions: list[Transaction] = field(default_factory=list)
    polls: list[Poll] = field(default_factory=list)
    final: dict[int, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    """By partition, with read_committed."""
