"""A client of few words in the simulated world: one connection, one question at a time."""

from __future__ import annotations

from typing import Any

from moldau.errors import NetworkError
from moldau.platform.ports.network import Address, Link, Network
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode, decode_prefix, encode
from moldau.protocol.wire.frame import (
    SIZE_BYTES,
    frame_parts,
    read_size,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Request

PATIENCE_MS = 5_000


class LostError(Exception):
    """No answer: whether the question was acted upon is not known."""


class Client:
    """Connects when it has to, and again after every loss."""

    def __init__(self, network: Network, tasks: Tasks, address: Address) -> None:
        self._network = network
        self._tasks = tasks
        self._address = address
        self._link: Link | None = None
        self._received = bytearray()
        self._answer: Promise[bytes] | None = None
        self._correlation_id = 0

    async def ask(self, request: Request, version: int) -> Any:
        """The answer, or `LostError`."""
        try:
            async with self._tasks.deadline(PATIENCE_MS):
                return await self._exchange(request, version)
        except (NetworkError, TimeoutError) as error:
            self._give_up()
            raise LostError(str(error)) from None

    async def _exchange(self, request: Request, version: int) -> Any:
        if self._link is None:
            self._received.clear()
            self._link = await self._network.connect(self._address, lambda link: self)
        self._correlation_id += 1
        header = RequestHeader(
            request_api_key=request.KEY,
            request_api_version=version,
            correlation_id=self._correlation_id,
            client_id="simulated",
        )
        head = encode(header, request_header_version(type(request), version))
        self._answer = self._tasks.promise()
        self._link.send(b"".join(frame_parts(head, encode(request, version))))
        frame = await self._answer.wait()
        response = BY_KEY[request.KEY].response
        _, start = decode_prefix(ResponseHeader, response_header_version(response, version), frame)
        return decode(response, version, memoryview(frame)[start:])

    def _give_up(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.abort()

    # As the link calls it.

    def readable(self) -> None:
        assert self._link is not None
        buffer = bytearray(65_536)
        while size := self._link.receive_into(buffer):
            self._received += buffer[:size]
        if len(self._received) >= SIZE_BYTES:
            end = SIZE_BYTES + read_size(self._received)
            if len(self._received) >= end and self._answer is not None:
                self._answer.keep(bytes(self._received[SIZE_BYTES:end]))
                del self._received[:end]

    def all_sent(self) -> None:
        pass

    def lost(self, reason: str) -> None:
        self._link = None
        if self._answer is not None:
            self._answer.fail(NetworkError(str(self._address), reason))
