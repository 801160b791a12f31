"""A broker that answers by a script, on a host of the simulated world.

    broker = ScriptedBroker(world.host("b1"), {MetadataRequest: lambda request: answer})
    await broker.open()

What is not in the script is never answered. ApiVersions is answered for every request that we have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from moldau.client.aio.world import ClientWorld
from moldau.platform.ports.network import Address, Link
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.network import SimulatedNetwork, SimulatedWorld
from moldau.platform.simulated.tasks import SimulatedTasks, run
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest, ApiVersionsResponse
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.messages.index import APIS, BY_KEY
from moldau.protocol.wire.compile import decode, decode_prefix, encode, encode_parts
from moldau.protocol.wire.frame import (
    SIZE_BYTES,
    frame_parts,
    read_request_start,
    read_size,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Request, Response

PORT = 9092
CLIENT = "client"
Script = Mapping[Any, Callable[[Any], Response | None]]
"""By the class of the request."""
SPOKEN = 17
"""The newest Fetch of Kafka 3.9 and 4.0."""


class ScriptedBroker:
    """Counts its connections, and keeps what it was asked."""

    def __init__(self, network: SimulatedNetwork, script: Script) -> None:
        self.script: dict[Any, Callable[[Any], Response | None]] = {
            ApiVersionsRequest: greet,
            **script,
        }
        self.asked: list[Request] = []
        self.versions: list[int] = []
        self.links: list[Link] = []
        self.lost = 0
        """Connections that are over."""
        self._network = network

    async def open(self) -> None:
        await self._network.listen(Address("", PORT), self._take_over)

    def questions(self, kind: type[Request]) -> list[Request]:
        return [request for request in self.asked if isinstance(request, kind)]

    def _take_over(self, link: Link) -> _Visit:
        self.links.append(link)
        return _Visit(self, link)


class _Visit:
    def __init__(self, broker: ScriptedBroker, link: Link) -> None:
        self._broker = broker
        self._link = link
        self._arrived = bytearray()

    def readable(self) -> None:
        room = bytearray(65536)
        self._arrived += room[: self._link.receive_into(room)]
        while len(self._arrived) >= SIZE_BYTES:
            end = SIZE_BYTES + read_size(self._arrived)
            if len(self._arrived) < end:
                return
            frame = bytes(self._arrived[SIZE_BYTES:end])
            del self._arrived[:end]
            self._received(frame)

    def all_sent(self) -> None: ...

    def lost(self, reason: str) -> None:
        self._broker.lost += 1

    def _received(self, frame: bytes) -> None:
        start = read_request_start(frame)
        api = BY_KEY[start.api_key]
        header_version = request_header_version(api.request, start.api_version)
        _, position = decode_prefix(RequestHeader, header_version, frame)
        request = decode(api.request, start.api_version, frame[position:])
        assert isinstance(request, Request)
        self._broker.asked.append(request)
        self._broker.versions.append(start.api_version)
        say = self._broker.script.get(type(request))
        answer = None if say is None else say(request)
        if answer is None:
            return
        version = start.api_version
        if isinstance(answer, ApiVersionsResponse) and answer.error_code:
            version = 0  # what any client can read
        header_version = response_header_version(api.response, version)
        header = encode(ResponseHeader(correlation_id=start.correlation_id), header_version)
        self._link.send(*frame_parts(header, *encode_parts(answer, version)))


def greet(_request: Request) -> Response:
    """As a broker of Kafka 3.9 does: newer versions of Fetch are unknown to it."""
    ranges = [
        ApiVersionsResponse.ApiVersion(
            api_key=api.key,
            min_version=api.request.VERSIONS.low,
            max_version=SPOKEN if api.name == "Fetch" else api.request.VERSIONS.high,
        )
        for api in APIS
    ]
    return ApiVersionsResponse(error_code=0, api_keys=ranges)


class ScriptedCluster:
    """A simulated world with hosts `b1`, `b2` … and a client."""

    def __init__(self, tasks: SimulatedTasks, clock: SimulatedClock) -> None:
        self.tasks = tasks
        self.clock = clock
        self.around = SimulatedWorld(tasks, Random(3))
        self.world = ClientWorld(self.around.host(CLIENT), clock, Random(4), tasks)

    async def broker(self, name: str, script: Script | None = None) -> ScriptedBroker:
        broker = ScriptedBroker(self.around.host(name), script or {})
        await broker.open()
        return broker


def in_cluster(main):
    """Run `main(cluster)` in simulated time."""
    clock = SimulatedClock()
    return run(lambda tasks: main(ScriptedCluster(tasks, clock)), clock)
