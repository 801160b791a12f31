"""The least that a node has to do with some bytes, as a bare loop in a process of its own.

    receive FILE     take record batches from one connection, CRC-32C each, write them to FILE
    send FILES       send the files to one connection by sendfile, a MiB at a time
    answer FILE      like `receive`, one batch at a time, and answer each with four bytes

It prints the port where it listens, serves one connection, and prints its processor time (user and
system, in seconds) from the first byte to the last. There are no requests around the batches: a
batch says in its own header how long it is, and that is all that is read of it. So what a node
adds for its protocol, its checks and its bookkeeping is what lies between its figure and this one.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from struct import Struct

from moldau.records.checksum import crc32c

HOST = "127.0.0.1"
SIZE = Struct(">8xi")
"""Of a batch, without the twelve bytes that lead to it."""
PREFIX_BYTES = 12
CRC_COVERS_FROM = 21
BUFFER_BYTES = 4 * 1024 * 1024
"""More than the largest batch that a node takes by default."""
SEND_BYTES = 1024 * 1024
"""What a consumer asks for from one partition by default."""
ANSWER = bytes(4)


def receive(link: socket.socket, path: str) -> None:
    """As many batches as a system call brings; what is cut in two waits for its rest."""
    memory = memoryview(bytearray(BUFFER_BYTES))
    filled = 0
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    while size := link.recv_into(memory[filled:]):
        filled += size
        position = write_batches(file, memory, filled)
        memory[: filled - position] = memory[position:filled]
        filled -= position


def write_batches(file: int, memory: memoryview, filled: int) -> int:
    """Where the first batch begins that is not whole."""
    position = 0
    while filled - position >= PREFIX_BYTES:
        end = position + PREFIX_BYTES + SIZE.unpack_from(memory, position)[0]
        if end > filled:
            break
        crc32c(memory[position + CRC_COVERS_FROM : end])
        os.write(file, memory[position:end])
        position = end
    return position


def send(link: socket.socket, *paths: str) -> None:
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        position, size = 0, os.fstat(file).st_size
        while position < size:
            position += os.sendfile(link.fileno(), file, position, SEND_BYTES)
        os.close(file)


def answer(link: socket.socket, path: str) -> None:
    memory = memoryview(bytearray(BUFFER_BYTES))
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    while filled := link.recv_into(memory):
        while write_batches(file, memory, filled) < filled:
            filled += link.recv_into(memory[filled:])
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
