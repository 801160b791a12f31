"""Clients that come, log in, ask one thing and go: PORT CA COUNT USER PASSWORD.

A connection each, never resumed: a handshake of TLS 1.3, SCRAM-SHA-256, and ApiVersions. Two at a
time, so that the broker need not wait for us while we compute what a client has to.
"""

from __future__ import annotations

import json
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from bench.versus.asking import HOST, AskingError, frame
from bench.versus.generators.questions import answer
from moldau.network.sasl.scram import ask_scram
from moldau.network.sasl.scram_keys import ScramMechanism
from moldau.platform.system.randomness import SystemRandom
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.security.sasl_authenticate import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
)
from moldau.protocol.messages.security.sasl_handshake import (
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from moldau.protocol.wire.schema import Request, Response

AT_ONCE = 2
TIMEOUT_S = 60.0
MECHANISM = ScramMechanism.SHA_256
R = TypeVar("R", bound=Response)


def main() -> None:
    port, authority, count, user, password = sys.argv[1:]
    context = ssl.create_default_context(cafile=authority)

    def once(_number: int) -> float:
        began_s = time.perf_counter()
        log_in(context, int(port), user, password)
        return time.perf_counter() - began_s

    began_s = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        times_ms = sorted(took_s * 1e3 for took_s in threads.map(once, range(int(count))))
    found = {
        "requests_per_s": len(times_ms) / (time.perf_counter() - began_s),
        "p50_ms": times_ms[len(times_ms) // 2],
        "p99_ms": times_ms[int(len(times_ms) * 0.99)],
    }
    print(json.dumps(found))


def log_in(context: ssl.SSLContext, port: int, user: str, password: str) -> None:
    with socket.create_connection((HOST, port), TIMEOUT_S) as bare:
        bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with context.wrap_socket(bare, server_hostname=HOST) as link:
            ask(link, SaslHandshakeRequest(mechanism=MECHANISM.sasl_name), SaslHandshakeResponse, 1)
            for challenge, dialogue in tokens(user, password):
                request = SaslAuthenticateRequest(auth_bytes=challenge)
                response = ask(link, request, SaslAuthenticateResponse, 2)
                if response.error_code:
                    raise AskingError(f"The login was refused: {response.error_message}.")
                dialogue.append(bytes(response.auth_bytes))
            versions = ApiVersionsRequest(client_software_name="v", client_software_version="1")
            ask(link, versions, ApiVersionsResponse, 4)


def tokens(user: str, password: str) -> Iterator[tuple[bytes, list[bytes]]]:
    """Each of the client's, with a list that takes the server's answer to it."""
    asking = ask_scram(MECHANISM, user, password, SystemRandom())
    token, answered = next(asking), [b""]
    while True:
        answered.clear()
        yield token, answered
        try:
            token = asking.send(answered[0])
        except StopIteration:
            return


def ask(link: ssl.SSLSocket, request: Request, response: type[R], version: int) -> R:
    link.sendall(frame(request, version))
    size = int.from_bytes(take(link, 4), "big")
    return answer(response, version, take(link, size))


def take(link: ssl.SSLSocket, size: int) -> bytes:
    taken = b""
    while len(taken) < size:
        more = link.recv(size - len(taken))
        if not more:
            raise AskingError("The node closed a connection before it was logged in.")
        taken += more
    return taken


if __name__ == "__main__":
    main()
