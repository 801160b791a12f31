"""Rules in CEL for those who write and read values; `moldau.schemas.cel` is what runs them."""

from __future__ import annotations

from moldau.platform.ports.clock import Clock
from moldau.platform.system.clock import SystemClock
from moldau.schemas import cel

__all__ = ["CelRules"]


class CelRules(cel.CelRules):
    """For `rules` of serializers and deserializers."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock or SystemClock())
