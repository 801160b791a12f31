"""Replays what a case has put into a topic, to and from the bare loop of `floor`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bench.versus.asking import HOST
from bench.versus.figures import quantile
from bench.versus.floor import ANSWER, SEND_BYTES
from bench.versus.model import Sample, Turn
from bench.versus.processes import end, spawn
from bench.versus.sides import Side
from moldau.protocol.records.builder import BatchBuilder

WAIT_S = 60.0


def received(side: Side, turn: Turn) -> float:
    """Processor seconds to receive, check and write the batches of the turn's topic again."""
    files = side.segments(turn.topic)
    with bare_loop("receive", turn.folder / "floor") as (link, process):
        for path in files:
            send_file(link, path)
        link.shutdown(socket.SHUT_WR)
        return cpu_s(process)


def sent(side: Side, turn: Turn) -> float:
    """Processor seconds to send the files of the kept topic."""
    memory = memoryview(bytearray(SEND_BYTES))
    with bare_loop("send", *side.segments(turn.kept_topic)) as (link, process):
        while link.recv_into(memory):
            pass
        return cpu_s(process)


def answered(turn: Turn, count: int, size: int) -> Sample:
    """The time for one batch of one record, there and back, as often as that."""
    builder = BatchBuilder()
    builder.append(1_750_000_000_000, None, bytes(size))
    batch = bytes(builder.build())
    with bare_loop("answer", turn.folder / "floor") as (link, process):
        times_ms = list(round_trips_ms(link, batch, count))
        link.shutdown(socket.SHUT_WR)
        cpu_us = cpu_s(process) * 1e6 / count
    times_ms.sort()
    at = {"p50_ms": 0.5, "p99_ms": 0.99, "p999_ms": 0.999}
    return {"cpu_us_per_request": cpu_us} | {
        name: quantile(times_ms, part) for name, part in at.items()
    }


def round_trips_ms(link: socket.socket, batch: bytes, count: int) -> Iterator[float]:
    for _ in range(count):
        began_s = time.perf_counter()
        link.sendall(batch)
        assert len(link.recv(len(ANSWER), socket.MSG_WAITALL)) == len(ANSWER)
        yield (time.perf_counter() - began_s) * 1e3


def send_file(link: socket.socket, path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    position, size = 0, os.fstat(file).st_size
    while position < size:
        position += os.sendfile(link.fileno(), file, position, SEND_BYTES)
    os.close(file)


@contextmanager
def bare_loop(name: str, *paths: Path) -> Iterator[tuple[socket.socket, subprocess.Popen[str]]]:
    command: list[str | Path] = [sys.executable, "-m", "bench.versus.floor", name, *paths]
    process = spawn(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with socket.create_connection((HOST, port), timeout=WAIT_S) as link:
            link.settimeout(None)  # sendfile wants a socket that blocks
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            yield link, process
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
        end(process)


def cpu_s(process: subprocess.Popen[str]) -> float:
    """What the loop prints at its end."""
    assert process.stdout is not None
    return float(process.stdout.readline())
