"""Who changed what: a line in the log for each change, and the last ones in memory for the page."""

from __future__ import annotations

import logging
from collections import deque
from typing import Any, Final

from moldau.platform.ports.clock import Clock

__all__ = ["Audit"]

log = logging.getLogger(__name__)

KEPT: Final = 500
"""Lines that the page shows; the log has all of them."""


class Audit:
    """The audit log of one cluster of a console, for all its users."""

    def __init__(self, clock: Clock, cluster: str | None = None) -> None:
        self._clock = clock
        self._where = "" if cluster is None else f" cluster={cluster!r}"
        self._lines: deque[dict[str, Any]] = deque(maxlen=KEPT)

    def add(self, user: str | None, command: str, failure: str | None = None) -> None:
        """What ran, and what came of it."""
        line = {
            "time": self._clock.now_ms(),
            "user": user,
            "command": command,
            "failure": failure,
        }
        self._lines.append(line)
        outcome = "done" if failure is None else f"failed: {failure!r}"
        # Names come from people: with their line ends a name could write a line of its own.
        who = user or "(no login)"
        log.info("audit%s user=%r command=%r %s", self._where, who, command, outcome)

    def lines(self) -> list[dict[str, Any]]:
        """The latest first."""
        return list(reversed(self._lines))
