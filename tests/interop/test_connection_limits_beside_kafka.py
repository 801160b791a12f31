"""Judge: limits of connections, idle times and frame sizes do to a client what they do with Kafka.

Both nodes have the same limits. What is written down of each is only what a client sees: whether it
is answered, is closed, or waits.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial

import pytest

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.frame import request_header_version
from tests.judges.kafka_node import HOST, KafkaNode, free_ports
from tests.judges.moldau_node import MoldauNode

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(300)]

PATIENCE_S = 30
QUIET_S = 1.0
"""What has not been answered by then waits."""
IDLE_MS = 3000
FRAME_BYTES_MAX = 20_000
PER_ADDRESS, ON_LISTENER = 8, 2
ANSWERED, CLOSED, WAITS = "answered", "closed", "waits"


class Client:
    """One connection, which sends a request and returns what came of it."""

    def __init__(self, port: int, ask: bytes) -> None:
        self._socket = socket.create_connection((HOST, port), PATIENCE_S)
        self._ask = ask

    def outcome(self, frame: bytes | None = None, patience_s: float = PATIENCE_S) -> str:
        self._socket.settimeout(patience_s)
        try:
            self._socket.sendall(self._ask if frame is None else frame)
            return ANSWERED if self._socket.recv(65536) else CLOSED
        except TimeoutError:
            return WAITS
        except ConnectionError:
            return CLOSED

    def late(self) -> str:
        """What comes of a request that was left waiting."""
        return self.outcome(b"")

    def silence(self) -> str:
        """What comes of a connection on which nothing is sent any more."""
        return self.outcome(b"", 4 * IDLE_MS / 1000)

    def close(self) -> None:
        self._socket.close()


def api_versions() -> bytes:
    header = RequestHeader(
        request_api_key=18, request_api_version=0, correlation_id=1, client_id="limits"
    )
    assert ApiVersionsResponse.KEY == 18
    body = encode(header, request_header_version(ApiVersionsRequest, 0))
    return len(body).to_bytes(4, "big") + body


def settings(first: int, second: int, controller: int) -> dict[str, str]:
    """With a second listener, which takes fewer connections."""
    listeners = {"PLAINTEXT": first, "FEW": second, "CONTROLLER": controller}
    return {
        "listeners": ",".join(f"{name}://{HOST}:{port}" for name, port in listeners.items()),
        "listener.security.protocol.map": ",".join(f"{name}:PLAINTEXT" for name in listeners),
        "controller.quorum.voters": f"1@{HOST}:{controller}",
        "inter.broker.listener.name": "PLAINTEXT",
        "max.connections.per.ip": str(PER_ADDRESS),
        "listener.name.few.max.connections": str(ON_LISTENER),
        "connections.max.idle.ms": str(IDLE_MS),
        "socket.request.max.bytes": str(FRAME_BYTES_MAX),
    }


def outcomes(port: int, few: int) -> dict[str, list[str]]:
    """What clients see of one node."""
    ask, found = api_versions(), {}
    with ExitStack() as stack:

        def client(where: int) -> Client:
            made = Client(where, ask)
            stack.callback(made.close)
            return made

        found["within the limit of an address"] = [
            client(port).outcome() for _ in range(PER_ADDRESS)
        ]
        found["one too many of an address"] = [client(port).outcome()]
    with ExitStack() as stack:
        taken = [served(few, client) for _ in range(ON_LISTENER)]
        waiting = client(few)
        found["one too many on a listener"] = [waiting.outcome(patience_s=QUIET_S)]
        taken[0].close()
        found["when another has gone"] = [waiting.late()]
    for name, size in (("largest", FRAME_BYTES_MAX), ("too large", FRAME_BYTES_MAX + 1)):
        with ExitStack() as stack:
            one = served(port, client)
            found[f"a frame: {name}"] = [one.outcome(size.to_bytes(4, "big"), QUIET_S)]
    with ExitStack() as stack:
        found["idle"] = [served(port, client).silence()]
    return found


def served(port: int, client: Callable[[int], Client]) -> Client:
    """One that is answered, as soon as the node knows that those before it have gone."""
    deadline = time.monotonic() + PATIENCE_S
    while (made := client(port)).outcome() != ANSWERED:
        made.close()
        assert time.monotonic() < deadline, "no client is served"
    return made


def of_node(make: Callable[..., KafkaNode | MoldauNode]) -> dict[str, list[str]]:
    first, few, controller = free_ports(3)
    node = make(settings=settings(first, few, controller), ports=(first, controller))
    try:
        node.start()
        return outcomes(first, few)
    finally:
        node.kill()


def test_both_close_let_wait_and_serve_the_same(kafka_libs, tmp_path):
    for kind in ("kafka", "moldau"):
        (tmp_path / kind).mkdir()
    theirs = of_node(partial(KafkaNode, kafka_libs, tmp_path / "kafka"))
    ours = of_node(partial(MoldauNode, tmp_path / "moldau"))
    assert theirs["one too many of an address"] == [CLOSED]
    assert theirs["one too many on a listener"] == [WAITS]
    assert theirs["idle"] == [CLOSED]
    assert ours == theirs
