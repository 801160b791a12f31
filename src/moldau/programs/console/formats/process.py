"""The processes of one format, as the process that serves has them.

A request has a process for itself: one that waits, or a new one, up to a bound. So a function that
hangs holds up its own request, and that no longer than a limit: what does not end by itself then
(`called`) is ended with its process.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from moldau.config.refusals import SettingError
from moldau.platform.ports.tasks import Tasks
from moldau.platform.system.workers import Message, Worker, WorkerBounds, WorkerEndedError
from moldau.programs.console.formats.called import FormatError
from moldau.programs.console.formats.declared import Declared, Offer

__all__ = ["FormatProcesses", "Outcome"]

CHILD: Final = "moldau.programs.console.formats.child"
BOUNDS: Final = WorkerBounds(memory_mb=512, cpu_s=24 * 60 * 60)
"""Its time is bounded by the request; that of the processor is for what goes on by itself."""
PROCESSES_MAX: Final = 4
LOAD_MS: Final = 30_000
"""To import what it needs."""
REQUEST_MS: Final = 7_000
"""More than its own limits let a process take."""
ENDS_MAX: Final = 3
"""Processes that one request may end before it is given up."""
FULL: Final = "{name} decodes {count} other pages now: show this one again in a moment"
ENDED: Final = "the process of {name} was ended ({how}): choose another format, or mend {origin}"


class Outcome(NamedTuple):
    """What one key or value became, or why it did not."""

    data: bytes | None
    reason: str | None = None


class _Answers(NamedTuple):
    """To one request: of its records from the front, and why there are no more."""

    outcomes: list[Outcome]
    why: str | None = None
    may_go_on: bool = False
    """With another process, behind the record that ended this one."""


class _Watch:
    """Ends a process whose time is over, and keeps that it has."""

    has_ended = False

    def end(self, worker: Worker) -> None:
        self.has_ended = True
        worker.kill()


class FormatProcesses:
    """Of one format, started where they are needed."""

    def __init__(self, declared: Declared, tasks: Tasks) -> None:
        self._declared = declared
        self._tasks = tasks
        self._waiting: list[Worker] = []
        self._begun: list[Worker] = []
        self._count = 0
        self._is_closed = False

    async def load(self) -> Offer:
        """What it offers; `SettingError` where its code cannot be imported."""
        worker, offer = await self._started()
        self._waiting.append(worker)
        return offer

    async def decoded(self, topic: str, data: Sequence[bytes]) -> list[Outcome]:
        """An outcome for each, in order.

        Where one ends the process, those behind it go to another: a few times, and not where the
        time of the request is over.
        """
        found: list[Outcome] = []
        for again in range(ENDS_MAX, -1, -1):
            left = data[len(found) :]
            head = {"kind": "decode", "topic": topic, "sizes": [len(one) for one in left]}
            done, why, may_go_on = await self._asked(head, b"".join(left), len(left))
            found += done
            if why is None:
                return found
            found.append(Outcome(None, why))
            if not (may_go_on and again and len(found) < len(data)):
                break
        return found + [found[-1]] * (len(data) - len(found))

    async def encoded(self, topic: str, text: str) -> Outcome:
        head = {"kind": "encode", "topic": topic}
        found, why, _ = await self._asked(head, text.encode(), 1)
        return found[0] if found else Outcome(None, why)

    async def close(self) -> None:
        self._is_closed = True
        for worker in self._begun:
            await worker.end()

    async def _asked(self, head: Mapping[str, object], body: bytes, count: int) -> _Answers:
        found: list[Outcome] = []
        name, origin = self._declared.name, self._declared.origin
        watch = _Watch()
        try:
            async with self._worker() as worker:
                timer = self._tasks.after(REQUEST_MS, lambda: watch.end(worker))
                try:
                    await worker.send(head, body)
                    while len(found) < count:
                        found.append(_outcome(await worker.receive()))
                finally:
                    timer.cancel()
        except (FormatError, SettingError) as error:
            return _Answers(found, str(error))
        except WorkerEndedError as error:
            how = f"it took {REQUEST_MS // 1000} s" if watch.has_ended else str(error)
            why = ENDED.format(name=name, how=how, origin=origin)
            return _Answers(found, why, may_go_on=not watch.has_ended)
        except ValueError:  # code of users can write to the pipe
            why = ENDED.format(name=name, how="it wrote what is no message", origin=origin)
            return _Answers(found, why, may_go_on=True)
        return _Answers(found)

    @asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        """For one request; it waits for the next one if that went well."""
        if self._count >= PROCESSES_MAX:
            raise FormatError(FULL.format(name=self._declared.name, count=PROCESSES_MAX))
        self._count += 1
        worker: Worker | None = None
        is_well = False
        try:
            while self._waiting and worker is None:
                worker = self._waiting.pop()
                worker = None if worker.has_ended else worker
            if worker is None:
                worker, _ = await self._started()
            yield worker
            is_well = not self._waiting
        finally:
            self._count -= 1
            if worker is not None:
                self._waiting.append(worker) if is_well else worker.kill()

    async def _started(self) -> tuple[Worker, Offer]:
        worker = await Worker.start(CHILD, BOUNDS)
        self._begun = [one for one in self._begun if not one.has_ended] + [worker]
        timer = self._tasks.after(LOAD_MS, worker.kill)
        try:
            if self._is_closed:
                raise FormatError("the console ends")
            return worker, await self._loaded(worker)
        except BaseException:
            worker.kill()
            raise
        finally:
            timer.cancel()

    async def _loaded(self, worker: Worker) -> Offer:
        declared = self._declared
        await worker.send({"kind": "load", "declared": declared.sent()})
        try:
            head, _ = await worker.receive()
        except (WorkerEndedError, ValueError) as error:
            raise SettingError(
                f"{declared.origin}: its code ended its process while it was imported, or took "
                f"longer than {LOAD_MS // 1000} s ({error}): mend it, or leave the format out"
            ) from None
        if head["kind"] == "failed":
            raise SettingError(head["message"])
        return Offer(declared, head["topics"], tuple(head["parts"]), head["encodes"])


def _outcome(message: Message) -> Outcome:
    head, body = message
    if not isinstance(head, Mapping) or not {"kind", "message"} & head.keys():
        raise ValueError("it is no answer")
    return Outcome(body) if head["kind"] == "done" else Outcome(None, str(head.get("message")))
