"""What a request costs the loop: from the socket through the handler and back to the socket.

A node in this process, one client in a thread that asks 5,000 times, one request after the other.
Shown is the processor's time of the loop's thread for each request, system calls included, and
what the two parts above the handler cost by themselves: the connection, and the dispatcher with
header, body, response and counting.
"""

from __future__ import annotations

import asyncio
import socket
import statistics
import time
from struct import pack, unpack

from moldau import testing
from moldau.network.connection import Connection
from moldau.network.receiving import Receiving
from moldau.platform.ports.network import Address
from moldau.platform.system.clock import SystemClock
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.headers import RequestHeader
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.records.builder import BatchBuilder
from moldau.protocol.wire.compile import encode
from moldau.protocol.wire.frame import request_header_version
from moldau.protocol.wire.schema import Message

ROUNDS = 5
REQUESTS = 5_000
PARTITIONS = 6
Topic = MetadataRequest.MetadataRequestTopic
Data = ProduceRequest.TopicProduceData


def framed(request: Message, version: int) -> bytes:
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=version,
        correlation_id=1,
        client_id="bench",
    )
    body = encode(header, request_header_version(type(request), version)) + encode(request, version)
    return pack(">i", len(body)) + body


class Silent:
    """A link that takes everything and sends nothing."""

    peer = Address("client", 1)
    unsent = 0

    def __init__(self, frame: bytes) -> None:
        self._frame = frame

    def receive_into(self, buffer: memoryview) -> int:
        buffer[: len(self._frame)] = self._frame
        return len(self._frame)

    def send(self, *buffers: object) -> None:
        """Away with it."""


def records() -> bytes:
    builder = BatchBuilder()
    builder.append(1_750_000_000_000, b"key", bytes(100))
    return bytes(builder.build())


def produce(parts: list[Data.PartitionProduceData]) -> bytes:
    data = Data(name="t", partition_data=parts)
    return framed(ProduceRequest(acks=1, timeout_ms=100, topic_data=[data]), 9)


def questions() -> dict[str, bytes]:
    """By name, as they go over the wire."""
    parts = [
        Data.PartitionProduceData(index=index, records=records()) for index in range(PARTITIONS)
    ]
    fetched = FetchRequest.FetchTopic.FetchPartition(
        partition=0, fetch_offset=0, partition_max_bytes=1000
    )
    topic = FetchRequest.FetchTopic(topic="t", partitions=[fetched])
    software = {"client_software_name": "bench", "client_software_version": "1"}
    return {
        "Metadata v9": framed(MetadataRequest(topics=[Topic(name="t")]), 9),
        "Produce v9, 1 record": produce(parts[:1]),
        f"Produce v9, {PARTITIONS} partitions": produce(parts),
        "Fetch v11, 1,000 bytes": framed(
            FetchRequest(max_wait_ms=0, min_bytes=0, topics=[topic]), 11
        ),
        "ApiVersions v3": framed(ApiVersionsRequest(**software), 3),
    }


def ask(bootstrap: str, frame: bytes, count: int) -> None:
    """So many times, waiting for each answer."""
    host, _, port = bootstrap.rpartition(":")
    with socket.create_connection((host, int(port))) as client:
        for _ in range(count):
            client.sendall(frame)
            (size,) = unpack(">i", receive(client, 4))
            receive(client, size)


def receive(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += client.recv(size - len(data))
    return data


async def loop_us(bootstrap: str, frame: bytes) -> float:
    """Microseconds of the loop's thread for one request."""
    started = time.thread_time()
    await asyncio.to_thread(ask, bootstrap, frame, REQUESTS)
    return (time.thread_time() - started) / REQUESTS * 1e6


async def whole_way() -> None:
    async with testing.Node(settings={"num.partitions": str(PARTITIONS)}) as node:
        frames = questions()
        ask(node.bootstrap, frames["Metadata v9"], 0)
        for _ in range(2):
            await asyncio.to_thread(ask, node.bootstrap, frames["Metadata v9"], 1)
            await asyncio.sleep(0.5)
        for name, frame in frames.items():
            times = [await loop_us(node.bootstrap, frame) for _ in range(ROUNDS)]
            tell(name, times)


def connection_alone() -> None:
    """From the link to a handler that answers at once."""
    clock = SystemClock()
    frame = framed(MetadataRequest(topics=[Topic(name="t")]), 9)
    receiving = Receiving(clock, tasks=None)  # type: ignore[arg-type]  # nothing is muted
    connection = Connection(
        Silent(frame),  # type: ignore[arg-type]  # as much of a link as is asked of it
        receiving,
        lambda one, frame: one.reply(b"answer"),
        lambda one: None,
    )
    times = []
    for _ in range(ROUNDS):
        started = time.thread_time()
        for _ in range(REQUESTS):
            connection.readable()
        times.append((time.thread_time() - started) / REQUESTS * 1e6)
    tell("connection alone", times)


def tell(name: str, times: list[float]) -> None:
    median = statistics.median(times)
    print(f"{name:<24} {median:8.1f} us   {min(times):.1f} to {max(times):.1f}")


def main() -> None:
    print(f"{ROUNDS} rounds of {REQUESTS} requests, processor time of the loop's thread each")
    connection_alone()
    asyncio.run(whole_way())


if __name__ == "__main__":
    main()
