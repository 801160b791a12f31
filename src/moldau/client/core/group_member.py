"""Who a consumer is to its group, as commits and transactions name it."""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass

__all__ = ["NO_GENERATION", "Membership"]

NO_GENERATION = -1


@dataclass(frozen=True, slots=True)
class Membership:
    """A member as commits name it; by default that of a group without members."""

    group: str
    generation: int = NO_GENERATION
    """Or the member epoch, in a group of KIP-848."""
    member_id: str = ""
    instance_id: str | None = None
