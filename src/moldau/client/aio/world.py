"""The ports that a client needs, together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.network import Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass

if TYPE_CHECKING:
    from moldau.network.sasl.gssapi import Kerberos

__all__ = ["ClientWorld", "anywhere"]

NANOSECONDS_PER_MS = 1_000_000


def anywhere() -> None:
    """Of a world that has but one loop."""


@dataclass(frozen=True, slots=True)
class ClientWorld:
    """Files are read alone, and only for logins: a client keeps nothing."""

    network: Network
    clock: Clock
    random: Random
    tasks: Tasks
    files: Files | None = None
    kerberos: Kerberos | None = None
    ensure_here: Callable[[], None] = anywhere
    """Raises `OtherLoopError` where something else runs than the loop that all this lives on."""

    def now_ms(self) -> int:
        """By the hand that never turns back."""
        return self.clock.monotonic_ns() // NANOSECONDS_PER_MS
