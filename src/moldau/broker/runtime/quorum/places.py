"""Where the members of the quorum listen: by the voter set, and by messages of leaders.

Voters of the configuration are placed by it, those of the log by its records. A node that knows
neither, because it watches or has just been formatted, gets the leader's place beside each
answer (KIP-853).
"""

from __future__ import annotations

from typing import Any

from moldau.broker.quorum.voters import Voter, VoterSet
from moldau.platform.ports.network import Address
from moldau.protocol.messages.quorum.begin_quorum_epoch import BeginQuorumEpochRequest
from moldau.protocol.messages.quorum.end_quorum_epoch import EndQuorumEpochRequest
from moldau.protocol.wire.schema import Message

__all__ = ["Places"]

NOTED_MAX = 1_000
"""Leaders have been voters; more of them than any quorum has had."""


class Places:
    """By the name of the listener that this node prefers, if the other has one of that name."""

    def __init__(self, listener: str | None) -> None:
        self._listener = listener
        self._noted: dict[int, Address] = {}

    def of(self, node_id: int, voters: VoterSet) -> Address | None:
        """Where this member is reached; None where it was not set."""
        voter = voters.get(node_id)
        if voter is not None and voter.endpoints:
            return self.of_voter(voter)
        return self._noted.get(node_id)

    def of_voter(self, voter: Voter) -> Address:
        """Where this voter, which has endpoints, is reached."""
        found = None if self._listener is None else voter.endpoints.get(self._listener)
        return next(iter(voter.endpoints.values())) if found is None else found

    def note_announced(self, request: BeginQuorumEpochRequest | EndQuorumEpochRequest) -> None:
        """A leader announces where it listens."""
        leaders = {part.leader_id for topic in request.topics for part in topic.partitions}
        ends = {end.name: end for end in request.leader_endpoints}
        chosen = ends.get(self._listener or "") or next(iter(ends.values()), None)
        if chosen is not None and len(leaders) == 1:
            self._note(leaders.pop(), Address(chosen.host, chosen.port))

    def note_answer(self, response: Message) -> None:
        """The leader's address that an answer has beside the rest."""
        ends: list[Any] = getattr(response, "node_endpoints", [])
        for end in ends:
            self._note(end.node_id, Address(end.host, end.port))

    def _note(self, node_id: int, address: Address) -> None:
        if node_id in self._noted or len(self._noted) < NOTED_MAX:
            self._noted[node_id] = address
