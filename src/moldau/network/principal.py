"""Who the other side of a connection has proved to be."""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass

__all__ = ["ANONYMOUS", "Principal"]


@dataclass(frozen=True, slots=True)
class Principal:
    """A kind, nearly always `User`, and a name within it."""

    kind: str
    name: str
    token_authenticated: bool = False

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


ANONYMOUS = Principal("User", "ANONYMOUS")
"""The principal of a listener without authentication."""
