"""Transactional ids: few, and no two tasks ever write under one.

    PREFIX.APPLICATION.PROCESS.NUMBER

A worker of Spark lives longer than a task, and a coordinator keeps an id for a week: so ids belong
to processes and are used again. An id that was used in a batch is free from the next batch on, when
Spark has noted that the batch was committed. Then no commit of that batch can be asked for again,
and no attempt at a batch can end what another attempt has prepared.

The last two parts have no dot, so all ids of an application can be kept apart from those of others.
"""

from __future__ import annotations

from collections import defaultdict

from moldau.platform.system.randomness import SystemRandom

__all__ = ["TransactionalIds", "belongs_to", "driver_of", "family_of"]

NAME_BITS = 64
DRIVER = "driver"


class TransactionalIds:
    """The transactional ids of one process, for each application."""

    def __init__(self) -> None:
        self._process = f"{SystemRandom().randrange(0, 1 << NAME_BITS):016x}"
        self._used: dict[str, dict[str, int]] = defaultdict(dict)

    def take(self, family: str, batch: int) -> str:
        """One that no attempt at this batch has; it counts as used from now on."""
        used = self._used[family]
        name = next((name for name, last in used.items() if last < batch), None)
        name = name or f"{family}.{self._process}.{len(used)}"
        used[name] = batch
        return name


def family_of(prefix: str, application: str) -> str:
    """What all ids of an application begin with."""
    return f"{prefix}.{application}"


def driver_of(family: str) -> str:
    """Under which decisions are written: only one driver can."""
    return f"{family}.{DRIVER}.0"


def belongs_to(name: str, family: str) -> bool:
    """Whether a task of the application wrote under it."""
    parts = name.rsplit(".", 2)
    return len(parts) == 3 and parts[0] == family and parts[1] != DRIVER
