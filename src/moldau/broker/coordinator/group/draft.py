"""A decision in the making: what the steps of a decider add to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field

from moldau.broker.coordinator.encoded_decision import Ticket
from moldau.broker.coordinator.shard import Decision, Reply, StoredRecord
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

Undo = Callable[[ErrorCode], Iterable[Reply]]


@dataclass(slots=True)
class Draft:
    """Records and replies in their order."""

    records: list[StoredRecord] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    undo: list[Undo] = field(default_factory=list)
    """What to put right and whom to answer if the records cannot be appended."""
    effects: list[object] = field(default_factory=list)
    """Effects for the broker once the records are committed."""

    def reply(self, ticket: Ticket, response: Message) -> None:
        self.replies.append(Reply(ticket, response))

    def decision(self) -> Decision:
        """What was drafted; without records there is nothing that could fail."""
        if not self.undo:
            return Decision(self.records, self.replies, self.effects)
        return Decision(self.records, self.replies, self.effects, self._failed)

    def _failed(self, code: ErrorCode) -> list[Reply]:
        return [reply for undo in self.undo for reply in undo(code)]
