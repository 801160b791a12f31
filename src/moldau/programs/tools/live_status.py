"""One line on a terminal that shows how a node is doing, written anew every second.

It stays the last one, whatever is logged meanwhile, and never becomes two.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TextIO

from moldau.broker.node.node import Node
from moldau.broker.node.world import NodeWorld
from moldau.platform.ports.tasks import Timer
from moldau.platform.system.host import terminal_columns

__all__ = ["LiveStatus", "counted", "status_line", "up_time"]

EVERY_MS = 1000
ERASE = "\r\x1b[2K"
SECONDS_PER_MINUTE = 60
MINUTES_PER_HOUR = 60
NS_PER_SECOND = 1_000_000_000


class LiveStatus:
    """Writes the line until it is stopped."""

    def __init__(
        self,
        node: Node,
        world: NodeWorld,
        out: TextIO,
        columns: Callable[[], int] = terminal_columns,
    ) -> None:
        self._node = node
        self._world = world
        self._out = out
        self._columns = columns
        self._logs = [one for one in logging.getLogger().handlers if _writes_to(one, out)]
        for handler in self._logs:
            handler.addFilter(self._make_room)
        self._since_ns = world.clock.monotonic_ns()
        self._answered = 0
        self._timer: Timer
        self._show()

    def stop(self) -> None:
        """Leave a last line with what is going on."""
        self._timer.cancel()
        for handler in self._logs:
            handler.removeFilter(self._make_room)
        self._out.write(f"{ERASE}stopping in order\n")
        self._out.flush()

    def _make_room(self, record: logging.LogRecord) -> bool:
        """What is logged takes the place of the line, which is there again within a second."""
        self._out.write(ERASE)
        return True

    def _show(self) -> None:
        answered = self._node.answered
        seconds = (self._world.clock.monotonic_ns() - self._since_ns) // NS_PER_SECOND
        line = status_line(self._node, answered - self._answered, seconds)
        self._out.write(ERASE + line[: self._columns() - 1])
        self._out.flush()
        self._answered = answered
        self._timer = self._world.tasks.after(EVERY_MS, self._show)


def _writes_to(handler: logging.Handler, out: TextIO) -> bool:
    return isinstance(handler, logging.StreamHandler) and handler.stream is out


def status_line(node: Node, requests: int, seconds: int) -> str:
    """What a person looks for first."""
    image = node.broker.metadata.image
    partitions = sum(len(topic.partitions) for topic in image.topics.by_id.values())
    return (
        f"up {up_time(seconds)}   {counted(node.connection_count, 'connection')}   "
        f"{counted(len(image.topics.by_id), 'topic')}, {counted(partitions, 'partition')}   "
        f"{requests} requests/s"
    )


def counted(number: int, thing: str) -> str:
    """Such as `1 topic` and `2 topics`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def up_time(seconds: int) -> str:
    """Hours, minutes and seconds, without those that are none yet."""
    minutes, seconds = divmod(seconds, SECONDS_PER_MINUTE)
    hours, minutes = divmod(minutes, MINUTES_PER_HOUR)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
