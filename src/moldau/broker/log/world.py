"""What a log needs from outside."""

from __future__ import annotations

from moldau.broker.log.encryption_port import NO_KEYS, Encryption
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.files import Files
from moldau.platform.ports.randomness import Random
from moldau.platform.quick_dataclass import dataclass

__all__ = ["World"]


@dataclass(frozen=True, slots=True)
class World:
    """Three ports, and the keys that a node has for encryption at rest."""

    files: Files
    clock: Clock
    random: Random
    encryption: Encryption = NO_KEYS
