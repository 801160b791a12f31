"""Programs that this one starts and ends, and the lines that they write.

A child is in a session of its own, so that Ctrl-C on the terminal reaches its parent alone, which
then ends its children in order.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

__all__ = ["Child", "ending"]

LINE_BYTES_MAX = 1024 * 1024
"""A longer line is no line of a log."""


class Child:
    """A running program."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        variables: Mapping[str, str] | None = None,
        *,
        reads_lines: bool = False,
    ) -> Child:
        """Run it; without `variables` in the environment of this process."""
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE if reads_lines else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=None if variables is None else dict(variables),
            start_new_session=True,
            limit=LINE_BYTES_MAX,
        )
        return cls(process)

    @property
    def process_id(self) -> int:
        return self._process.pid

    async def follow(
        self, on_output: Callable[[str], None], on_errors: Callable[[str], None]
    ) -> int:
        """Hand over each line as it comes; the exit code when the program has ended."""
        output, errors = self._process.stdout, self._process.stderr
        assert output is not None, "the child was started with pipes"
        assert errors is not None, "the child was started with pipes"
        await asyncio.gather(_lines(output, on_output), _lines(errors, on_errors))
        return await self._process.wait()

    def write_line(self, line: str) -> None:
        """Give it a line to read; once it has ended this does nothing."""
        assert self._process.stdin is not None, "the child was started with `reads_lines`"
        self._process.stdin.write(line.encode() + b"\n")

    def terminate(self) -> None:
        """Ask it to end in order; once it has ended this does nothing."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def pause(self) -> None:
        """Let it stand still, as a machine does that is out of memory: it keeps its connections."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        self._send(signal.SIGCONT)

    def _send(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)


async def _lines(stream: asyncio.StreamReader, take: Callable[[str], None]) -> None:
    while line := await stream.readline():
        take(line.decode(errors="replace").rstrip("\n"))


def ending(exit_code: int) -> str:
    """How a program ended, for people."""
    if exit_code < 0:
        return f"killed by {signal.Signals(-exit_code).name}"
    return f"ended with exit code {exit_code}"
