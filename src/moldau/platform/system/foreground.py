"""Long work that Ctrl-C and SIGTERM end at any moment, whatever the work calls.

A library in the middle of a call, a start or an import does not expect `KeyboardInterrupt`, and
answers it with pages of traces. So the work runs in a thread beside the main one, which only waits:
for the end of the work, or for a signal.

    foreground = Foreground(grace_s=15)
    foreground.run(work)        raises EndedBySignalError

Work that has something to stop does it inside `with foreground.orderly()`, and looks at
`is_stopping` from time to time. A signal there gives it `grace_s` to leave that block; a second
signal ends the waiting. Anywhere else a signal ends the waiting at once. What is left of the work
then goes on in its thread, so the caller ends the process (`process.exit_at_once`).
"""

from __future__ import annotations

import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TypeVar

__all__ = ["EndedBySignalError", "Events", "Foreground"]

Value = TypeVar("Value")

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
DONE = 0
"""No signal has this number."""
SHELL_OFFSET = 128
"""What shells add to a signal's number to report that it ended a process."""


class EndedBySignalError(RuntimeError):
    """The work was ended by SIGINT or SIGTERM."""

    def __init__(self, number: int) -> None:
        self.name = signal.Signals(number).name
        self.exit_code = SHELL_OFFSET + number
        super().__init__(f"ended by {self.name}")


class Events:
    """The numbers of signals, and `DONE`, in the order in which they came; for one waiting thread.

    They go through a socket that the interpreter writes to when a signal arrives. A lock would not
    do: a signal between the last look at the signals and the wait for the lock does not end the
    wait.
    """

    def __init__(self) -> None:
        self._waiting, self._writing = socket.socketpair()
        self._writing.setblocking(False)

    def put_done(self) -> None:
        with suppress(OSError):  # closed: no thread waits any more
            self._writing.send(bytes([DONE]))

    def wait(self, timeout_s: float | None = None) -> int | None:
        """The next one, or None after this time."""
        ready, _, _ = select.select([self._waiting], [], [], timeout_s)
        return self._waiting.recv(1)[0] if ready else None

    @contextmanager
    def of_signals(self) -> Iterator[None]:
        """Meanwhile signals with a handler are events as well."""
        before = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)

    def close(self) -> None:
        self._waiting.close()
        self._writing.close()


class Foreground:
    """Runs one piece of work; made and used by the main thread."""

    def __init__(self, grace_s: float) -> None:
        self._grace_s = grace_s
        self._events = Events()
        self._stopping = threading.Event()
        self._is_orderly = False

    @property
    def is_stopping(self) -> bool:
        """Whether a signal has come; for the work to look at."""
        return self._stopping.is_set()

    @contextmanager
    def orderly(self) -> Iterator[None]:
        """The part of the work that stops by itself."""
        self._is_orderly = True
        try:
            yield
        finally:
            self._is_orderly = False
            if self.is_stopping:
                self._events.put_done()

    def run(self, work: Callable[[], Value]) -> Value:
        """What the work returns or raises, unless a signal comes first."""
        thread = ThreadPoolExecutor(1, "moldau-work")
        try:
            with self._events.of_signals(), self._signals_as_events():
                outcome = thread.submit(work)
                outcome.add_done_callback(lambda _: self._events.put_done())
                number = self._next_event()
                if number == DONE:
                    return outcome.result()
                assert number is not None, "without a limit an event comes"
                self._stopping.set()
                if self._is_orderly:
                    self._next_event(self._grace_s)
                raise EndedBySignalError(number)
        finally:
            self._events.close()

    def _next_event(self, timeout_s: float | None = None) -> int | None:
        """The end of the work or a signal that ends it; others may have handlers of their own."""
        while (number := self._events.wait(timeout_s)) not in (DONE, None, *STOP_SIGNALS):
            pass
        return number

    @contextmanager
    def _signals_as_events(self) -> Iterator[None]:
        """A signal that is ignored stays so; after one that came, no other is handled."""
        found = {number: signal.getsignal(number) for number in STOP_SIGNALS}
        replaced = {number: found[number] for number in found if found[number] != signal.SIG_IGN}
        for number in replaced:
            signal.signal(number, _only_an_event)
        try:
            yield
        finally:
            for number, before in replaced.items():
                signal.signal(number, signal.SIG_IGN if self.is_stopping else before)


def _only_an_event(number: int, frame: FrameType | None) -> None:
    """A signal without a handler would end the process."""
