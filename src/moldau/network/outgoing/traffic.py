"""What went over a connection, or over several."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Traffic"]


class Traffic(NamedTuple):
    """Counts, and sizes in bytes."""

    requests: int = 0
    answers: int = 0
    bytes_out: int = 0
    bytes_in: int = 0

    def plus(self, other: Traffic) -> Traffic:
        return Traffic(
            self.requests + other.requests,
            self.answers + other.answers,
            self.bytes_out + other.bytes_out,
            self.bytes_in + other.bytes_in,
        )
