"""A transaction that hangs: its producer writes to a partition that was never added to it.

Producers did so before brokers verified what they write (KIP-890). So the verification is off while
one batch of the transaction is sent without AddPartitionsToTxn before it.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from confluent_kafka import Producer

from moldau.client import Admin
from moldau.client.admin import ConfigChange, ConfigResource
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from tests.broker.server.asking import answers_in, frame_of, sized

__all__ = ["hang"]

VERIFICATION = "transaction.partition.verification.enable"
VERSION = 9
"""Of Produce, in which a producer had to add its partitions itself."""


def hang(console, topic: str, partition: int, transactional_id: str) -> int:
    """The id of its producer."""
    servers = console.get("")["servers"]
    producer = Producer({"bootstrap.servers": servers, "transactional.id": transactional_id})
    producer.init_transactions(60)
    (known,) = [one for one in console.get("/transactions") if one["id"] == transactional_id]
    request = _produce(topic, partition, transactional_id, known)
    with _unverified(servers):
        assert _error(_leader(console, topic, partition), request) == 0
    return int(known["producer_id"])


def _produce(topic, partition, transactional_id, known) -> ProduceRequest:
    fields = BatchFields(
        producer_id=known["producer_id"],
        producer_epoch=known["producer_epoch"],
        base_sequence=0,
        is_transactional=True,
    )
    builder = BatchBuilder(fields)
    builder.append(time.time_ns() // 1_000_000, None, b"never ended")
    data = ProduceRequest.TopicProduceData
    one = data.PartitionProduceData(index=partition, records=bytes(builder.build()))
    return ProduceRequest(
        transactional_id=transactional_id,
        acks=-1,
        timeout_ms=10_000,
        topic_data=[data(name=topic, partition_data=[one])],
    )


def _leader(console, topic, partition) -> tuple[str, int]:
    leader = console.get(f"/topics/{topic}")["partitions"][partition]["leader"]
    (found,) = [one for one in console.get("/cluster")["brokers"] if one["id"] == leader]
    return found["host"], found["port"]


@contextmanager
def _unverified(bootstrap) -> Iterator[None]:
    with Admin(bootstrap) as admin:
        every = ConfigResource.broker()
        admin.incremental_alter_configs({every: {VERIFICATION: ConfigChange.set("false")}}).all()
        try:
            yield
        finally:
            admin.incremental_alter_configs({every: {VERIFICATION: ConfigChange.delete()}}).all()


def _error(place, request) -> int:
    with socket.create_connection(place, timeout=30) as link:
        link.sendall(sized(frame_of(request, VERSION)))
        size = link.recv(4, socket.MSG_WAITALL)
        received = size + link.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
    ((_, answer),) = answers_in(received, request.KEY, VERSION)
    return int(answer.responses[0].partition_responses[0].error_code)
