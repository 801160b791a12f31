"""Everything that a node asks of the world, in one record."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from moldau.broker.log.world import World
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.network import Network
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass

if TYPE_CHECKING:
    from moldau.broker.log.encryption_port import Encryption
    from moldau.broker.server.monitoring.gauges import Usage
    from moldau.network.sasl.gssapi import Kerberos

__all__ = ["NodeWorld"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeWorld:
    """The five ports, Kerberos, and what the machine is called."""

    files: Files
    network: Network
    clock: Clock
    random: Random
    tasks: Tasks
    kerberos: Callable[[], Kerberos] | None = None
    """Makes what logins by GSSAPI take."""
    usage: Callable[[], Usage] | None = None
    """Makes what reads how much of the machine this process takes."""
    host_name: str = "localhost"
    """What is advertised where a listener has no host of its own."""

    @property
    def for_logs(self) -> World:
        return World(self.files, self.clock, self.random)

    def for_encrypted_logs(self, encryption: Encryption) -> World:
        return World(self.files, self.clock, self.random, encryption)
