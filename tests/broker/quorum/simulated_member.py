"""One member of a quorum of three, spoken to event by event."""

from __future__ import annotations

from random import Random
from typing import Any

from moldau.broker.quorum.effects import Answer
from moldau.broker.quorum.events import Flushed, Started, TimePassed, VoteAnswered
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.state_file import ElectionState
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterHistory, VoterSet
from moldau.platform.ports.network import Address
from tests.simulation.quorum_log import Entry, MemoryLog

MY_ID, SECOND, THIRD = 1, 2, 3


def voter(node_id: int, directory_id: bytes = bytes(16)) -> Voter:
    return Voter(ReplicaKey(node_id, directory_id), {"CONTROLLER": Address("host", node_id)})


def voters(*node_ids: int) -> VoterSet:
    return VoterSet(voter(node_id) for node_id in node_ids)


class Member:
    """The member, its log and what it wanted last."""

    def __init__(
        self,
        *epochs: int,
        state: ElectionState | None = None,
        among: VoterSet | None = None,
        kraft_version: int = 0,
        voters_at: int = -1,
    ) -> None:
        self.log = MemoryLog([Entry(epoch, "old") for epoch in epochs], len(epochs))
        self.history = VoterHistory(among or voters(1, 2, 3), voters_at)
        self.node: Any = QuorumNode(
            ReplicaKey(MY_ID),
            self.log,
            self.history,
            Random(1),
            state=state,
            kraft_version=kraft_version,
        )
        self.now_ms = 1000
        self.wanted: list[Any] = []
        self.take(Started())

    def take(self, event: Any) -> list[Any]:
        self.wanted = list(self.node.step(event, self.now_ms))
        return self.wanted

    def wait(self) -> list[Any]:
        """Until it wants to act by itself."""
        self.now_ms = max(self.now_ms, int(self.node.wake_at_ms) + 1)
        return self.take(TimePassed())

    def wait_for(self, effect: type) -> Any:
        """Until it wants this by itself."""
        for _ in range(200):
            found = self.find(effect)
            if found is not None:
                return found
            self.wait()
        raise AssertionError(f"{self.node} never wants {effect.__name__}")

    def find(self, effect: type) -> Any:
        return next((one for one in self.wanted if isinstance(one, effect)), None)

    def wait_for_role(self, role: str) -> None:
        for _ in range(200):
            if self.role == role:
                return
            self.wait()
        raise AssertionError(f"{self.node} never becomes {role}")

    @property
    def role(self) -> str:
        return type(self.node.role).__name__.lower()

    def answer_votes(self, *voter_ids: int, granted: bool = True) -> list[Any]:
        """These voters answer what it is asking."""
        wanted = []
        for voter_id in voter_ids:
            answered = VoteAnswered(
                voter_id,
                self.role == "prospective",
                self.node.epoch,
                self.node.epoch,
                None,
                granted,
            )
            wanted += self.take(answered)
        self.wanted = wanted
        return wanted

    def lead(self) -> None:
        """Win the next election and sync the first record of the epoch."""
        self.wait_for_role("prospective")
        self.answer_votes(SECOND)
        self.answer_votes(SECOND)
        assert self.role == "leader"
        self.append("leads")

    def append(self, value: str = "value") -> None:
        self.log.entries.append(Entry(self.node.epoch, value))
        self.take(Flushed(self.log.end.offset))

    def replied(self) -> Answer:
        answer = self.find(Answer)
        assert isinstance(answer, Answer)
        return answer
