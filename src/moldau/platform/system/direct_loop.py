"""A loop that calls readable links itself, as soon as it has found them.

asyncio puts the handle of every descriptor that is ready into a queue, and runs them when it has
looked at all. Here the selector runs them, and hands on to asyncio what is left: writers, its own
sockets, and what wakes it up. Readers that were registered while the loop was in debug mode go
asyncio's way too, which then looks for slow ones.

What asyncio guarantees holds. One that has been removed since the selector looked is not called,
nor is another one who has got its descriptor; bytes that are there are found again. One that fails
is reported to the loop's exception handler, and the others are called. Timers and whatever was
scheduled come after at most one call of each reader.

After them asyncio's turn begins with what is ready and which timers are due. Where nothing is ready
and the next timer is still the same, that would lead straight back here: the selector waits again
itself, which saves a fifth of what a small request costs on a quiet connection.

While several are called their small answers wait for each other in the outbox. What other threads
`post` is called like a reader, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from selectors import SelectorKey
from time import monotonic_ns
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVarTuple

from moldau.platform.system.crossing import Crossing
from moldau.platform.system.measured_loop import READABLE, MeasuredLoop, MeasuredSelector
from moldau.platform.system.outbox import Outbox

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

__all__ = ["DirectLoop"]

NANOSECONDS_PER_SECOND: Final = 1_000_000_000
WAITS_MAX: Final = 256
"""Then the loop has a turn in any case: it drops timers that were cancelled in the meantime."""

_Arguments = TypeVarTuple("_Arguments")
_Event: TypeAlias = tuple[SelectorKey, int]
_Reader: TypeAlias = Callable[[], object]


class _Reports:
    """As asyncio's handles do it: what fails is reported to the loop, which goes on.

    Such a handle would cost as much as all else between the selector and the reader.
    """

    report: Callable[[dict[str, Any]], None]
    """The loop's exception handler."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        if error is None or isinstance(error, (SystemExit, KeyboardInterrupt)):
            return False
        self.report({"message": "Exception in a reader", "exception": error})
        return True


class _CallingSelector(MeasuredSelector):
    """Calls readers, and returns everything else."""

    def __init__(self, *, polls: bool) -> None:
        super().__init__(polls=polls)
        self.readers: dict[int, _Reader] = {}
        """By descriptor."""
        self.outbox = Outbox()
        self.reports = _Reports()
        self.loop: Any = None
        """The loop whose selector this is."""

    def select(self, timeout: float | None = None) -> list[_Event]:
        # hot: once for each turn, and once around for each reader.
        if timeout is not None and timeout <= 0:
            return self._call_ready(timeout)
        next_timer = self._next_timer()
        due_ns = 0 if timeout is None else monotonic_ns() + int(timeout * NANOSECONDS_PER_SECOND)
        events = self._call_ready(timeout)
        for _ in range(WAITS_MAX):
            if events or not self._has_nothing_new(next_timer):
                break
            if timeout is not None:
                timeout = (due_ns - monotonic_ns()) / NANOSECONDS_PER_SECOND
                if timeout <= 0:
                    break
            events = self._call_ready(timeout)
        return events

    def _next_timer(self) -> object:
        timers = self.loop._scheduled  # asyncio has no public way to ask
        return timers[0] if timers else None

    def _has_nothing_new(self, next_timer: object) -> bool:
        """Whether the loop would only come back: nothing to run, and no earlier timer."""
        loop = self.loop
        if loop._ready or loop._stopping:  # asyncio has no public way to ask
            return False
        return self._next_timer() is next_timer

    def _call_ready(self, timeout: float | None) -> list[_Event]:
        """Wait once, and call the readers that are ready."""
        found = self.poll(timeout)
        readers = self.readers
        if len(found) == 1:
            ((descriptor, ready),) = found
            reader = readers.get(descriptor) if ready == READABLE else None
            if reader is None:
                return self.keys_of(found)
            with self.reports:
                reader()
            return []
        others: list[tuple[int, int]] = []
        direct: list[tuple[int, _Reader]] = []
        for descriptor, ready in found:
            reader = readers.get(descriptor) if ready == READABLE else None
            if reader is None:
                others.append((descriptor, ready))
            else:
                direct.append((descriptor, reader))
        events = self.keys_of(others) if others else []
        if direct:
            self._call(direct)
            events = [event for event in events if self._is_registered(event[0])]
        return events

    def _call(self, direct: list[tuple[int, _Reader]]) -> None:
        readers, outbox, at = self.readers, self.outbox, 0
        outbox.is_open = len(direct) > 1
        try:
            while at < len(direct):
                with self.reports:  # one that fails comes out here, and the next ones follow
                    while at < len(direct):
                        descriptor, reader = direct[at]
                        at += 1
                        if readers.get(descriptor) is reader:
                            reader()
        finally:
            outbox.close()

    def _is_registered(self, key: SelectorKey) -> bool:
        """Still, and for the same: asyncio would take a stale key for the descriptor's next use."""
        return self.get_map().get(key.fd) is key


class DirectLoop(MeasuredLoop):
    """asyncio's own, on such a selector."""

    def __init__(self, *, polls: bool = False) -> None:
        self._calling = _CallingSelector(polls=polls)
        self._calling.reports.report = self.call_exception_handler
        super().__init__(self._calling)
        self._calling.loop = self
        self._crossing = Crossing()
        self.add_reader(self._crossing.descriptor, self._crossing.take)

    def post(self, action: Callable[[], object]) -> None:
        """Have it called by the loop, from any thread; those of one thread stay in their order.

        One that fails is reported, and the others are called. `ValueError` after the end.
        """
        self._crossing.post(action)

    def close(self) -> None:
        super().close()
        self._crossing.close()

    @property
    def outbox(self) -> Outbox:
        """Where links may leave what is to be sent at the end of the turn."""
        return self._calling.outbox

    def add_reader(
        self, fd: FileDescriptorLike, callback: Callable[[*_Arguments], Any], *args: *_Arguments
    ) -> None:
        super().add_reader(fd, callback, *args)
        if not self.get_debug():
            reader: Any = partial(callback, *args) if args else callback
            self._calling.readers[_descriptor(fd)] = reader

    def remove_reader(self, fd: FileDescriptorLike) -> bool:
        self._calling.readers.pop(_descriptor(fd), None)
        return super().remove_reader(fd)


def _descriptor(fd: FileDescriptorLike) -> int:
    return fd if isinstance(fd, int) else fd.fileno()
