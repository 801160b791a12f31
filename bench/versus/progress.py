"""Says on the error stream what runs, how much of the run is over, and how long it may take."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TextIO

CLEAR = "\r\x1b[K"


@dataclass(slots=True)
class Progress:
    """One line that changes on a terminal, and a line each elsewhere."""

    stream: TextIO
    budgets_s: list[float]
    """Of all cases, in their order."""
    began_s: float = field(default_factory=time.monotonic)
    index: int = 0
    """Of the case that runs."""
    name: str = ""

    def case(self, index: int, name: str) -> None:
        self.index, self.name = index, name

    def __call__(self, what: str) -> None:
        line = f"[{self.index + 1:2}/{len(self.budgets_s)}] {self.name}: {what} · {self.times()}"
        if self.stream.isatty():
            self.stream.write(CLEAR + line)
        else:
            self.stream.write(line + "\n")
        self.stream.flush()

    def times(self) -> str:
        gone_s = time.monotonic() - self.began_s
        left_s = sum(self.budgets_s[self.index :])
        return f"{clock(gone_s)} gone, at most about {clock(left_s)} to go"

    def over(self) -> None:
        if self.stream.isatty():
            self.stream.write(CLEAR)


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"
