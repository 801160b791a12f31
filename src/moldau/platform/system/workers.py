"""Children that work for this process within bounds, and the messages between both.

A worker runs a module of ours. Its address space for data, its processor time and what it may write
to files are bounded by the kernel, it gives way to whatever else runs, and of all processes it is
the first that the kernel ends where a machine runs out of memory (`working`). It ends with this
process, however that ends: its standard input is then at its end.

A message is a small JSON object and bytes: the sizes of both, and both. What comes from a worker
is bounded before it is read: it runs what users have written.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from moldau.platform.buffers import Buffer
from moldau.platform.system.children import ending
from moldau.platform.system.working import BODY_BYTES_MAX, SIZES, encoded

__all__ = ["Message", "Worker", "WorkerBounds", "WorkerEndedError"]

Message: TypeAlias = tuple[Mapping[str, Any], bytes]
HEAD_BYTES_MAX = 64 * 1024


class WorkerBounds(NamedTuple):
    """What one may take."""

    memory_mb: int
    cpu_s: int


class WorkerEndedError(Exception):
    """It ended before it had answered; how is its text."""


class Worker:
    """A running one."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None, "it was started with pipes"
        assert process.stdout is not None, "it was started with pipes"
        self._process = process
        self._input = process.stdin
        self._output = process.stdout

    def __repr__(self) -> str:
        return f"<Worker {self._process.pid}>"

    @classmethod
    async def start(cls, module: str, bounds: WorkerBounds) -> Worker:
        """Run a module that begins with `working.Caller`."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *map(str, bounds)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        return cls(process)

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def send(self, head: Mapping[str, Any], body: Buffer = b"") -> None:
        """Wait until nearly all of it has left; where it has ended, `receive` shows that."""
        self._input.write(encoded(head, body))
        self._input.write(body)
        with suppress(ConnectionError):
            await self._input.drain()

    async def receive(self) -> Message:
        """The next message, or `WorkerEndedError`; what breaks the bounds ends it."""
        try:
            sizes = SIZES.unpack(await self._output.readexactly(SIZES.size))
            if sizes[0] > HEAD_BYTES_MAX or sizes[1] > BODY_BYTES_MAX:
                await self.end()
                raise WorkerEndedError("its message was too large")
            head = json.loads(await self._output.readexactly(sizes[0]))
            return head, await self._output.readexactly(sizes[1])
        except asyncio.IncompleteReadError:
            raise WorkerEndedError(ending(await self._process.wait())) from None

    def kill(self) -> None:
        """End it at once; once it has ended this does nothing."""
        if not self.has_ended:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        """End it at once, and wait for that."""
        self.kill()
        await self._process.wait()
