"""One request on its way through the server, with all that a handler may know about its sender.

A handler answers in one of five ways:

    return response        it leaves at once; so does one with a list that is encoded already
                           (`server.spliced`)
    return None            nothing is sent (Produce with acks 0); the connection goes on reading
    return LATER           `call.answer(response)` will be called once, from wherever it becomes
                           known; before a handler returns LATER it must be done with every view
                           on the request's bytes (records), because their buffer is used again
    return HANG_UP         the connection is closed without an answer (Produce with acks 0 failed)
    return a generator     it yields where others may go on, and returns one of the above: for work
                           that may be long (`server.slices`)

or it is `async def`, runs as a task, and returns the same; its request owns its bytes.

A raised `KafkaError` becomes the response that Kafka gives with that code. While a request is not
answered, no other of its connection is read.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import field
from enum import Enum
from typing import Any, TypeAlias

from moldau.broker.server.spliced import SplicedAnswer
from moldau.network.principal import ANONYMOUS, Principal
from moldau.network.software import Software
from moldau.platform.ports.network import Address
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.schema import Message

__all__ = ["ANONYMOUS", "HANG_UP", "LATER", "Answer", "Call", "Principal", "Slices", "Unanswered"]


class Unanswered(Enum):
    """What a handler returns that has no response to give."""

    LATER = "call.answer will be called"
    HANG_UP = "close the connection"


LATER = Unanswered.LATER
HANG_UP = Unanswered.HANG_UP

Slices = Generator
"""Long work: a generator that yields nothing, and returns the answer."""
Answer: TypeAlias = Message | SplicedAnswer | Unanswered | Slices[None, None, Any] | None


def _nobody_listens(answer: Answer) -> None:
    raise AssertionError("this call was not made by a dispatcher, which waits for answers")


@dataclass(slots=True)
class Call:
    """A decoded request and its circumstances."""

    api_key: int
    version: int
    correlation_id: int
    client_id: str | None
    request: Message
    principal: Principal
    listener: str
    """The listener's name, as in `listeners`."""
    peer: Address
    connection_id: int
    """Unique in this process, never reused."""
    received_ns: int
    """The monotonic moment at which the last byte of the frame was there."""
    software: Software = field(default_factory=Software)
    """Of its connection: ApiVersions writes it, others read it."""
    throttle_ms: int = 0
    """What the handler found the sender owes by its quotas; the connection is muted that long."""
    answer: Callable[[Answer], None] = field(default=_nobody_listens, repr=False, compare=False)
    """Where the answer goes that is given LATER: a response, None for nothing, or HANG_UP."""
