"""What is found in an imported file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from moldau.platform.quick_dataclass import dataclass
from moldau.programs.console.formats.usual import UsualFormat
from moldau.programs.console.values.masking import Mask

__all__ = ["SERVERS", "ImportedCluster", "ImportedFile"]

SERVERS: Final = "bootstrap.servers"


@dataclass(slots=True)
class ImportedCluster:
    """One of a file; what it has of secrets is not shown."""

    name: str
    client: dict[str, str] = field(default_factory=dict)
    """Settings of clients, by Kafka's names, with `bootstrap.servers`."""
    registry: dict[str, str] = field(default_factory=dict)
    """Options of the schema registry; empty without one."""
    is_read_only: bool = False
    masks: list[Mask] = field(default_factory=list)
    hides_more: bool = False
    """It has masks of a kind that there is not here."""
    usual: list[UsualFormat] = field(default_factory=list)
    """What decodes keys and values of which topics, in this order."""

    def __repr__(self) -> str:
        return f"ImportedCluster({self.name} at {self.servers})"

    @property
    def servers(self) -> str:
        return self.client.get(SERVERS, "")


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The clusters that an imported file declares."""

    clusters: Sequence[ImportedCluster]
    unused: Sequence[str]
    """Keys that are not taken over, with where they stand."""
    login: str = ""
    """The kind of login that the file asks of everyone; empty where it lets everyone in."""
    roles: Sequence[str] = ()
    """Names of roles, which are not taken over."""
    unchanged: Sequence[str] = ()
    """Clusters of which no role may change anything."""
