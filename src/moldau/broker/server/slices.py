"""Long lists are worked through in slices, between which the loop serves others.

A handler that loops over what its caller has named cannot know how much that is. It marks where
others may go on, and the clock decides whether they do:

- A handler that waits anyway (`async def`) awaits `in_slices(broker, each(...))`, or has a `Pace`
  go through a loop that waits.
- One that does not wait is written as a generator that yields, and returns it: as long as a slice
  lasts it is run at once, and what is left goes on in a task.

State may change between two slices, as it may whenever a handler waits. What has to be seen at one
moment, such as the image of the metadata, is taken once, before the first slice.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from moldau.broker.server.broker import Broker
from moldau.platform.slices import SLICE_NS, STEP, at_once, each, run_slice
from moldau.platform.slices import Pace as PaceOfPorts
from moldau.protocol.wire.schema import Struct

__all__ = ["SLICE_NS", "STEP", "Pace", "at_once", "dismantle", "each", "in_slices", "run_slice"]

DROP_STEP = 4096
"""Objects that are given back at one go."""
FEW = 64
"""Shorter lists are worth a look at what their elements hold."""

Value = TypeVar("Value")


class Pace(PaceOfPorts):
    """How long a piece of work for one broker has held the loop."""

    __slots__ = ()

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker.clock, broker.tasks)


async def in_slices(broker: Broker, work: Generator[None, None, Value]) -> Value:
    """What the work returns, with others between its parts."""
    return await Pace(broker).run(work)


def dismantle(struct: Struct) -> Generator[None, None, None]:
    """Give back what the long lists in it hold: a million objects at once take 0.1 s."""
    for name in struct.DECLARED:
        value = getattr(struct, name)
        if type(value) is not list:
            continue
        if len(value) < FEW:
            for element in value:
                if isinstance(element, Struct):
                    yield from dismantle(element)
        while len(value) > DROP_STEP:
            del value[-DROP_STEP:]
            yield
