"""What time is it?"""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Two hands: the wall's, which people and records share, and one that never turns back."""

    def now_ms(self) -> int:
        """Milliseconds since 1970 in UTC, as written into records and checkpoints."""
        ...

    def monotonic_ns(self) -> int:
        """Nanoseconds since an arbitrary moment; only differences mean anything."""
        ...
