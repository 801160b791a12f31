"""A connection of a member: one question at a time, many such beside each other in one loop."""

from __future__ import annotations

import asyncio
from typing import Self, TypeVar

from bench.versus.asking import HOST, AskingError, frame
from bench.versus.generators.questions import answer
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Request, Response

SIZE_BYTES = 4
Answer = TypeVar("Answer", bound=Response)


class Conversation:
    """Made by `open`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection(HOST, port))

    async def ask(self, request: Request, response: type[Answer], version: int) -> Answer:
        self._writer.write(frame(request, version))
        size = int.from_bytes(await self._reader.readexactly(SIZE_BYTES), "big")
        return answer(response, version, await self._reader.readexactly(size))

    def close(self) -> None:
        self._writer.close()


def expect(error_code: int, *allowed: int) -> None:
    """Any other is more than the load can go on with."""
    if error_code not in (ErrorCode.NONE, *allowed):
        raise AskingError(f"A member was refused with {ErrorCode.read(error_code).name}.")
