"""Conversations with brokers that end with a result, as generators.

A dialogue yields its steps, is sent what came of each, and returns its result or raises a
`ClientError`. It decides everything: whom to ask, what to make of an answer, whether and when to
ask again. What drives it (a driver with sockets, a test with a list of answers) decides nothing:

    step = next(dialogue)
    while True:
        step = dialogue.send(Received(now_ms, answers))     # StopIteration has the result

Time comes in with what was received, so a test lets hours pass by saying so.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeAlias, TypeVar

from moldau.errors import MoldauError
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.schema import Message, Request

__all__ = ["GIVE_WAY", "Answer", "Ask", "Asks", "Dialogue", "Pause", "Received", "Step"]

Result = TypeVar("Result")

Answer: TypeAlias = Message | MoldauError
"""A broker's answer, or why there is none."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A step of a dialogue: one request to one broker."""

    request: Request
    node_id: int | None = None
    """Which broker; None: any that can be reached."""
    newest: int | None = None
    """No later version of the request than this."""
    timeout_ms: int | None = None
    """How long the answer may take, where that is more than for most."""
    oldest: int = 0
    """No earlier version than this: earlier ones cannot say what is asked."""


@dataclass(frozen=True, slots=True)
class Asks:
    """Requests that leave together; go on when all of them are answered or have failed."""

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """Let some time pass."""

    duration_ms: float


GIVE_WAY: Final = Pause(0)
"""Let others go on in the middle of long work: a node has clients in its own loop."""
Step: TypeAlias = Asks | Pause


@dataclass(frozen=True, slots=True)
class Received:
    """What came of a step."""

    now_ms: int
    """By a clock that never turns back."""
    answers: tuple[Answer, ...] = ()
    """In the order of the asks."""


Dialogue: TypeAlias = Generator[Step, Received, Result]
