"""How soon a node answers after it was started, and what it costs until then.

Each round runs `moldau start` in a process of its own, on a blank directory and once more on the
one that the first run left, asks ApiVersions until it is answered, and then Metadata. What counts
is the time from the start of the process to the end of the second answer; beside it stand the
processor time of the node until then, and its memory a second later, when it is idle. Python's
compiled modules are there from a first run that is not counted, even where the environment says
that they shall not be written. The goal is 300 ms and 60 MB.

    python -m bench.start [--rounds 9]
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.frame import request_header_version
from moldau.protocol.wire.schema import Message

ASKED = (
    (ApiVersionsRequest(client_software_name="bench", client_software_version="1"), 4),
    (MetadataRequest(topics=[]), 12),
)
IDLE_AFTER_S = 1.0
LOOK_EVERY_S = 0.002
PATIENCE_S = 30.0
TICKS = os.sysconf("SC_CLK_TCK")


class Start(NamedTuple):
    """One start of one node."""

    answered_ms: float
    cpu_ms: float
    memory_mb: float


def frame(request: Message, version: int) -> bytes:
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=version,
        correlation_id=0,
        client_id="bench",
    )
    body = encode(header, request_header_version(type(request), version)) + encode(request, version)
    return len(body).to_bytes(4, "big") + body


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def connect(port: int, until_s: float) -> socket.socket:
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        except ConnectionRefusedError:
            assert time.perf_counter() < until_s, "the node does not listen"
            time.sleep(LOOK_EVERY_S)


def ask(link: socket.socket, request: bytes) -> None:
    """Send it, and read the whole answer."""
    link.sendall(request)
    with link.makefile("rb") as answers:
        size = int.from_bytes(answers.read(4), "big")
        assert len(answers.read(size)) == size > 0, "the node closed the connection"


def cpu_ms(process_id: int) -> float:
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS * 1e3


def memory_mb(process_id: int) -> float:
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def start(directory: str, environment: dict[str, str]) -> Start:
    port = free_port()
    command = [sys.executable, "-m", "moldau", "start", "--data", directory, "--port", str(port)]
    requests = [frame(*asked) for asked in ASKED]
    began_s = time.perf_counter()
    node = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    try:
        with connect(port, began_s + PATIENCE_S) as link:
            for request in requests:
                ask(link, request)
        answered_ms = (time.perf_counter() - began_s) * 1e3
        used_ms = cpu_ms(node.pid)
        time.sleep(IDLE_AFTER_S)
        return Start(answered_ms, used_ms, memory_mb(node.pid))
    finally:
        node.send_signal(signal.SIGTERM)
        node.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    starts: dict[str, list[Start]] = {"blank directory": [], "used directory": []}
    with tempfile.TemporaryDirectory() as compiled:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        for counted in (False, *[True] * options.rounds):
            with tempfile.TemporaryDirectory() as directory:
                for found in starts.values():
                    one = start(directory, environment)
                    if counted:
                        found.append(one)
    print("median of the rounds   answered ms  fastest ms   CPU ms  idle MB")
    for label, found in starts.items():
        answered, used, memory = (statistics.median(values) for values in zip(*found, strict=True))
        fastest = min(one.answered_ms for one in found)
        print(f"{label:22} {answered:11.0f} {fastest:11.0f} {used:8.0f} {memory:8.1f}")


if __name__ == "__main__":
    main()
