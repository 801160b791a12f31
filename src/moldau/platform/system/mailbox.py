"""Hands things from any thread to a loop in the background, many at a time.

What is put in lies here until the loop takes it all at once: the loop is called only for the first
of them. A thread that puts in waits while there is too much, here and beyond, of which the
loop keeps count (`hold`).

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from moldau.platform.system.background import (
    Background,
    BackgroundEndedError,
    MailboxFullError,
)

__all__ = ["Mailbox", "MailboxFullError"]

Item = TypeVar("Item")
MS_PER_SECOND: Final = 1000


class Mailbox(Generic[Item]):
    """From many threads to one loop."""

    def __init__(
        self, background: Background, take: Callable[[list[Item]], None], size_max: int
    ) -> None:
        """`take` is called on the loop."""
        self._background = background
        self._take = take
        self._size_max = size_max
        self._items: list[Item] = []
        self._size = 0
        """Of what lies here."""
        self._held = 0
        """Of what was taken, and is not gone yet."""
        self._lock = threading.Lock()
        self._has_room = threading.Condition(self._lock)
        self._is_closed = False

    # hot: what a record costs on its way to the loop.
    def put(self, item: Item, size: int, wait_ms: float) -> None:
        """Raises `MailboxFullError` after `wait_ms` without room."""
        self._lock.acquire()  # for compiled code `with` costs several times as much
        try:
            if not self._fits(size):
                self._wait(size, wait_ms)
            if self._is_closed:
                raise BackgroundEndedError("nothing is taken any more")
            self._size += size
            self._items.append(item)
            is_first = len(self._items) == 1
        finally:
            self._lock.release()
        if is_first:
            if not self._background.is_running:
                raise BackgroundEndedError("a fork left the background loop behind")
            self._background.post(self._collect)

    def hold(self, size: int) -> None:
        """So much of what was taken is there still."""
        with self._lock:
            self._held = size
            self._has_room.notify_all()

    def close(self) -> None:
        """Wake the threads that wait for room."""
        with self._lock:
            self._is_closed = True
            self._has_room.notify_all()

    def collect(self) -> None:
        """Take what is here now; on the loop."""
        self._collect()

    def _collect(self) -> None:
        with self._lock:
            items, self._items = self._items, []
            self._held, self._size = self._held + self._size, 0
        if items:
            self._take(items)

    def _fits(self, size: int) -> bool:
        """One thing alone always does."""
        filled = self._size + self._held
        return not filled or filled + size <= self._size_max

    def _wait(self, size: int, wait_ms: float) -> None:
        fits = self._has_room.wait_for(
            lambda: self._is_closed or self._fits(size), wait_ms / MS_PER_SECOND
        )
        if not fits:
            raise MailboxFullError
