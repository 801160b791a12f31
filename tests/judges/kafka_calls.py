"""Single questions to a real node, in our own messages: what no client library shows."""

from __future__ import annotations

import socket
from typing import TypeVar

from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.headers import RequestHeader, ResponseHeader
from moldau.protocol.wire.compile import decode, decode_prefix, encode
from moldau.protocol.wire.frame import (
    SIZE_BYTES,
    frame_parts,
    read_size,
    request_header_version,
    response_header_version,
)
from moldau.protocol.wire.schema import Request, Response
from tests.judges.kafka_node import HOST

TIMEOUT_S = 30
CORRELATION_ID = 1
PRODUCE_VERSION = 12
"""The last one that names topics."""
Answer = TypeVar("Answer", bound=Response)


def ask(port: int, request: Request, answer: type[Answer], version: int) -> Answer:
    """One request on a connection of its own, and its response."""
    header = RequestHeader(
        request_api_key=request.KEY,
        request_api_version=version,
        correlation_id=CORRELATION_ID,
        client_id="judge",
    )
    head = encode(header, request_header_version(type(request), version))
    with socket.create_connection((HOST, port), TIMEOUT_S) as connection:
        connection.sendall(b"".join(frame_parts(head, encode(request, version))))
        frame = _read(connection, read_size(_read(connection, SIZE_BYTES)))
    _, length = decode_prefix(ResponseHeader, response_header_version(answer, version), frame)
    return decode(answer, version, memoryview(frame)[length:])


def produce(port: int, topic: str, batch: bytes, partition: int = 0) -> tuple[int, int]:
    """Send one batch to a partition: the error code and the base offset of the answer."""
    entry = ProduceRequest.TopicProduceData.PartitionProduceData(index=partition, records=batch)
    topics = [ProduceRequest.TopicProduceData(name=topic, partition_data=[entry])]
    request = ProduceRequest(acks=-1, timeout_ms=TIMEOUT_S * 1000, topic_data=topics)
    answer = ask(port, request, ProduceResponse, PRODUCE_VERSION)
    (done,) = answer.responses[0].partition_responses
    return done.error_code, done.base_offset


def _read(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = connection.recv(size - len(data))
        assert piece, "the node closed the connection"
        data += piece
    return data
