"""Lines come as they end, whatever the pieces in which they were written."""

from __future__ import annotations

import asyncio
import os
import sys
from types import SimpleNamespace

from moldau.platform.system.input_lines import on_input_line


def test_lines_are_taken_when_they_end_and_the_end_is_seen(monkeypatch):
    read, write = os.pipe()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(fileno=lambda: read))

    async def taken() -> list[str]:
        lines: list[str] = []
        done = asyncio.Event()
        on_input_line(lambda line: (lines.append(line), line == "end" and done.set()))  # type: ignore[arg-type,func-returns-value]
        os.write(write, b"one\ntw")
        await asyncio.sleep(0)
        os.write(write, b"o\n\nend\nunfinished")
        await asyncio.wait_for(done.wait(), 60)
        return lines

    try:
        assert asyncio.run(taken()) == ["one", "two", "", "end"]
    finally:
        os.close(write)
        os.close(read)
