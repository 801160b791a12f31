"""Who votes (KIP-595, KIP-853).

A voter is a node and the disk it votes with: a node whose disk was wiped has forgotten its votes,
so it is another voter. With kraft.version 0 the set stands in the configuration and directories
are not known; with 1 it is a record of the log, in force from the moment it is appended, committed
or not. So the log's tail decides who votes, and cutting the tail brings the earlier set back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import NamedTuple

from moldau.platform.ports.network import Address
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.control import VotersRecord
from moldau.protocol.wire.types import NULL_UUID


class ReplicaKey(NamedTuple):
    """A node and its disk."""

    node_id: int
    directory_id: bytes = NULL_UUID
    """All zero where it is not known."""

    def __str__(self) -> str:
        return f"{self.node_id}"


@dataclass(frozen=True, slots=True)
class Voter:
    """One voter and how to reach it."""

    key: ReplicaKey
    endpoints: Mapping[str, Address] = field(default_factory=dict)
    """By the name of the listener."""
    kraft_version_min: int = 0
    kraft_version_max: int = 1

    def is_key(self, key: ReplicaKey) -> bool:
        """Whether this is it; a directory that either side does not know is not compared."""
        return self.key.node_id == key.node_id and (
            NULL_UUID in (self.key.directory_id, key.directory_id) or self.key == key
        )


class VoterSet:
    """The voters at one point of the log; never changed, only replaced."""

    __slots__ = ("_voters",)

    def __init__(self, voters: Iterable[Voter] = ()) -> None:
        self._voters = {voter.key.node_id: voter for voter in voters}

    def __repr__(self) -> str:
        return f"VoterSet({', '.join(map(str, sorted(self._voters)))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VoterSet) and self._voters == other._voters

    def __hash__(self) -> int:
        return hash(frozenset(self._voters))

    def __len__(self) -> int:
        return len(self._voters)

    def __iter__(self) -> Iterator[Voter]:
        return iter(self._voters.values())

    def __contains__(self, key: ReplicaKey) -> bool:
        voter = self._voters.get(key.node_id)
        return voter is not None and voter.is_key(key)

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(self._voters)

    @property
    def majority(self) -> int:
        """How many are more than half."""
        return len(self._voters) // 2 + 1

    def get(self, node_id: int) -> Voter | None:
        return self._voters.get(node_id)

    def others(self, node_id: int) -> list[Voter]:
        return [voter for voter in self if voter.key.node_id != node_id]

    def with_voter(self, voter: Voter) -> VoterSet:
        """Added, or in the place of the one with the same node id."""
        return VoterSet((self._voters | {voter.key.node_id: voter}).values())

    def without(self, node_id: int) -> VoterSet:
        return VoterSet(voter for voter in self if voter.key.node_id != node_id)

    def differs_by_one(self, other: VoterSet) -> bool:
        """Whether their majorities must overlap: at most one voter came, or one went."""
        keys = {voter.key for voter in self}
        return len(keys ^ {voter.key for voter in other}) <= 1


class VoterHistory:
    """The voter sets along the log, so that a cut tail brings back the set before it."""

    def __init__(self, first: VoterSet, first_offset: int = -1) -> None:
        self._first = first
        self._first_offset = first_offset
        self._sets: list[tuple[int, VoterSet]] = []

    @property
    def last(self) -> VoterSet:
        return self._sets[-1][1] if self._sets else self._first

    @property
    def last_offset(self) -> int:
        """Where the set in force was written; -1 if the log does not hold it."""
        return self._sets[-1][0] if self._sets else self._first_offset

    def add(self, offset: int, voters: VoterSet) -> None:
        assert offset > self.last_offset or not self._sets, f"voters at {offset} are out of order"
        self._sets.append((offset, voters))

    def at(self, offset: int) -> VoterSet:
        """The set in force just before `offset`."""
        earlier = [voters for place, voters in self._sets if place < offset]
        return earlier[-1] if earlier else self._first

    def restart(self, first: VoterSet, first_offset: int) -> None:
        """The log begins anew behind a snapshot that holds this set."""
        self._first, self._first_offset = first, first_offset
        self._sets.clear()

    def truncate(self, end_offset: int) -> None:
        self._sets = [(place, voters) for place, voters in self._sets if place < end_offset]

    def trim(self, offset: int) -> None:
        """Forget sets that nothing at or after `offset` can bring back."""
        earlier = [index for index, (place, _) in enumerate(self._sets) if place <= offset]
        if len(earlier) > 1:
            del self._sets[: earlier[-1]]


def voters_record(voters: VoterSet) -> VotersRecord:
    """The set as it stands in the log."""
    return VotersRecord(
        version=0,
        voters=[
            VotersRecord.Voter(
                voter_id=voter.key.node_id,
                voter_directory_id=voter.key.directory_id,
                endpoints=[
                    VotersRecord.Voter.Endpoint(name=name, host=host, port=port)
                    for name, (host, port) in voter.endpoints.items()
                ],
                kraft_version_feature=VotersRecord.Voter.KRaftVersionFeature(
                    min_supported_version=voter.kraft_version_min,
                    max_supported_version=voter.kraft_version_max,
                ),
            )
            for voter in voters
        ],
    )


def voters_of(record: VotersRecord) -> VoterSet:
    """The set that a record of the log holds."""
    return VoterSet(
        Voter(
            ReplicaKey(voter.voter_id, voter.voter_directory_id),
            {end.name: Address(end.host, end.port) for end in voter.endpoints},
            voter.kraft_version_feature.min_supported_version,
            voter.kraft_version_feature.max_supported_version,
        )
        for voter in record.voters
    )
