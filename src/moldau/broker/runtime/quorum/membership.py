"""This node's part in the quorum, and the voters by its configuration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterSet
from moldau.errors import MoldauError
from moldau.platform.ports.network import Address
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.types import NULL_UUID


class VotersRefusedError(MoldauError):
    """`controller.quorum.voters` makes no sense."""


@dataclass(frozen=True, slots=True)
class Identity:
    """One node, as the other members of its quorum know it."""

    node_id: int
    directory_id: bytes = NULL_UUID
    """Of the directory with the metadata log."""
    cluster_id: str = ""
    endpoints: Mapping[str, Address] = field(default_factory=dict)
    """Where its controller listens, by the name of the listener."""

    @property
    def key(self) -> ReplicaKey:
        return ReplicaKey(self.node_id, self.directory_id)

    @property
    def as_voter(self) -> Voter:
        return Voter(self.key, self.endpoints)


def configured_voters(entries: Iterable[str], listener: str = "CONTROLLER") -> VoterSet:
    """The voters of `controller.quorum.voters`: `1@host:9093,…`."""
    return VoterSet(_voter(entry.strip(), listener) for entry in entries)


def _voter(entry: str, listener: str) -> Voter:
    node_id, _, address = entry.partition("@")
    host, _, port = address.rpartition(":")
    if not node_id.isdecimal() or not port.isdecimal() or not host:
        raise VotersRefusedError(
            f"controller.quorum.voters has {entry!r}; each voter is written as id@host:port"
        )
    host = host.removeprefix("[").removesuffix("]")
    return Voter(ReplicaKey(int(node_id)), {listener: Address(host, int(port))})


def bootstrap_addresses(entries: Iterable[str]) -> tuple[Address, ...]:
    """The places of `controller.quorum.bootstrap.servers`: `host:9093,…`."""
    return tuple(_bootstrap_address(entry.strip()) for entry in entries)


def _bootstrap_address(entry: str) -> Address:
    host, _, port = entry.rpartition(":")
    if not port.isdecimal() or not host:
        raise VotersRefusedError(
            f"controller.quorum.bootstrap.servers has {entry!r}; each is written as host:port"
        )
    return Address(host.removeprefix("[").removesuffix("]"), int(port))
