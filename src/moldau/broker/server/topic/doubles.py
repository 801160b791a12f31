"""Topics that a request to change them names more than once.

Each is answered once, with INVALID_REQUEST, and that before access is looked at: such an answer
shows nothing of the topic. Nothing is decided about them, so that a request of nothing else needs
no controller and no time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TypeVar

from moldau.errors import KafkaError
from moldau.platform.slices import counted
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["named_twice", "twice"]

Name = TypeVar("Name")


def named_twice(names: Iterable[Name]) -> Generator[None, None, dict[Name, None]]:
    """Each name that comes more than once, in their order."""
    counts = yield from counted(names)
    return {name: None for name, count in counts.items() if count > 1}


def twice() -> KafkaError:
    return KafkaError(ErrorCode.INVALID_REQUEST, "the request names the topic twice")
