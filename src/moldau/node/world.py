"""Everything that a node asks of the world, in one record."""

from __future__ import annotations

from moldau.log.opening import World
from moldau.ports.clock import Clock
from moldau.ports.files import Files
from moldau.ports.network import Network
from moldau.ports.randomness import Random
from moldau.ports.tasks import Tasks
from moldau.quick_dataclass import dataclass

__all__ = ["NodeWorld"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeWorld:
    """The five ports, and what the machine is called."""

    files: Files
    network: Network
    clock: Clock
    random: Random
    tasks: Tasks
    host_name: str = "localhost"
    """What clients are told where a listener has no host of its own."""

    @property
    def for_logs(self) -> World:
        return World(self.files, self.clock, self.random)
