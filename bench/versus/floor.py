"""The least that a node has to do with some bytes, as a bare loop in a process of its own.

    receive FILE     take record batches from one connection, CRC-32C each, write them to FILE
    send FILES       send the files to one connection by sendfile, a MiB at a time
    answer FILE      like `receive`, and answer each batch with four bytes

It prints the port where it listens, serves one connection, and prints its processor time (user and
system, in seconds) from the first byte to the last. There are no requests around the batches: a
batch says in its own header how long it is and what its checksum should be, and that is all that
is read of it. Each piece is checked and written while the processor's cache still has it. So what
a node adds for its protocol, its checks and its bookkeeping is what lies between its figure and
this one.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from struct import Struct

from moldau.protocol.records.checksum import crc32c

HOST = "127.0.0.1"
START = Struct(">8xi5xI")
"""Of a batch: size without the twelve bytes that lead to it, and the checksum of what follows."""
SIZE_FROM = 12
RECEIVE_BYTES = 256 * 1024
SEND_BYTES = 1024 * 1024
"""What a consumer asks for from one partition by default."""
ANSWER = bytes(4)


class Batches:
    """Checks a stream of batches piece by piece, however it is cut."""

    def __init__(self) -> None:
        self._start = b""
        self._left = 0
        self._value = 0
        self._checksum = 0

    @property
    def is_between(self) -> bool:
        """No batch has begun that has not ended."""
        return not self._start

    def check(self, piece: memoryview) -> None:
        position = 0
        while position < len(piece):
            if len(self._start) < START.size:
                position += self._begin(piece[position : position + START.size - len(self._start)])
            else:
                part = piece[position : position + self._left]
                position += len(part)
                self._continue(part)

    def _begin(self, part: memoryview) -> int:
        self._start += part
        if len(self._start) == START.size:
            size, self._checksum = START.unpack(self._start)
            self._left = SIZE_FROM + size - START.size
        return len(part)

    def _continue(self, part: memoryview) -> None:
        self._value = crc32c(part, self._value)
        self._left -= len(part)
        if not self._left:
            assert self._value == self._checksum, "a batch was damaged on its way"
            self._start, self._value = b"", 0


def receive(link: socket.socket, path: str) -> None:
    memory, batches = memoryview(bytearray(RECEIVE_BYTES)), Batches()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    while size := link.recv_into(memory):
        batches.check(memory[:size])
        os.write(file, memory[:size])


def send(link: socket.socket, *paths: str) -> None:
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        position, size = 0, os.fstat(file).st_size
        while position < size:
            position += os.sendfile(link.fileno(), file, position, SEND_BYTES)
        os.close(file)


def answer(link: socket.socket, path: str) -> None:
    memory, batches = memoryview(bytearray(RECEIVE_BYTES)), Batches()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    while size := link.recv_into(memory):
        batches.check(memory[:size])
        os.write(file, memory[:size])
        if batches.is_between:
            link.sendall(ANSWER)


LOOPS: dict[str, Callable[..., None]] = {"receive": receive, "send": send, "answer": answer}


def main() -> None:
    loop, paths = LOOPS[sys.argv[1]], sys.argv[2:]
    with socket.create_server((HOST, 0)) as server:
        print(server.getsockname()[1], flush=True)
        link, _ = server.accept()
    with link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        began_s = time.process_time()
        loop(link, *paths)
        print(time.process_time() - began_s, flush=True)
    for path in paths if loop is not send else ():
        Path(path).unlink()


if __name__ == "__main__":
    main()
