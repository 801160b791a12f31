"""The action `DLQ`: a record that a rule refuses is refused, and kept in a topic of its own.

What was to be written is sent as JSON, and what was read as the bytes that it was, under the key
of its record where a producer or consumer of this client has it. Headers say which rule refused it
and why, as Confluent's clients write them; that rule is not run when the letter is read again.
Fields that rules encrypt are not in the open there, and a value that is encrypted as a whole is
left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, Protocol

from moldau.errors import MoldauError
from moldau.schemas.data_errors import DataError
from moldau.schemas.parsed import Field
from moldau.schemas.rules import RULE_HEADER, WRITE, Outcome, Rule

__all__ = ["DeadLetters", "Sender"]

TOPIC: Final = "dlq.topic"
ENCRYPTS: Final = "ENCRYPT"
ENCRYPTS_ALL: Final = "ENCRYPT_PAYLOAD"
REDACTED: Final = "<REDACTED>"


class Sender(Protocol):
    """A producer without serializers."""

    def send(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None,
        headers: Sequence[tuple[str, bytes]],
    ) -> object: ...


class DeadLetters:
    """For `actions`; without a topic of its own it takes the rule's parameter `dlq.topic`.

    The producer stays yours: flush and close it.
    """

    name = "DLQ"

    def __init__(self, producer: Sender, topic: str | None = None) -> None:
        self._producer = producer
        self._topic = topic

    def __repr__(self) -> str:
        return f"<DeadLetters to {self._topic or TOPIC}>"

    def run(self, outcome: Outcome) -> None:
        topic = self._topic or outcome.rule.parameters.get(TOPIC)
        reason = outcome.error or DataError("it asks for a dead letter of what succeeds")
        if not topic:
            raise DataError(f"{reason}; and no topic for dead letters is named")
        try:
            key, headers = _key(outcome.record.key), _headers(outcome)
            self._producer.send(topic, _value(outcome), key=key, headers=headers)
        except MoldauError as error:
            raise DataError(f"{reason}; and its dead letter was not sent: {error}") from None
        raise reason


def _headers(outcome: Outcome) -> list[tuple[str, bytes]]:
    record, scene = outcome.record, outcome.scene
    kept = [(name, value) for name, value in record.headers if value is not None]
    named = {
        RULE_HEADER: outcome.rule.name,
        "__rule.mode": scene.mode,
        "__rule.subject": scene.subject,
        "__rule.topic": record.topic,
        "__rule.exception": str(outcome.error or ""),
    }
    return kept + [(name, text.encode()) for name, text in named.items() if text]


def _value(outcome: Outcome) -> bytes | None:
    data = outcome.record.data
    if outcome.scene.mode != WRITE:
        return bytes(data)
    if any(rule.type == ENCRYPTS_ALL for rule in outcome.rules):
        return None
    hidden = [rule for rule in outcome.rules if rule.type == ENCRYPTS]
    if hidden:
        try:
            data = _without(outcome, data, hidden)
        except (DataError, TypeError, ValueError):
            return None  # what cannot be looked through is not shown
    if isinstance(data, bytes):
        return data
    return data.encode() if isinstance(data, str) else _json(data)


def _without(outcome: Outcome, data: object, hidden: Sequence[Rule]) -> object:
    def change(field: Field, value: object) -> object:
        if not any(rule.wants(field.name, field.tags) for rule in hidden):
            return value
        if isinstance(value, str):
            return REDACTED
        return REDACTED.encode() if isinstance(value, bytes) else value

    return outcome.scene.parsed.changed(data, change)


def _key(key: object) -> bytes | None:
    if key is None or isinstance(key, bytes):
        return key
    return key.encode() if isinstance(key, str) else _json(key)


def _json(data: object) -> bytes:
    if hasattr(data, "DESCRIPTOR"):
        from google.protobuf import json_format

        return str(json_format.MessageToJson(data)).encode()
    return json.dumps(data, default=_other).encode()


def _other(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes | bytearray) else str(value)
