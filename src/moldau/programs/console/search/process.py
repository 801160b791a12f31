"""A search in a process of its own, as the process that serves has it.

Whatever a query does, it can take neither the memory nor the time of those who serve: its process
is bounded by the kernel, gives way to others, and ends where its search is left.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from moldau.client.core.fetching.chunk import Chunk
from moldau.platform.system.workers import Message, Worker, WorkerBounds, WorkerEndedError
from moldau.programs.console.search.decoded import SearchFormats
from moldau.programs.console.search.query import Bounds
from moldau.programs.console.values.masking import Masks
from moldau.programs.http.messages import HttpError

__all__ = ["PROCESS_MB", "Plan", "SearchProcess", "SearchProcesses"]

log = logging.getLogger(__name__)

CHILD: Final = "moldau.programs.console.search.child"
PROCESS_MB: Final = 1024
"""Of a search's process: DuckDB's 512, some 200 for the libraries, and chunks as Arrow has them."""
CPU_S: Final = 5 * 60
BOUNDS: Final = WorkerBounds(PROCESS_MB, CPU_S)
CHUNKS_WAITING: Final = 4
ENDED: Final = (
    "The process of the search ended before its result ({how}): it may take {memory} MB of memory "
    "and {seconds} s of the processor. Narrow the query by partition, offset or timestamp, or have "
    "it make less of each record"
)


NO_FORMATS: Final = SearchFormats()


class Plan(NamedTuple):
    """What of which topic the query needs."""

    topic: str
    bounds: Bounds
    since_ms: int | None


class SearchProcess:
    """One query, once."""

    def __init__(self, worker: Worker, ended: Callable[[], None]) -> None:
        """`ended` is called once, when it is over."""
        self._worker = worker
        self._ended = ended
        self._waiting = 0
        self._is_over = False

    @property
    def has_room(self) -> bool:
        return self._waiting < CHUNKS_WAITING

    @property
    def is_over(self) -> bool:
        return self._is_over

    @property
    def has_ended(self) -> bool:
        """Whether nothing of its process is left."""
        return self._worker.has_ended

    async def planned(
        self,
        text: str,
        masks: Masks,
        formats: SearchFormats = NO_FORMATS,
        kept: str = "",
        *,
        check_checksums: bool,
    ) -> Plan:
        """Have the query read, and `kept`, a filter in CEL; what is wrong is a sentence."""
        hidden = [mask.sent() for mask in masks]
        query = {"text": text, "kept": kept, "masks": hidden, "check_checksums": check_checksums}
        await self._worker.send({"kind": "query", **query, "formats": formats.sent()})
        head, _ = await self._received()
        return Plan(head["topic"], Bounds(*head["bounds"]), head["since_ms"])

    async def feed(self, chunk: Chunk | None) -> None:
        """None is the end of what is read. It waits until the pipe has room."""
        if chunk is None:
            await self._worker.send({"kind": "end"})
            return
        self._waiting += 1
        await self._worker.send(_head(chunk), chunk.records)

    async def run(self) -> bytes:
        """Columns and rows as JSON."""
        try:
            while True:
                head, body = await self._received()
                if head["kind"] == "result":
                    return body
                self._waiting -= 1
        finally:
            self.cancel()

    def cancel(self) -> None:
        """End its process at once."""
        self._worker.kill()
        if not self._is_over:
            self._is_over = True
            self._ended()

    async def close(self) -> None:
        """The same, and return when it has ended."""
        self.cancel()
        await self._worker.end()

    async def _received(self) -> Message:
        try:
            head, body = await self._worker.receive()
        except WorkerEndedError as error:
            if not self._is_over:
                log.warning("The process of a search ended before its result: %s", error)
            sentence = ENDED.format(memory=PROCESS_MB, seconds=CPU_S, how=error)
            raise HttpError(400, sentence) from None
        if head["kind"] == "failed":
            raise HttpError(head["status"], head["message"])
        return head, body


class SearchProcesses:
    """Of one console, as long as something of them is left."""

    def __init__(self) -> None:
        self._begun: list[SearchProcess] = []
        self._is_closed = False

    async def start(self, ended: Callable[[], None]) -> SearchProcess:
        worker = await Worker.start(CHILD, BOUNDS)
        if self._is_closed:
            await worker.end()
            raise HttpError(503, "The console ends")
        found = SearchProcess(worker, ended)
        self._begun = [one for one in self._begun if not one.has_ended] + [found]
        return found

    async def close(self) -> None:
        self._is_closed = True
        for one in self._begun:
            await one.close()


def _head(chunk: Chunk) -> dict[str, Any]:
    return {
        "kind": "chunk",
        "topic": chunk.part.topic,
        "partition": chunk.part.partition,
        "start": chunk.start,
        "end": chunk.end,
        "void": list(chunk.void),
    }
